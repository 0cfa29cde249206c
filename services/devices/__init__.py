"""Gateways: tables in memory, their streams, and what the screens of styluses show."""
