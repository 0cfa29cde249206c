"""The parts that all games share: contract, rulings, scenes, chance, armies and texts."""
