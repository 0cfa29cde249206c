"""Is a position one of the set-up? Each stage knows how many cards lie where."""

from collections.abc import Iterator
from typing import Final

from domain.games.res_arcana.setup import START_POOL, item_chooser
from domain.games.res_arcana.state import (
    DEALT,
    DRAFT_PACK,
    HAND_SIZE,
    MAGES_DEALT,
    ROW,
    TILES,
    Area,
    Choosing,
    ChoosingItem,
    Entering,
    Options,
    Shuffling,
    State,
    clockwise_from,
    pack_of,
)

STAGES: Final = (
    "first",
    "sides",
    "monuments",
    "mages",
    "artifacts",
    "deal",
    "draft",
    "keep",
    "shuffle",
    "mage",
    "item",
)


def stage_of(state: State) -> str | None:
    """Which stage of the set-up the queue shows; None if it is another queue."""
    step = state.queue[0]
    if isinstance(step, Shuffling):
        *shuffles, last = state.queue
        sound = last == Choosing("mage") and all(
            isinstance(each, Shuffling) and each.pile == "pack" for each in shuffles
        )
        return "shuffle" if sound else None
    if len(state.queue) > 1:
        return None
    if isinstance(step, Entering | Choosing):
        return step.what
    return "item" if isinstance(step, ChoosingItem) else None


def faults(state: State, options: Options) -> Iterator[str]:
    """What is wrong with a position of round 0."""
    stage = stage_of(state)
    if stage is None:
        yield "in round 0 the queue is a step of the set-up; shuffles come before mage"
        return
    at = STAGES.index(stage)
    yield from _options(state, options, stage)
    if (state.first is None) != (stage == "first"):
        yield "the first player is known, unless `first` is pending"
        return
    if stage in ("mages", "artifacts", "deal", "shuffle") and state.first is None:
        return
    yield from _middle(state, options, at)
    for area in state.areas:
        out = area.out and not area.gone
        if out or area.discard or area.todo or area.pool != START_POOL:
            yield f"in the set-up {area.seat} is in, with {START_POOL}, no discards, no todo"
    if state.turn is not None:
        yield "in the set-up it is nobody's turn"
    yield from _areas(state, stage, at)


def _options(state: State, options: Options, stage: str) -> Iterator[str]:
    at = STAGES.index(stage)
    if state.draft != (options.draft == "yes" and at <= STAGES.index("draft")):
        yield "draft is in the rules exactly as long as there is a draft to come or going on"
    if state.hand != (options.hand if at < STAGES.index("mage") else None):
        yield f"the rules say .{options.hand} until the mages are chosen, and then no more"
    if stage == "first" and options.first != "random":
        yield f"the first player is {options.first}, by the options"
    if stage == "sides" and options.sides != "random":
        yield f"the sides are {options.sides}, by the options"
    wrong = {"artifacts": "yes", "deal": "no", "draft": "no"}
    if options.draft == wrong.get(stage):
        yield f"with option draft={options.draft} there is no step {stage}"
    if stage == "keep" and options.hand != "choose":
        yield "hands are drawn, not chosen, by the options"


def _middle(state: State, options: Options, at: int) -> Iterator[str]:
    """What lies in the middle of the table."""
    pack = pack_of(state)
    tiles = [pack.places[card].tile for card in state.places]
    random = options.sides == "random"
    told = at > STAGES.index("sides") or not random
    if told and sorted(tiles) != list(range(1, TILES + 1)):
        yield f"{TILES} places of power lie open, one of each tile"
    if not told and tiles != list(range(1, len(tiles) + 1)):
        yield "sides are told tile by tile, from the first"
    if not random and any(pack.places[card].side != options.sides for card in state.places):
        yield f"all places show side {options.sides}, by the options"
    if at == 0 and random and tiles:
        yield "the first player is drawn before the sides"
    monuments = len(state.monuments)
    if at < STAGES.index("monuments") and (monuments or state.row):
        yield "monuments come after the sides"
    if at == STAGES.index("monuments") and state.row:
        yield "the row is opened when the monument deck is complete"
    whole = len(pack.monuments) - ROW
    if at > STAGES.index("monuments") and (len(state.row) != ROW or monuments != whole):
        yield f"{ROW} monuments lie in the row and {whole} in the deck"
    taken = sum(own.id in pack.items for area in state.areas for own in area.table)
    if len(state.items) + taken != len(pack.items):
        yield f"there are {len(pack.items)} magic items, in the supply or on tables"


