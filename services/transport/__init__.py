"""The transports: gRPC, Connect, sessions and HTTP, and what they share."""
