"""The API: a class of handlers for each proto service, and what they share. No transport."""
