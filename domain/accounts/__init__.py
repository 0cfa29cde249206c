"""Accounts: frontends and their players, two deciders beside the saved Army.

What is recorded of them holds no personal data: a player is an id and the digest of a token. Names,
and what frontends call their players, lie outside the log, where they can be erased.
"""
