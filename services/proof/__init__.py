"""Proof: signing, the file of a match, the taps behind its actions, witnesses."""
