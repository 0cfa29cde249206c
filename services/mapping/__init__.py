"""Conversion between messages of the API and structs of the domain and the read models."""
