"""What holds of every state and every step of a game, however it is played: for tests and soaks."""

from collections import Counter
from collections.abc import Iterator

from domain.games.res_arcana.bundles import is_bundle
from domain.games.res_arcana.state import ROW, State, pack_of


def broken(before: State, after: State) -> Iterator[str]:
    """What does not hold after an action, in words; nothing if all is well.

    For the first state of a game, `before` is the same as `after`.
    """
    there = cards_of(after)
    yield from (f"{card} is there {n} times" for card, n in there.items() if n > 1)
    if before.round and there != (was := cards_of(before)):
        yield f"cards came or went: {sorted((there - was) + (was - there))}"
    if after.round:
        yield from _broken_tables(after)
    for area in after.areas:
        bundles = (area.pool, *(own.on for own in area.table))
        yield from (f"{area.seat} has {each}" for each in bundles if not is_bundle(each))
    if len(after.row) > ROW:
        yield f"{len(after.row)} monuments lie in the row"


def cards_of(state: State) -> Counter[str]:
    """Every card that is in play or waits to come, and how often."""
    found = Counter((*state.items, *state.places, *state.row, *state.monuments))
    for area in state.areas:
        found.update(own.id for own in area.table)
        found.update((*area.hand, *area.deck, *area.discard, *area.mages, *area.pack))
    return found


def _broken_tables(after: State) -> Iterator[str]:
    pack = pack_of(after)
    for area in after.areas:
        for what, kind in (("mages", pack.mages), ("magic items", pack.items)):
            number = sum(own.id in kind for own in area.table)
            if number != 1:
                yield f"{area.seat} has {number} {what} on the table"
