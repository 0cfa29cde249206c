"""Content: packs of cards, tiles and scenarios, and armies built of them."""
