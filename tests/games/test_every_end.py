"""What is tried after the end, in every game: the reference says which rule comes first."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.conformance.vectors import read_vector
from domain.kernel.any_game import parse_action, read_options
from domain.kernel.game import AnyGame
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Refused
from domain.registry import GAMES

ENDS_FIRST = {"golem-arcana": "ga.over", "res-arcana": "ra.over"}
"""Games whose reference cites the end before the spelling of what was tried."""
SPELLING_FIRST = {
    "agog": ("agog.action.syntax", "agog.end.over"),
    "earthen-war": ("ew.action.syntax", "ew.end.over"),
    "tokars-arcana": ("ta.notation.form", "ta.end.over"),
}
"""Others, with both rules in the order of their reference."""


def ends(game: AnyGame) -> Iterator[tuple[Any, str]]:
    """States after the end, from the vectors of a game, each with an action that led there."""
    file = Path(__file__).parent / game.slug.replace("-", "_") / "vectors.jsonl"
    for line in file.read_bytes().splitlines():
        vector = read_vector(line)
        if not vector.steps:
            continue
        try:
            options = read_options(game, vector.options)
            state = game.read_position(vector.steps[-1].position, options)
        except (msgspec.ValidationError, NotationError):  # other vectors tell
            continue
        if game.result(state) is not None:
            yield state, vector.steps[-1].do


ENDS = {slug: list(ends(GAMES[slug])) for slug in (*ENDS_FIRST, *SPELLING_FIRST)}


def test_every_game_whose_end_comes_first_is_known() -> None:
    assert {slug for slug, game in GAMES.items() if game.over is not None} == {*ENDS_FIRST}
    assert all(ENDS.values())


@pytest.mark.parametrize("slug", ENDS_FIRST)
@given(text=st.text(max_size=30))
@example(text="jump")
@example(text="move s1  walk")
@example(text="")
def test_nothing_that_is_written_after_the_end_is_read(slug: str, text: str) -> None:
    game = GAMES[slug]
    for state, last in ENDS[slug]:
        for tried in (text, last):
            refused = parse_action(game, state, tried)
            assert isinstance(refused, Refused)
            assert refused.rule == ENDS_FIRST[slug]


@pytest.mark.parametrize("slug", SPELLING_FIRST)
def test_elsewhere_what_is_written_is_read_first(slug: str) -> None:
    game = GAMES[slug]
    syntax, over = SPELLING_FIRST[slug]
    for state, last in ENDS[slug]:
        refused = parse_action(game, state, "no such thing")
        assert isinstance(refused, Refused)
        assert refused.rule == syntax
        action = parse_action(game, state, last)
        for seat in game.seats(msgspec.convert({}, game.options)):
            refused = game.decide(state, seat, action)
            assert isinstance(refused, Refused)
            assert refused.rule == over


@pytest.mark.parametrize("slug", GAMES)
def test_until_then_a_text_means_what_it_spells(slug: str) -> None:
    game = GAMES[slug]
    state = game.start(msgspec.convert({}, game.options))
    seat = game.turn(state)[0].seat
    action = next(game.legal(state, seat))
    assert parse_action(game, state, game.write_action(action)) == action
    assert parse_action(game, state, "no such thing") == game.read_action("no such thing")
