"""The judge in a real browser: from a disk, and from a service."""

from tests.console.conftest import browser, complaints, open_page, served

__all__ = ["browser", "complaints", "open_page", "served"]
