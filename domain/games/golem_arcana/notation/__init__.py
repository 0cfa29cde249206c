"""Positions and actions as text, and the conformance vectors written in it."""
