"""What the service does when its time comes: flag falls, warnings, webhooks."""
