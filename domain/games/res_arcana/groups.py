"""Legal actions in groups: payments for one thing are listed only when it is asked for."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.legal import bunches
from domain.games.res_arcana.parts import head
from domain.games.res_arcana.state import State
from domain.kernel.game import Group


def groups(state: State, seat: str) -> Iterator[Group[Action]]:
    """What this seat may do, one group for each thing done with a card."""
    for place, bunch in enumerate(bunches(state, seat)):
        first = next(bunch, None)
        if first is not None:
            yield Group(head(state, seat, first), first, partial(_bunch, state, seat, place))


def _bunch(state: State, seat: str, place: int) -> Iterator[Action]:
    return next(islice(bunches(state, seat), place, None))
