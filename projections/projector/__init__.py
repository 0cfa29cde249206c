"""Following the log: read files, the thread that fills them, their shape, rebuilding."""
