"""A match as one page: a replay that can check what it shows."""
