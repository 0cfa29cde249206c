"""The event store: one log, one writer, many readers. It has no knowledge of games."""
