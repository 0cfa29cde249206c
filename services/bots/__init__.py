"""Bots as players: they search in separate processes, and act by the public API as people do."""
