"""Legal actions in groups: payments for one thing are listed only when it is asked for."""

from collections.abc import Iterator
from functools import partial
from itertools import islice

from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.legal import bunches
from domain.games.res_arcana.parts import head, head_sentence
from domain.games.res_arcana.state import State
from domain.kernel.parts import Group


def groups(state: State, seat: str) -> Iterator[Group[Action]]:
    """What this seat may do, one group for each thing done with a card."""
    for place, bunch in enumerate(bunches(state, seat)):
        few = tuple(islice(bunch, 2))
        if few:
            # Most bunches have one action: it need not be found again among all the others.
            again = partial(iter, few) if len(few) == 1 else partial(_bunch, state, seat, place)
            say = partial(head_sentence, state, seat, few[0])
            yield Group(head(state, few[0]), say, few[0], again)


def _bunch(state: State, seat: str, place: int) -> Iterator[Action]:
    return next(islice(bunches(state, seat), place, None))
