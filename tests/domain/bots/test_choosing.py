"""Bots choose for a seat from what it may know, and the same again from the same seed."""

from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.bots import Level, choose, win_chances
from domain.bots.luck import Luck
from domain.bots.play import actions, after, any_action, asked, entry
from domain.kernel.game import AnyGame
from domain.registry import GAMES

QUICK = Level("quick", 0, "Thinks just enough to be looked at.", 24)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def positions(game: AnyGame, steps: int) -> list[Any]:
    """Some of a random game, in which a seat is to act."""
    state, luck, found = game.start(msgspec.convert({}, game.options)), Luck(b"play"), []
    for number in range(steps):
        ask = asked(game, state)
        if ask is None or game.result(state) is not None:
            break
        if not ask.chance and number % 7 == 0:
            found.append(state)
        pick = entry if ask.chance else any_action
        state = after(game, state, ask.seat, pick(game, state, ask.seat, luck))
    return found


@every_game
def test_what_is_chosen_is_legal_and_follows_from_the_seed(game: AnyGame) -> None:
    for number, state in enumerate(positions(game, 40)):
        ask = asked(game, state)
        assert ask is not None
        known, seed = game.known(state, ask.seat), b"%d" % number
        choice = choose(game, known, ask.seat, QUICK, seed)
        assert choice.action in actions(game, state, ask.seat)
        assert choice == choose(game, known, ask.seat, QUICK, seed)
        assert choice.line[0] == choice.alternatives[0].action == choice.action
        assert all(0 <= each.win_chance <= 1.000001 for each in choice.alternatives)
        assert choice.alternatives[0].win_chance == choice.win_chance


@every_game
def test_the_chances_of_all_seats_are_one_together(game: AnyGame) -> None:
    for state in islice(positions(game, 30), 3):
        for viewer in (*game.seats(msgspec.convert({}, game.options)), "spectator"):
            chances = win_chances(game, game.known(state, viewer), viewer, 24, b"judge")
            assert sum(chances.values()) == pytest.approx(1)


def test_who_is_asked_for_nothing_chooses_nothing() -> None:
    game = GAMES["agog"]
    with pytest.raises(ValueError, match="black is asked for nothing"):
        choose(game, game.start(game.options()), "black", QUICK, b"")
