"""The service: how the world reaches the rules, and how the log is kept."""
