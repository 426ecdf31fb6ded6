"""What stands above the corridor: rooms that read audits, teach, forecast, check and study, and decide none of them."""
