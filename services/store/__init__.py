"""The event store: one log, one writer, any number of readers. It knows nothing of games."""
