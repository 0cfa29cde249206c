"""What thinking needs of a game: who acts, what there is to do, what follows, how it ended."""

from collections.abc import Iterator, Mapping
from itertools import filterfalse, islice
from typing import Any, Final

from domain.bots.splitmix import Luck
from domain.kernel.game import AnyGame, Prompt, Result
from domain.kernel.rulings import Accepted

LISTED: Final = 512
"""Actions, or groups of them, of one position that are thought about."""

Shares = Mapping[str, float]
"""How likely each seat wins, all together 1; of a game that is over, what each seat got of it."""


def asked(game: AnyGame, state: Any, seat: str | None = None) -> Prompt | None:
    """What is asked next, of this seat if it is asked; None if nobody is asked for anything.

    Of several seats that choose at once the first goes first: each chooses without knowing what
    the others chose, as they would.
    """
    prompts = game.turn(state)
    own = next((prompt for prompt in prompts if prompt.seat == seat), None)
    return own or (prompts[0] if prompts else None)


def shared_out(result: Result, seats: tuple[str, ...]) -> Shares:
    """A result in shares: winners have equal ones; in a draw without winners all have."""
    winners = result.winners or seats
    return {seat: (seat in winners) / len(winners) for seat in seats}


def equal(seats: tuple[str, ...]) -> Shares:
    """What is said where nothing is known."""
    return dict.fromkeys(seats, 1 / len(seats))


def actions(game: AnyGame, state: Any, seat: str) -> Iterator[Any]:
    """What a seat may do in play."""
    return filterfalse(game.aside, game.legal(state, seat))


def allowed(game: AnyGame, state: Any, seat: str, action: Any) -> bool:
    """Is this legal?"""
    return isinstance(game.decide(state, seat, action), Accepted)


def entry(game: AnyGame, state: Any, seat: str, luck: Luck) -> Any:
    """What the dice or a shuffle may show: all legal entries are equally likely."""
    return luck.one_of(list(actions(game, state, seat)))


def any_action(game: AnyGame, state: Any, seat: str, luck: Luck) -> Any:
    """Something at random; where payments are many, they count as one."""
    if game.groups is None:
        return luck.one_of(list(islice(actions(game, state, seat), LISTED)))
    group = luck.one_of(list(islice(game.groups(state, seat), LISTED)))
    found = [action for action in islice(group.actions(), LISTED) if not game.aside(action)]
    return luck.one_of(found or [group.first])
