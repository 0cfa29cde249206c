"""Orders: the legal actions of a seat by the piece that acts, and by the line of its face.

A page shows the orders of a piece, and then asks for the picks of the chosen order one by one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.amounts import AmountChoice, Purpose, Stocks, choice_of, vector_of
from domain.kernel.any_game import action_outline
from domain.kernel.game import AnyGame
from domain.kernel.parts import Parts, Pick
from domain.kernel.rulings import Refused
from domain.kernel.scene import Scene

A = TypeVar("A")

MAX_GROUP_ACTIONS: Final = 5_000
"""The greatest number of actions of a group that are examined (`Rules.groups`), and of a game
without groups. Positions that players reach have fewer."""
STEP_ACTIONS: Final = 20
"""The number of examined actions after which `list_orders` yields None."""


class OrderAction(Struct, Generic[A], frozen=True):
    """A legal action of an order, or several that differ in their amounts only."""

    action: A
    """The action. Of several, the one with the proposed amounts."""
    picks: tuple[Pick, ...]
    amounts: AmountChoice | None = None


class Order(Struct, Generic[A], frozen=True):
    """What a piece can do, with all ways to do it, or the reason why it cannot."""

    actor: str
    """The id of the acting piece; empty for an order that is a button."""
    line: str
    """The id of the line on the actor's face; empty for none."""
    verb: str
    cost: str
    """The cost now, with symbols; empty for none, or if the actions differ in it."""
    actions: tuple[OrderAction[A], ...]
    refused: Refused | None = None
    """Set if there are no actions."""


def orders(game: AnyGame, state: Any, seat: str) -> tuple[Order[Any], ...]:
    """Return the orders of a seat, given its information state.

    Administrative actions are left out. Lines that the game refuses follow after the orders that
    have actions.
    """
    return tuple(order for order in list_orders(game, state, seat) if order is not None)


def list_orders(game: AnyGame, state: Any, seat: str) -> Iterator[Order[Any] | None]:
    """Yield the orders of a seat, given its information state.

    After each few examined actions None is yielded, so that callers can let other work run.
    """
    scene = game.scene(state, seat)
    stocks = _stocks(game, scene, seat)
    found: dict[tuple[str, str, str], _OrderActions] = {}
    for number, (action, parts) in enumerate(_examined(game, state, seat, places_of(scene))):
        key = (parts.actor, parts.line, parts.verb)
        found.setdefault(key, _OrderActions()).add(action, parts)
        if number % STEP_ACTIONS == STEP_ACTIONS - 1:
            yield None
    for (actor, line, verb), listed in found.items():
        yield Order(actor, line, verb, listed.cost, listed.merged(game, stocks))
    yield from _refused_orders(game, state, seat, scene, found)


def find_action(
    game: AnyGame, state: Any, seat: str, action: Any, amounts: Sequence[int]
) -> Any | None:
    """Return the legal action that has these amounts and else equals a given one.

    Args:
        game: The game.
        state: The seat's information state.
        seat: The acting seat.
        action: An action of the order, with any amounts.
        amounts: One number for each symbol, as `AmountChoice.symbols` lists them.

    Returns:
        The action, or None if no legal action has these amounts.
    """
    places = places_of(game.scene(state, seat))
    wanted = with_picks(action_outline(game, state, action), places)
    if wanted.amounts is None:
        return None
    alike = _OrderActions()
    for each, parts in _examined(game, state, seat, places, wanted.verb):
        if _family_key(parts) == _family_key(wanted) and _order_key(parts) == _order_key(wanted):
            alike.add(each, parts)
    for family in alike.families.values():
        symbols = family.symbols(game)
        for each, counts in zip(family.actions, family.counts, strict=True):
            if vector_of(counts, symbols) == (*amounts,):
                return each
    return None


# --- picks ---------------------------------------------------------------------------------------


def places_of(scene: Scene) -> dict[str, str]:
    """Return the ids of spaces and zones by the pieces that are there."""
    return {piece.id: piece.where for piece in scene.pieces}


def with_picks(parts: Parts, places: Mapping[str, str]) -> Parts:
    """Return the parts with `actor` and `picks`, derived from the other lists if not given.

    The first piece or card is the actor. Then come the other pieces, the spaces without the one
    where the actor is, the other cards and the choices. A piece that is alone on one of these
    spaces is only shown: the space is picked.
    """
    if parts.picks is not None:
        return parts
    if parts.actor:
        return replace(parts, picks=())
    things = dict.fromkeys((*parts.pieces, *parts.cards))
    actor = next(iter(things), "")
    spaces = parts.spaces
    if spaces and spaces[0] == places.get(actor):
        spaces = spaces[1:]
    alone = _alone_on(parts.pieces[1:], spaces, places)
    pieces = [Pick(each, "hit" if each in alone else "target") for each in parts.pieces[1:]]
    cards = [Pick(each, "with") for each in parts.cards if each not in (actor, *parts.pieces)]
    picks = (
        *pieces,
        *(Pick(space, "to") for space in spaces),
        *cards,
        *(Pick(choice, "option", choice) for choice in parts.choices),
    )
    return replace(parts, actor=actor, picks=picks)


