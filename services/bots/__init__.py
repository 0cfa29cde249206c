"""Bots as players: they think in processes of their own, and act as people do."""
