"""Drawings of a scene, for any game: as text for a terminal, as SVG for everything else."""
