"""How rules are checked against their reference: vectors, and counting trees."""
