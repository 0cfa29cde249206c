"""The saved Army, as a decider beside the Match."""
