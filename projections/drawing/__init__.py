"""Drawings of a scene for any game: text for terminals, SVG for everything else."""
