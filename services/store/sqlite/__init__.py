"""The log in an SQLite file: one process, one disk, nothing to install."""
