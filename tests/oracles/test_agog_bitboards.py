"""`domain.games.agog` agrees with a second implementation of the rules, `agog_bitboards`: on legal
actions, positions and results, in the conformance vectors and in random games."""

from pathlib import Path
from random import Random

import msgspec
import pytest

from domain.conformance.vectors import read_vector, sort_by_bytes
from domain.games.agog import GAME
from domain.games.agog.state import SEATS, Options, State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted
from tests.oracles import agog_bitboards as oracle

VECTORS = Path(__file__).parents[1] / "games" / "agog" / "vectors.jsonl"
CROWDED = "1G3h2/2Hc4/3G1g2/1g2Jh2/6G1/2gj4/G4C2/5g2 w 3 3 {} *"
"""A position with hulks, corrupted hulks and journeymen close to each other."""


@pytest.mark.parametrize("line", VECTORS.read_bytes().splitlines())
def test_the_oracle_agrees_with_the_vectors(line: bytes) -> None:
    vector = read_vector(line)
    positions = [vector.start or oracle.start(vector.options)]
    for step in vector.steps:
        positions.append(oracle.play(positions[-1], step.by, step.do))
        assert positions[-1] == step.position
    for key, expected in vector.legal.items():
        index, _, seat = key.partition(":")
        listed = [oracle.legal(positions[int(index)], each) for each in ([seat] if seat else SEATS)]
        assert sort_by_bytes(text for each in listed for text in each) == expected
    for attempt in vector.illegal:
        assert attempt.do not in oracle.legal(positions[attempt.at], attempt.by)


def test_the_oracle_agrees_on_the_start_under_every_handicap() -> None:
    for handicap in range(21):
        for tie in ("front", "spine"):
            options = msgspec.convert(
                {"handicap": handicap, "handicap_tie": tie, "handicap_supply": handicap % 2 == 0},
                Options,
            )
            start = GAME.write_position(GAME.start(options))
            assert oracle.start(msgspec.to_builtins(options)) == start


@pytest.mark.parametrize("seed", range(8))
def test_the_oracle_agrees_in_random_games(seed: int) -> None:
    random, options = Random(seed), Options(fresh_supply=seed % 2 == 0)
    state: State = GAME.start(options)
    if seed > 5:
        state = GAME.read_position(CROWDED.format("-" if seed % 2 else "fresh"), options)
    position, played = GAME.write_position(state), 0
    while GAME.result(state) is None:
        for seat in SEATS:
            listed = sorted(map(GAME.write_action, GAME.legal(state, seat)))
            assert sorted(oracle.legal(position, seat)) == listed
        (prompt,) = GAME.turn(state)
        action = random.choice(
            [a for a in GAME.legal(state, prompt.seat) if not GAME.is_administrative(a)]
        )
        outcome = GAME.decide(state, prompt.seat, action)
        assert isinstance(outcome, Accepted)
        state = fold(GAME, state, outcome.facts)
        # The last word of a position is the result.
        position = oracle.play(position, prompt.seat, GAME.write_action(action))
        assert position == GAME.write_position(state)
        played += 1
    assert played > (30 if seed < 6 else 2)
