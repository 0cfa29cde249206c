"""What games share. Nothing here knows a game."""
