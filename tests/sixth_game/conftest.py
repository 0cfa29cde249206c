"""What the tests of services use."""

from tests.services.conftest import client, service, settings

__all__ = ["client", "service", "settings"]
