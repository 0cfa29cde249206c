"""The log in an SQLite file: for one process on one disk, without installation."""
