"""A service in a process of its own, as the tests of the command line have it."""

from tests.services.cli.conftest import own_service, shared_service

__all__ = ["own_service", "shared_service"]
