"""The set-up: what the table enters, the draft, hands, mages and magic items."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, Literal, assert_never

from domain.games.res_arcana.actions import (
    ChooseMage,
    Deal,
    DrawFirst,
    Flip,
    Keep,
    Next,
    Pick,
    TakeItem,
)
from domain.games.res_arcana.facts import (
    CardDealt,
    CardPicked,
    CardsGathered,
    CardsKept,
    ItemTaken,
    MageChosen,
    MageRevealed,
    MonumentRevealed,
    MonumentStacked,
    PacksPassed,
    PlaceShown,
    SetupSettled,
    StepDone,
    StepsQueued,
    TokenTaken,
)
from domain.games.res_arcana.refusals import named, refused
from domain.games.res_arcana.resolution import Resolution
from domain.games.res_arcana.state import (
    DEALT,
    DRAFT_PACK,
    HAND_SIZE,
    MAGES_DEALT,
    ROW,
    SEATS,
    TILES,
    YES,
    Area,
    Choosing,
    ChoosingItem,
    Entering,
    Options,
    Seat,
    Shuffling,
    State,
    Waiting,
    area_of,
    clockwise_from,
    pack_of,
    playing,
)
from domain.kernel.rulings import Refused, Ruling

Entry = DrawFirst | Flip | Next | Deal
What = Literal["first", "sides", "monuments", "mages", "artifacts", "deal"]
START_POOL: Final = "1e1l1c1d1g"
_FULL: Final = {"mages": MAGES_DEALT, "artifacts": DEALT, "deal": DRAFT_PACK}


def seats(options: Options) -> tuple[Seat, ...]:
    """The seats of a match, clockwise."""
    return SEATS[: options.players]


def start(options: Options) -> State:
    """The state before anything is drawn."""
    pack = options.pack
    places = tuple(place.id for place in pack.places.values() if place.side == options.sides)
    first = None if options.first == "random" else options.first
    return State(
        cards=pack,
        token=options.token == YES,
        draft=options.draft == "yes",
        hand=options.hand,
        first=first,
        queue=(Entering("first" if first is None else _before_monuments(places)),),
        items=tuple(pack.items),
        places=places,
        areas=tuple(Area(seat, pool=START_POOL) for seat in seats(options)),
    )


def _before_monuments(places: tuple[str, ...]) -> Literal["sides", "monuments"]:
    return "monuments" if places else "sides"


def opening(options: Options) -> tuple[Ruling, ...]:
    """The rulings behind the first position."""
    rulings = [Ruling(("ra.setup.essences",), {"each": START_POOL})]
    if options.first != "random":
        rulings.append(Ruling(("ra.setup.first",), {"first": options.first}))
    if options.sides != "random":
        rulings.append(Ruling(("ra.setup.sides",), {"sides": options.sides}))
    return tuple(rulings)


# --- entries -------------------------------------------------------------------------------------


def candidates(state: State, what: What) -> tuple[str, ...]:
    """What an entry can show: seats, or cards not yet used."""
    pack = pack_of(state)
    match what:
        case "first":
            return tuple(area.seat for area in playing(state))
        case "sides":
            tile = len(state.places) + 1
            return tuple(place.id for place in pack.places.values() if place.tile == tile)
        case "monuments":
            return tuple(card for card in pack.monuments if card not in state.monuments)
        case "mages":
            gone = {card for area in state.areas for card in area.mages}
            return tuple(card for card in pack.mages if card not in gone)
        case "artifacts" | "deal":
            gone = {card for area in state.areas for card in (*area.hand, *area.pack)}
            return tuple(card for card in pack.artifacts if card not in gone)
        case _:
            assert_never(what)


def receiver(state: State, what: What) -> Seat:
    """Who gets the next card dealt: clockwise from the first player, all of one seat first."""
    full = _FULL[what]
    return next(area.seat for area in _dealing_order(state) if len(_dealt(area, what)) < full)


def _dealing_order(state: State) -> tuple[Area, ...]:
    assert state.first is not None, "cards are dealt after the first player is known"
    return clockwise_from(state, state.first)


def _dealt(area: Area, what: What) -> tuple[str, ...]:
    if what == "mages":
        return area.mages
    return area.hand if what == "artifacts" else area.pack


def entries(state: State, what: What) -> Iterator[Entry]:
    """Every entry that the table can make, all equally likely."""
    kinds: dict[str, Callable[[str], Entry]] = {"first": DrawFirst, "sides": Flip}
    kind = kinds.get(what, Next if what == "monuments" else Deal)
    return (kind(card) for card in candidates(state, what))


_ENTRY_RULES: Final[dict[What, str]] = {
    "first": "ra.setup.first",
    "sides": "ra.setup.sides",
    "monuments": "ra.setup.monuments",
    "mages": "ra.setup.mages",
    "artifacts": "ra.setup.artifacts",
    "deal": "ra.draft.deal",
}


def refuse_entry(state: State, what: What, entry: Entry) -> Refused | None:
    """Why the table cannot enter this."""
    shown = entry.seat if isinstance(entry, DrawFirst) else entry.card
    if shown in candidates(state, what):
        return None
    return refused(_ENTRY_RULES[what], f"entry.{what}", card=named(state, shown))


def enter(course: Resolution, what: What, entry: Entry) -> None:
    """Let an entry become true, and go on to the next when that was the last of its sort."""
    shown = entry.seat if isinstance(entry, DrawFirst) else entry.card
    state = course.state
    rule = _ENTRY_RULES[what]
    match what:
        case "first":
            course.record(TokenTaken(area_of(state, shown).seat), rule)
            _next_step(course, Entering(_before_monuments(state.places)))
        case "sides":
            tile = len(state.places) + 1
            course.record(PlaceShown(shown), rule, tile=tile)
            if tile == TILES:
                _next_step(course, Entering("monuments"))
        case "monuments":
            course.record(MonumentStacked(shown), rule)
            if not candidates(course.state, what):
                _open_row(course)
        case "mages" | "artifacts" | "deal":
            to: dict[str, Literal["mages", "hand", "pack"]] = {"mages": "mages", "deal": "pack"}
            seat = receiver(state, what)
            course.record(CardDealt(seat, shown, to.get(what, "hand")), rule, seat=seat)
            if all(len(_dealt(a, what)) == _FULL[what] for a in course.state.areas):
                _all_dealt(course, what)
        case _:
            assert_never(what)


def _next_step(course: Resolution, *steps: Waiting) -> None:
    course.record(StepDone())
    course.record(StepsQueued(steps))


def _open_row(course: Resolution) -> None:
    for _ in range(ROW):
        course.record(MonumentRevealed(course.state.monuments[0]), "ra.setup.monuments", open=ROW)
    _next_step(course, Entering("mages"))


def _all_dealt(course: Resolution, what: What) -> None:
    if what == "mages":
        _next_step(course, Entering("deal" if course.state.draft else "artifacts"))
    elif what == "deal":
        _next_step(course, Choosing("draft"))
    else:
        course.record(StepDone())
        _make_hands(course)


# --- draft ---------------------------------------------------------------------------------------


def picking(state: State) -> tuple[Seat, ...]:
    """The seats that have not picked yet: those whose pack is still full."""
    full = max(len(area.pack) for area in state.areas)
    return tuple(area.seat for area in state.areas if len(area.pack) == full)


def refuse_pick(state: State, area: Area, action: Pick) -> Refused | None:
    """Why this seat cannot keep that card."""
    if action.card in area.pack:
        return None
    return refused("ra.draft.pick", "pack", card=named(state, action.card))


def pick(course: Resolution, seat: Seat, action: Pick) -> None:
    """Keep a card; when all have, packs go on, and a last card is kept without asking."""
    course.record(CardPicked(seat, action.card), "ra.draft.pick", seat=seat)
    sizes = {len(area.pack) for area in course.state.areas}
    if len(sizes) > 1:
        return
    course.record(PacksPassed(), "ra.draft.pass")
    if sizes == {1}:
        for area in course.state.areas:
            # Not named: the ruling is shown to everybody.
            kept = CardPicked(area.seat, area.pack[0])
            course.record(kept, "ra.draft.pass", "ra.single", seat=area.seat)
        _end_of_packs(course)


def _end_of_packs(course: Resolution) -> None:
    if len(course.state.areas[0].hand) < DEALT:
        _next_step(course, Entering("deal"))
        return
    course.record(StepDone())
    course.record(SetupSettled("draft"))
    _make_hands(course)


# --- hands ---------------------------------------------------------------------------------------


def _make_hands(course: Resolution) -> None:
    if course.state.hand == "choose":
        course.record(StepsQueued((Choosing("keep"),)))
        return
    for area in _dealing_order(course.state):
        course.record(CardsGathered(area.seat), "ra.setup.hand", seat=area.seat)
    _shuffle_packs(course)


def _shuffle_packs(course: Resolution) -> None:
    order = [Shuffling(area.seat, "pack") for area in _dealing_order(course.state)]
    course.record(StepsQueued((*order, Choosing("mage"))))


def keeping(state: State) -> tuple[Seat, ...]:
    """The seats that have not chosen their hand yet."""
    return tuple(area.seat for area in state.areas if len(area.hand) == DEALT)


def hands(area: Area) -> Iterator[Keep]:
    """Every hand that can be kept."""
    return (Keep(cards) for cards in combinations(area.hand, HAND_SIZE))


def refuse_keep(area: Area, action: Keep) -> Refused | None:
    """Why this seat cannot keep those cards."""
    if len(set(action.cards)) == HAND_SIZE and set(action.cards) <= set(area.hand):
        return None
    return refused("ra.setup.keep", "keep", n=HAND_SIZE, dealt=DEALT)


def keep(course: Resolution, seat: Seat, action: Keep) -> None:
    """Keep a hand; when all have, the other cards are shuffled."""
    course.record(CardsKept(seat, action.cards), "ra.setup.keep", "ra.setup.hand", seat=seat)
    if not keeping(course.state):
        course.record(StepDone())
        _shuffle_packs(course)


# --- mages and items -----------------------------------------------------------------------------


def choosing_mage(state: State) -> tuple[Seat, ...]:
    """The seats that have not chosen their mage yet."""
    return tuple(area.seat for area in state.areas if area.chosen is None)


def refuse_mage(state: State, area: Area, action: ChooseMage) -> Refused | None:
    """Why this seat cannot choose that mage."""
    if action.card in area.mages:
        return None
    return refused("ra.setup.mage", "mage", card=named(state, action.card))


def choose_mage(course: Resolution, seat: Seat, action: ChooseMage) -> None:
    """Choose a mage; when all have, all are revealed."""
    course.record(MageChosen(seat, action.card), "ra.setup.mage", seat=seat)
    if choosing_mage(course.state):
        return
    for area in course.state.areas:
        assert area.chosen is not None, "all have chosen"
        course.record(MageRevealed(area.seat, area.chosen), "ra.setup.mage", seat=area.seat)
    _next_step(course, ChoosingItem())


def item_chooser(state: State) -> Seat | None:
    """Who takes a magic item next: counter-clockwise, the first player last; None if all have."""
    items = pack_of(state).items
    return next(
        (
            area.seat
            for area in reversed(_dealing_order(state))
            if not any(own.id in items for own in area.table)
        ),
        None,
    )


def refuse_item(state: State, action: TakeItem) -> Refused | None:
    """Why this seat cannot take that item."""
    if action.card in state.items:
        return None
    return refused("ra.setup.item", "item", card=named(state, action.card))


def take_item(course: Resolution, seat: Seat, action: TakeItem) -> None:
    """Take a magic item. Round 1 begins when this step is done."""
    course.record(ItemTaken(seat, action.card), "ra.setup.item", seat=seat)
    if item_chooser(course.state) is None:
        course.record(StepDone())
