"""A second judgement: another implementation of a game, run beside the first over the same play."""
