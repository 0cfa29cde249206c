"""Every parser answers what was changed at random, or says in its own way what is wrong with it."""

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings

from tests.fuzzing import PARSERS, cases, read_bytes, read_mutated, saved_samples


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_right_is_read(name: str) -> None:
    for sample in PARSERS[name].samples:
        if "pack" not in name and name not in ("export", "key set"):
            PARSERS[name].read(sample)


@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(**cases)
@example(name="res-arcana action", place=0, seed=16)
@example(name="agog position", place=0, seed=0)
def test_what_was_changed_breaks_no_parser(name: str, place: int, seed: int) -> None:
    read_mutated(name, place, seed)


@pytest.mark.parametrize("name", PARSERS)
def test_a_number_of_thousands_of_digits_breaks_no_parser(name: str) -> None:
    """`int()` of more than 4,300 digits raises ValueError, and databases hold 64 bits."""
    for sample in PARSERS[name].samples:
        for found in list(re.finditer(rb"[0-9]+", sample))[:40]:
            for digits in (b"9" * 5_000, b"9" * 4_000, b"9" * 20, "٣".encode()):
                read_bytes(name, sample[: found.start()] + digits + sample[found.end() :])


@pytest.mark.parametrize("name", PARSERS)
def test_what_is_nested_a_thousand_times_breaks_no_parser(name: str) -> None:
    for sample in PARSERS[name].samples:
        for inner in (b"[" * 5_000, b'{"a":' * 5_000, b"(" * 5_000):
            read_bytes(name, inner)
            for found in list(re.finditer(rb"[:=]", sample))[:10]:
                read_bytes(name, sample[: found.end()] + inner)


@pytest.mark.parametrize("name", [name for name in PARSERS if "pack" in name])
def test_a_pack_that_is_nested_too_deep_is_no_pack(name: str) -> None:
    PARSERS[name].read(b"a=" + b"[" * 50_000)


@pytest.mark.parametrize(
    "path", saved_samples(), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_what_once_broke_a_parser_breaks_it_no_more(path: Path) -> None:
    read_bytes(path.parent.name, path.read_bytes())
