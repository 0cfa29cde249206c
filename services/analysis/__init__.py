"""The coach: looks back at what was played, and says what would have been better and why."""
