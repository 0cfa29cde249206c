"""The read side: what is asked of matches, kept in tables that follow the log.

One SQLite file holds every read model. It is disposable: whatever is in it can be made again from
the log, and is, whenever its shape is not the present one. `runner` keeps it up to date, `models`
opens it for reading, and each other module asks one kind of question of it.
"""
