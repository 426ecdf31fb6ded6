"""Linear algebra as it is written: names of vectors, arrays whose cells are expressions, and what is made of them."""