def _areas(state: State, stage: str, at: int) -> Iterator[str]:
    """How many cards each seat has."""
    order = state.areas if state.first is None else clockwise_from(state, state.first)
    mages = STAGES.index("mages")
    for area in state.areas:
        number = len(area.mages)
        if (at < mages and number) or (mages < at < len(STAGES) - 1 and number != MAGES_DEALT):
            yield f"{area.seat} has {number} mages to choose from"
        if stage == "item" and number:
            yield f"{area.seat} has chosen a mage: the other is out of the game"
        if area.chosen is not None and (stage != "mage" or area.chosen not in area.mages):
            yield f"{area.seat} cannot have chosen {area.chosen}"
        if area.table and stage != "item":
            yield f"{area.seat} has nothing on the table yet"
    match stage:
        case "first" | "sides" | "monuments":
            yield from _sizes(state, {(0, 0, 0)})
        case "mages":
            yield from _sizes(state, {(0, 0, 0)})
            yield from _filling([len(area.mages) for area in order], MAGES_DEALT)
        case "artifacts":
            yield from _sizes(state, {(n, 0, 0) for n in range(DEALT + 1)})
            yield from _filling([len(area.hand) for area in order], DEALT)
        case "deal":
            hand = len(state.areas[0].hand)
            yield from _sizes(state, {(hand, n, 0) for n in range(5) if hand in (0, DRAFT_PACK)})
            yield from _filling([len(area.pack) for area in order], DRAFT_PACK)
        case "draft":
            yield from _draft(state)
        case "keep":
            yield from _sizes(state, {(DEALT, 0, 0), (HAND_SIZE, DEALT - HAND_SIZE, 0)})
            if all(len(area.hand) == HAND_SIZE for area in state.areas):
                yield "everybody has chosen a hand"
        case "shuffle":
            yield from _shuffles(state, order)
        case _:
            yield from _sizes(state, {(HAND_SIZE, 0, DEALT - HAND_SIZE)})
            if stage == "mage" and all(area.chosen for area in state.areas):
                yield "everybody has chosen a mage"
            if stage == "item":
                yield from _items(state, order)


def _sizes(state: State, sizes: set[tuple[int, int, int]]) -> Iterator[str]:
    for area in state.areas:
        if _size(area) not in sizes:
            yield f"{area.seat} cannot have {_size(area)} cards in hand, pack and deck here"


def _size(area: Area) -> tuple[int, int, int]:
    return len(area.hand), len(area.pack), len(area.deck)


def _filling(numbers: list[int], full: int) -> Iterator[str]:
    """Seats are dealt to one after the other, and somebody is still to get a card."""
    done = sum(numbers)
    expected = [min(full, max(0, done - full * n)) for n in range(len(numbers))]
    if numbers != expected or done == full * len(numbers):
        yield "cards are dealt seat by seat, clockwise from the first player, until all have them"


def _draft(state: State) -> Iterator[str]:
    full = max(len(area.pack) for area in state.areas)
    sets = {len(area.hand) + len(area.pack) for area in state.areas}
    if not 2 <= full <= DRAFT_PACK or len(sets) > 1 or sets.isdisjoint({DRAFT_PACK, DEALT}):
        yield "in a draft each pack and what was kept make four cards, or eight the second time"
    elif any(len(area.pack) < full - 1 or area.deck for area in state.areas):
        yield "in a draft packs go on when everybody has picked"


def _shuffles(state: State, order: tuple[Area, ...]) -> Iterator[str]:
    waiting = [step.seat for step in state.queue if isinstance(step, Shuffling)]
    if waiting != [area.seat for area in order][-len(waiting) :]:
        yield "packs are shuffled clockwise from the first player"
        return
    hand = HAND_SIZE if state.hand == "choose" else 0
    for area in order[: -len(waiting)]:
        if _size(area) != (HAND_SIZE, 0, DEALT - HAND_SIZE):
            yield f"{area.seat} has a hand of {HAND_SIZE} and a deck by now"
    for area in order[-len(waiting) :]:
        held, packed, stacked = _size(area)
        if held != hand or packed + stacked != DEALT - hand:
            yield f"{area.seat} has {DEALT - hand} cards to shuffle, and {hand} in hand"
        if stacked and area.seat != waiting[0]:
            yield f"{area.seat}'s pack is not being shuffled yet"


def _items(state: State, order: tuple[Area, ...]) -> Iterator[str]:
    pack = pack_of(state)
    for area in state.areas:
        table = [own.id for own in area.table]
        if sum(card in pack.mages for card in table) != 1 or any(
            card not in pack.mages and card not in pack.items for card in table
        ):
            yield f"{area.seat} has one mage on the table, and nothing else but a magic item"
        if sum(card in pack.items for card in table) > 1:
            yield f"{area.seat} has two magic items"
        if any(own.turned or own.on != "0" for own in area.table):
            yield "in the set-up components are straight and nothing is on them"
    chooser = item_chooser(state)
    if chooser is None:
        yield "everybody has a magic item"
        return
    seats = [area.seat for area in order]
    for area in order[: seats.index(chooser)]:
        if any(own.id in pack.items for own in area.table):
            yield "magic items are taken counter-clockwise, the first player last"
