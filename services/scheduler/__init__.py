"""Scheduled work of the service: flag falls, low-time warnings, conditional moves, webhooks."""
