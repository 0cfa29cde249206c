"""Tests that run on a log in either store."""

import pytest

both_stores = pytest.mark.parametrize("store", ["sqlite", "postgresql"], indirect=True)
"""Runs a test, or a module of them, on a log in either store."""
