"""The read side: what is kept beside the log for people to look at, and how it is drawn."""
