"""Checks of a game's rules against their reference: conformance vectors and perft."""
