"""Golem Arcana, after the rulebook of the miniatures game; units and scenarios are content packs."""
