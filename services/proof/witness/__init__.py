"""Witnesses: a service that cosigns the checkpoints of logs, and how ours asks such services."""
