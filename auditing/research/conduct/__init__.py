"""Signs of careless or hostile voting, and what an admin decides on them."""