def _alone_on(
    pieces: Sequence[str], spaces: Sequence[str], places: Mapping[str, str]
) -> frozenset[str]:
    """Return the pieces that are each the only one on one of these spaces."""
    if not pieces or not spaces:
        return frozenset()
    standing = [*places.values()]
    return frozenset(
        piece
        for piece in pieces
        if (place := places.get(piece, "")) in spaces and standing.count(place) == 1
    )


# --- grouping ------------------------------------------------------------------------------------


@dataclass
class _Family:
    """Actions that are equal except for their amounts."""

    purpose: Purpose | None
    picks: tuple[Pick, ...]
    actions: list[Any] = field(default_factory=list)
    counts: list[Mapping[str, int]] = field(default_factory=list)

    def symbols(self, game: AnyGame) -> tuple[str, ...]:
        """Return the symbols of the amounts, in the order of the theme."""
        used = dict.fromkeys(symbol for counts in self.counts for symbol in counts)
        known = [symbol for symbol in game.table_theme.symbols if symbol in used]
        return (*known, *(symbol for symbol in used if symbol not in known))

    def merged(self, game: AnyGame, stocks: Stocks) -> Iterator[OrderAction[Any]]:
        """Yield one action for all, or each action with its own amounts."""
        if self.purpose is None:
            for action in self.actions:
                yield OrderAction(action, self.picks)
            return
        symbols = self.symbols(game)
        choice = choice_of(self.purpose, self.counts, symbols, stocks)
        if choice is not None:
            vectors = [vector_of(counts, symbols) for counts in self.counts]
            yield OrderAction(self.actions[vectors.index(choice.proposal)], self.picks, choice)
            return
        for action, counts in zip(self.actions, self.counts, strict=True):
            own = choice_of(self.purpose, (counts,), symbols, stocks)
            yield OrderAction(action, self.picks, own)


@dataclass
class _OrderActions:
    """The actions of an order, by families in order of appearance."""

    families: dict[tuple[Any, ...], _Family] = field(default_factory=dict)
    costs: set[str] = field(default_factory=set)

    def add(self, action: Any, parts: Parts) -> None:
        """Add an action."""
        amounts, picks = parts.amounts, parts.picks or ()
        key = _family_key(parts)
        family = self.families.get(key)
        if family is None:
            purpose = amounts.purpose if amounts else None
            family = self.families[key] = _Family(purpose, picks)
        family.actions.append(action)
        family.counts.append(amounts.counts if amounts else {})
        self.costs.add(parts.cost)

    @property
    def cost(self) -> str:
        """The cost, if it is the same for all actions."""
        return next(iter(self.costs)) if len(self.costs) == 1 else ""

    def merged(self, game: AnyGame, stocks: Stocks) -> tuple[OrderAction[Any], ...]:
        """Return the actions with amounts instead of actions that differ in them only."""
        return tuple(
            action for family in self.families.values() for action in family.merged(game, stocks)
        )


def _order_key(parts: Parts) -> tuple[str, str, str]:
    return parts.actor, parts.line, parts.verb


def _family_key(parts: Parts) -> tuple[Any, ...]:
    return parts.picks, parts.amounts.purpose if parts.amounts else None


def _examined(
    game: AnyGame, state: Any, seat: str, places: Mapping[str, str], verb: str = ""
) -> Iterator[tuple[Any, Parts]]:
    """Yield the legal actions of a seat with their parts, without sentences.

    Args:
        game: The game.
        state: The seat's information state.
        seat: The acting seat.
        places: The places of the scene's pieces.
        verb: If given, only actions with this verb.
    """
    bunches: Iterable[Iterator[Any]]
    if game.groups is None:
        bunches = (game.legal(state, seat),)
    else:
        bunches = (
            group.actions()
            for group in game.groups(state, seat)
            if not verb or group.parts.verb == verb
        )
    for bunch in bunches:
        for action in islice(bunch, MAX_GROUP_ACTIONS):
            if game.is_administrative(action):
                continue
            parts = action_outline(game, state, action)
            if not verb or parts.verb == verb:
                yield action, with_picks(parts, places)


def _stocks(game: AnyGame, scene: Scene, seat: str) -> Stocks:
    """Return what a seat has, by the counters in its bar."""
    held = {
        counter.symbol: counter.value
        for side in scene.sides
        if side.seat == seat
        for counter in side.counters
    }
    precious = [name for name, symbol in game.table_theme.symbols.items() if symbol.precious]
    return Stocks(held, frozenset(precious))


def _refused_orders(
    game: AnyGame,
    state: Any,
    seat: str,
    scene: Scene,
    found: Mapping[tuple[str, str, str], _OrderActions],
) -> Iterator[Order[Any]]:
    """Yield an order for each line of the seat's pieces that has no actions and a reason."""
    possible = {(actor, line or verb) for actor, line, verb in found}
    for piece in scene.pieces:
        if piece.owner != seat:
            continue
        for each in game.refused_lines(state, seat, piece.id):
            if (piece.id, each.line or each.verb) not in possible:
                yield Order(piece.id, each.line, each.verb, each.cost, (), each.refused)
