"""The pure core: the rules of every game and the truth of a match. No I/O, clock or chance."""
