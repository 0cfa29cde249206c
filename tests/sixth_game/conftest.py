"""What the tests of services use."""

from tests.services.conftest import client, empty_reads, limits, service, settings

__all__ = ["client", "empty_reads", "limits", "service", "settings"]
