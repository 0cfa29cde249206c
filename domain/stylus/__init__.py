"""Stylus input: from the taps of a stylus to actions, for any game."""
