"""The draws are those of docs/chance.md: the page's own Python makes them again."""

import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.chance import commitment, draws
from domain.match import MatchSetup, SeedSource, SeedUnavailableError, Terms, create, resign, roles
from domain.match.ledger import drawn_entry
from domain.registry import GAMES
from tests.command_contexts import context_at

PAGE = (Path(__file__).parents[3] / "docs" / "chance.md").read_text()
PYTHON: dict[str, Any] = {}
exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], PYTHON)  # type: ignore[index]  # noqa: S102  # it is ours
DOCUMENTED = dict(re.findall(r"^\| ([^|]+?) \| `?([^|]+?)`? \|$", PAGE, re.MULTILINE))
MATCH = UUID("4c1e0000-0000-4000-8000-000000000001")
STAMP = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
GAME = GAMES["earthen-war"]


def example() -> tuple[bytes, list[str]]:
    return bytes.fromhex(DOCUMENTED["seed"]), ["white:my grandmother's dice", "black:42"]


def seeds(epoch: int) -> bytes:
    return bytes([epoch]) * 32


def rolled(seeds: SeedSource) -> Any:
    options = GAME.options()
    keys = {role: role for role in roles(GAME, options)}
    terms = Terms(chance="rolled")
    return create(MatchSetup(GAME, options, terms=terms), MATCH, keys, STAMP, seeds=seeds)


def test_the_example_of_the_page_is_so() -> None:
    seed, shares = example()
    assert DOCUMENTED["commitment"] == commitment(seed)
    assert DOCUMENTED["shares"] == "white:my grandmother's dice`, `black:42"
    below = draws(seed, MATCH, 3, shares)
    assert DOCUMENTED["two dice of six sides"] == f"{below(6) + 1} and {below(6) + 1}"


def test_the_entry_of_the_example_is_what_the_match_draws() -> None:
    created, first, *_ = rolled(seeds).states
    (prompt,) = first.prompts if first.prompts[0].seat == "black" else created.prompts
    seed, shares = example()
    details = msgspec.structs.replace(first.details, entropy=tuple(shares))
    match = msgspec.structs.replace(first, details=details)
    entry = GAME.write_action(drawn_entry(match, prompt, 3, seed))
    assert DOCUMENTED["the entry"].endswith(f": `{entry}")
    listed = sorted(GAME.write_action(each) for each in GAME.legal(match.position, prompt.seat))
    assert DOCUMENTED["legal entries for black's initiative"].split("`, `") == listed


@given(
    seed=st.binary(min_size=32, max_size=32),
    number=st.integers(1, 10_000),
    shares=st.lists(st.text(max_size=12), max_size=3),
    bounds=st.lists(st.integers(1, 2**256), min_size=1, max_size=5),
)
def test_the_python_of_the_page_draws_what_we_draw(
    seed: bytes, number: int, shares: list[str], bounds: list[int]
) -> None:
    ours = draws(seed, MATCH, number, shares)
    theirs = PYTHON["numbers"](seed.hex(), str(MATCH), number, shares)
    assert [ours(bound) for bound in bounds] == [theirs(bound) for bound in bounds]


def test_a_block_beyond_the_last_whole_stretch_is_dropped() -> None:
    # Half of all blocks are beyond it for this bound: none may be folded back on low numbers.
    bound = 2**255 + 1
    values = [draws(bytes(32), MATCH, number, [])(bound) for number in range(1, 400)]
    assert all(value < bound for value in values)
    low = sum(value < bound // 2 for value in values)
    assert 140 < low < 260


def test_every_face_of_a_die_comes_as_often() -> None:
    faces = Counter(draws(bytes(32), MATCH, number, [])(6) for number in range(6000))
    assert all(880 < faces[face] < 1120 for face in range(6))


def test_shares_in_another_order_or_cut_otherwise_give_other_draws() -> None:
    bound = 2**256
    lists = (["a:1", "b:2"], ["b:2", "a:1"], ["a:1b:2"], ["a:1", "b:2", ""], [])
    assert len({draws(bytes(32), MATCH, 1, shares)(bound) for shares in lists}) == len(lists)


def test_the_page_shows_how_games_draw() -> None:
    """Its lists are held to the draws in `test_chance_docs`."""
    documented = set(re.findall(r"(?m)^### (.*)", PAGE))
    assert documented <= {"Seats", *(game.name for game in GAMES.values())}


def test_draws_follow_the_order_of_notation_whatever_order_the_rules_list_in() -> None:
    first = rolled(seeds).states[0]
    (prompt,) = first.prompts[:1]
    entries = sorted(GAME.write_action(each) for each in GAME.legal(first.position, prompt.seat))
    number = draws(seeds(0), MATCH, 1, [])(len(entries))
    assert GAME.write_action(drawn_entry(first, prompt, 1, seeds(0))) == entries[number]


def test_a_match_draws_from_no_other_seed_than_the_promised_one() -> None:
    match = rolled(seeds).state
    with pytest.raises(SeedUnavailableError):
        resign(match, "white", STAMP, lambda epoch: b"other" + bytes([epoch]))
