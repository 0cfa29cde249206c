"""What bots need from a game: the next prompt, legal and random actions, and shared results."""

from collections.abc import Iterator, Mapping
from itertools import filterfalse, islice
from typing import Any, Final

from domain.bots.splitmix import SplitMix64
from domain.kernel.game import AnyGame, Prompt, Result
from domain.kernel.rulings import Accepted

MAX_LISTED_ACTIONS: Final = 512
"""The most actions, or groups of actions, of one position that the search considers."""

Shares = Mapping[str, float]
"""Each seat's win probability, with sum 1; in a finished game its share of the result."""


def prompt_for(game: AnyGame, state: Any, seat: str | None = None) -> Prompt | None:
    """Return the seat's prompt, else the first prompt, or None if there is none.

    Of several seats that choose at the same time, the first one goes first: each chooses without
    knowing the choices of the others.
    """
    prompts = game.turn(state)
    own = next((prompt for prompt in prompts if prompt.seat == seat), None)
    return own or (prompts[0] if prompts else None)


def result_shares(result: Result, seats: tuple[str, ...]) -> Shares:
    """Return a result as shares: winners share equally, and all seats do in a draw."""
    winners = result.winners or seats
    return {seat: (seat in winners) / len(winners) for seat in seats}


def equal_shares(seats: tuple[str, ...]) -> Shares:
    """Return equal shares for all seats: the value of an unknown position."""
    return dict.fromkeys(seats, 1 / len(seats))


def play_actions(game: AnyGame, state: Any, seat: str) -> Iterator[Any]:
    """Yield a seat's legal actions without administrative ones."""
    return filterfalse(game.is_administrative, game.legal(state, seat))


def is_legal(game: AnyGame, state: Any, seat: str, action: Any) -> bool:
    """Return whether an action is legal."""
    return isinstance(game.decide(state, seat, action), Accepted)


def random_entry(game: AnyGame, state: Any, seat: str, rng: SplitMix64) -> Any:
    """Return a random chance entry: all legal entries are equally likely."""
    return rng.one_of(list(play_actions(game, state, seat)))


def random_action(game: AnyGame, state: Any, seat: str, rng: SplitMix64) -> Any:
    """Return a random action; a group of actions, as ways to pay, counts as one."""
    if game.groups is None:
        return rng.one_of(list(islice(play_actions(game, state, seat), MAX_LISTED_ACTIONS)))
    group = rng.one_of(list(islice(game.groups(state, seat), MAX_LISTED_ACTIONS)))
    found = [
        action
        for action in islice(group.actions(), MAX_LISTED_ACTIONS)
        if not game.is_administrative(action)
    ]
    return rng.one_of(found or [group.first])
