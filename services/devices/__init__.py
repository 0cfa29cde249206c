"""Gateways and styluses: cached tables, gateway streams, and the content of stylus screens."""
