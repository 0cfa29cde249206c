"""The API: a class of handlers for each proto service, independent of transports."""
