"""Authentication of callers, their permissions in matches, quotas, tokens and IDs."""
