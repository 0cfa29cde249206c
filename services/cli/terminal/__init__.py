"""Terminal input and output of the command line."""
