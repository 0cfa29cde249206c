"""The service itself, as its log tells of it: a decider beside the Match."""
