"""The log: opens the event store, writes to it through one writer, and reads matches from it.

Nothing outside `services.store` knows whether SQLite or PostgreSQL keeps it.
"""
