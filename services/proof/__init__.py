"""Proofs: signatures, match files, the taps behind actions, checkpoints and witnesses."""
