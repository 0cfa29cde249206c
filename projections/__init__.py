"""The read side: tables for queries, kept up to date with the log.

One SQLite file holds every read model. It is disposable: it is rebuilt from the log whenever its
format is not the current one. `projector` writes the file, `queries` reads it, and `views` and
`drawing` show matches to one viewer.
"""
