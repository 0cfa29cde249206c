"""The worked example of a shadow agrees with the house, which it shares no rules with."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.conformance.vectors import read_vector
from domain.games.agog.state import Options
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted
from domain.registry import GAMES
from services.shadow import agog_bitboards
from services.shadow.comparing import Step, compare
from services.shadow.vectors import check_shadow

GAME = GAMES["agog"]
VECTORS = Path(__file__).parents[2] / "games" / "agog" / "vectors.jsonl"
CROWDED = "1G3h2/2Hc4/3G1g2/1g2Jh2/6G1/2gj4/G4C2/5g2 w 3 3 {} *"
"""Hulks, corrupted hulks and journeymen amid each other."""


@pytest.mark.parametrize("at", range(4))
def test_it_agrees_with_every_vector(at: int) -> None:
    vectors = [read_vector(line) for line in VECTORS.read_bytes().splitlines()][at::4]
    assert vectors
    for vector in vectors:
        assert check_shadow(agog_bitboards, vector) == [], vector.name


def test_it_starts_alike_under_every_handicap() -> None:
    for golems in range(21):
        for tie in ("front", "spine"):
            options = msgspec.convert(
                {"handicap": golems, "handicap_tie": tie, "handicap_supply": golems % 2 == 0},
                Options,
            )
            start = GAME.write_position(GAME.start(options))
            assert agog_bitboards.start(msgspec.to_builtins(options)) == start


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_on_random_games_in_legality_facts_and_positions(seed: int) -> None:
    random, options = Random(seed), Options(fresh_supply=seed % 2 == 0)
    state, judged = GAME.start(options), 0
    if seed > 5:
        state = GAME.read_position(CROWDED.format("-" if seed % 2 else "fresh"), options)
    while GAME.result(state) is None:
        (ask,) = GAME.turn(state)
        action = random.choice(
            [each for each in GAME.legal(state, ask.seat) if not GAME.aside(each)]
        )
        outcome = GAME.decide(state, ask.seat, action)
        assert isinstance(outcome, Accepted)
        after = fold(GAME, state, outcome.facts)
        step = Step(
            "agog",
            msgspec.to_builtins(options),
            GAME.write_position(after),
            before=GAME.write_position(state),
            seat=ask.seat,
            action=GAME.write_action(action),
            facts=tuple(msgspec.to_builtins(outcome.facts)),
        )
        assert [*compare(agog_bitboards, step)] == []
        state, judged = after, judged + 1
    assert judged > (30 if seed < 6 else 2)
