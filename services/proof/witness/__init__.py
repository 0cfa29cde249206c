"""Witnesses: a service that cosigns checkpoints of logs, and the client that asks witnesses."""
