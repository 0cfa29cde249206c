"""The judge in a page says of a file what `emeth verify` says, finding by finding; and the rules
are the same there, vector by vector."""

import asyncio
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random

import pytest

from domain.registry import GAMES
from services.proof.match_file import verify
from services.proof.verdict import as_json, finding_line
from tests.judge.in_page import InPage
from tests.services.proof.mutations import bytewise, forged, linewise, told_otherwise
from tests.services.proof.test_mutated_files import Mutation, tapped, written
from tests.services.proof.test_recorded_matches import FILES

EACH = 3
"""Mutations of one file in one way."""
VECTORS = Path(__file__).parents[1] / "games"
RUN = """
from domain.conformance.vectors import check, read_vector
from domain.registry import GAMES

def run(line):
    vector = read_vector(line)
    return repr(check(GAMES[vector.game], vector))

run
"""


@pytest.fixture(scope="module")
def page() -> Iterator[InPage]:
    with InPage() as page:
        yield page


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {**{game: written(game) for game in GAMES}, "tapped": asyncio.run(tapped())}


def without_python(line: str) -> str:
    """A finding without what Python itself says of bytes that make no sense: that page has a later
    Python than we have here."""
    line = re.sub(r"\b(\w+(?:Error|Exception)): .*", r"\1", line)
    return re.sub(r"(it cannot be read): .*fromhex.*", r"\1", line)


def is_told_alike(page: InPage, raw: bytes) -> bool:
    """Judges a file both ways; is it sound?"""
    here = as_json(verify(BytesIO(raw)))
    there = page.judge(raw)
    lines = [
        finding_line(each["version"], each["check"], each["sentence"], each["rule"])
        for each in here["findings"]
    ]
    assert [*map(without_python, (each["line"] for each in there["findings"]))] == [
        *map(without_python, lines)
    ]
    assert all(each["meaning"] for each in there["findings"])
    for name in here.keys() - {"findings"}:
        assert there[name] == here[name], name
    return bool(here["sound"])


def test_what_earlier_versions_recorded_is_sound_there_too(page: InPage) -> None:
    for file in FILES:
        assert is_told_alike(page, file.read_bytes()), file.name


@pytest.mark.parametrize("name", [*GAMES, "tapped"])
@pytest.mark.parametrize("mutation", [bytewise, linewise, told_otherwise, forged])
def test_every_spoiled_file_is_caught_there_as_here(
    page: InPage, files: dict[str, bytes], name: str, mutation: Mutation
) -> None:
    random = Random(f"{name} in a page")
    caught = [not is_told_alike(page, mutation(files[name], random)) for _ in range(EACH)]
    assert any(caught)


def test_a_match_with_a_spoiled_event_is_shown_up_to_it(page: InPage) -> None:
    lines = written("agog").splitlines(keepends=True)
    lines[5] = lines[5].replace(b'"version":5', b'"version":6')
    verdict = page.judge(b"".join(lines))
    assert not verdict["sound"]
    assert verdict["shown_until"] == verdict["findings"][0]["version"] - 1 == 4


@pytest.mark.parametrize("slug", list(GAMES))
def test_the_rules_agree_with_the_vectors_there(page: InPage, slug: str) -> None:
    path = VECTORS / slug.replace("-", "_") / "vectors.jsonl"
    for line in path.read_text().splitlines():
        assert page.python(RUN, line) == "[]", line[:100]
