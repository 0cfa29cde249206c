"""What thinking needs of a game: who acts, what there is to do, what follows, how it ended."""

from collections.abc import Iterator, Mapping
from itertools import filterfalse, islice
from typing import Any, Final

from domain.bots.splitmix import SplitMix64
from domain.kernel.game import AnyGame, Prompt, Result
from domain.kernel.rulings import Accepted

MAX_LISTED_ACTIONS: Final = 512
"""Actions, or groups of them, of one position that are thought about."""

Shares = Mapping[str, float]
"""How likely each seat wins, all together 1; of a game that is over, what each seat got of it."""


def prompt_for(game: AnyGame, state: Any, seat: str | None = None) -> Prompt | None:
    """What is asked next, of this seat if it is asked; None if nobody is asked for anything.

    Of several seats that choose at once the first goes first: each chooses without knowing what
    the others chose, as they would.
    """
    prompts = game.turn(state)
    own = next((prompt for prompt in prompts if prompt.seat == seat), None)
    return own or (prompts[0] if prompts else None)


def result_shares(result: Result, seats: tuple[str, ...]) -> Shares:
    """A result in shares: winners have equal ones; in a draw without winners all have."""
    winners = result.winners or seats
    return {seat: (seat in winners) / len(winners) for seat in seats}


def equal_shares(seats: tuple[str, ...]) -> Shares:
    """What is said where nothing is known."""
    return dict.fromkeys(seats, 1 / len(seats))


def play_actions(game: AnyGame, state: Any, seat: str) -> Iterator[Any]:
    """What a seat may do in play."""
    return filterfalse(game.is_administrative, game.legal(state, seat))


def is_legal(game: AnyGame, state: Any, seat: str, action: Any) -> bool:
    """Is this legal?"""
    return isinstance(game.decide(state, seat, action), Accepted)


def random_entry(game: AnyGame, state: Any, seat: str, luck: SplitMix64) -> Any:
    """What the dice or a shuffle may show: all legal entries are equally likely."""
    return luck.one_of(list(play_actions(game, state, seat)))


def random_action(game: AnyGame, state: Any, seat: str, luck: SplitMix64) -> Any:
    """Something at random; where payments are many, they count as one."""
    if game.groups is None:
        return luck.one_of(list(islice(play_actions(game, state, seat), MAX_LISTED_ACTIONS)))
    group = luck.one_of(list(islice(game.groups(state, seat), MAX_LISTED_ACTIONS)))
    found = [
        action
        for action in islice(group.actions(), MAX_LISTED_ACTIONS)
        if not game.is_administrative(action)
    ]
    return luck.one_of(found or [group.first])
