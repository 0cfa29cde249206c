"""A house for each game. No house knows another; `domain.registry` lists them."""
