"""Analysis of played matches: how good each action was, what was better, and why."""
