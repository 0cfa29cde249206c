"""What the command line draws and asks in a terminal."""
