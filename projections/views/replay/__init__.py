"""Replays of matches as standalone pages that can verify what they show."""
