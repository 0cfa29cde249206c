"""Who calls through which frontend, what that one may do, and what the service may call itself."""
