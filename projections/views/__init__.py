"""What one viewer may see of a match: scenes, events, captions, explanations, transcripts."""
