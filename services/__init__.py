"""The service: API and transports, event store, read models at work, bots and scheduled tasks."""
