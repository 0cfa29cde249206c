"""How the game looks: the scene. All is open in Tokar's Arcana, so every viewer sees the same."""

from collections.abc import Iterator
from functools import cache
from typing import Final

from domain.games.tokars_arcana.board import column_of, plane, row_of
from domain.games.tokars_arcana.cards import CARDS, named
from domain.games.tokars_arcana.check import Threat, in_check, threats
from domain.games.tokars_arcana.position import write_model, write_unit
from domain.games.tokars_arcana.state import (
    OTHER,
    SEATS,
    Angels,
    Briefing,
    DrawPending,
    Model,
    Ordering,
    Over,
    Placing,
    Raising,
    Reason,
    Seat,
    Square,
    State,
    Toss,
    general_square,
    units_in,
)
from domain.games.tokars_arcana.undead import gassed, rank_words
from domain.kernel.scene import Piece, Scene, Space, Track, Zone

ENDS: Final[dict[Reason, str]] = {
    "general": "by killing the general",
    "resign": "by resignation",
    "generals": "both generals died at once",
    "agreement": "by agreement",
    "quiet": "too many quiet turns",
}
PARALYSED: Final = "~"
"""What follows a paralysed model's letter in drawings."""


def look(state: State, viewer: str) -> Scene:
    """The board, both graveyards, who waits in the air or for an angel, what is asked."""
    return Scene(
        caption=caption(state, viewer),
        spaces=_spaces(state.options.rows),
        pieces=(*_on_the_board(state), *_beside_the_board(state)),
        zones=tuple(_zones(state)),
        tracks=tuple(_tracks(state)),
        attributes=dict(_attributes(state)),
    )


# --- the board -----------------------------------------------------------------------------------


@cache
def _spaces(rows: int) -> tuple[Space, ...]:
    return tuple(_space(square) for square in plane(rows).squares)


def _space(square: Square) -> Space:
    x, y = column_of(square), row_of(square) - 1
    return Space(square, x, y, "light" if (x + y) % 2 else "dark", square)


def model_id(square: Square) -> str:
    """The id of the piece on this square, as long as the scene does not change."""
    return f"model-{square}"


def _on_the_board(state: State) -> Iterator[Piece]:
    paralysed = {seat: gassed(state, seat) for seat in SEATS}
    for square in plane(state.options.rows).squares:
        model = state.board.get(square)
        if model is not None:
            yield _piece(model_id(square), square, model, square in paralysed[model.seat])


def _piece(identity: str, where: str, model: Model, paralysed: bool = False) -> Piece:
    card = CARDS[model.unit]
    attributes: dict[str, str] = {"rank": card.rank}
    if model.tokens:
        attributes["firebrew"] = str(model.tokens)
    if paralysed:
        attributes["paralysed"] = "by tomb gas"
    if model.moved:
        attributes["moved"] = "no order next turn"
    return Piece(
        identity,
        card.name,
        write_model(model) + PARALYSED * paralysed,
        where,
        model.seat,
        named(model.seat, model.unit),
        attributes,
    )


# --- beside the board ----------------------------------------------------------------------------


def _beside_the_board(state: State) -> Iterator[Piece]:
    for seat in SEATS:
        for n, unit in enumerate(units_in(state.graves[seat]), 1):
            yield Piece(
                f"dead-{seat}-{n}",
                CARDS[unit].name,
                write_unit(seat, unit),
                f"graveyard-{seat}",
                seat,
                CARDS[unit].name,
            )
    match state.phase:
        case Placing(models):
            for n, model in enumerate(models, 1):
                yield _piece(f"air-{n}", "air", model)
        case Angels(seats):
            for n, seat in enumerate(seats, 1):
                yield _piece(f"angel-{n}", "angels", Model(seat, "P"))
        case _:
            pass


def _zones(state: State) -> Iterator[Zone]:
    for seat in SEATS:
        yield Zone(f"graveyard-{seat}", f"{seat.title()}'s graveyard", seat)
    match state.phase:
        case Placing():
            yield Zone("air", "In the air")
        case Angels():
            yield Zone("angels", "Awaiting an angel")
        case _:
            pass


def _tracks(state: State) -> Iterator[Track]:
    if state.options.quiet_limit:
        yield Track("quiet", "Quiet turns", state.quiet, most=state.options.quiet_limit)


# --- what is going on ----------------------------------------------------------------------------


def _attributes(state: State) -> Iterator[tuple[str, str]]:
    """`check`: whose general could be killed next; `raising`: where and of what rank."""
    checked = in_check(state)
    if checked is not None:
        yield "check", checked
    if isinstance(state.phase, Raising):
        offer = state.phase.offer
        yield "raising", f"{rank_words(state, offer)} beside {offer.square}"


def announce(state: State) -> tuple[str, ...]:
    """What is called out to all at the table: check, with option `check`, and whence it comes."""
    checked = in_check(state)
    if checked is None:
        return ()
    general = general_square(state.board, checked)
    by = ", ".join(_threat(state, threat) for threat in threats(state, checked))
    return (f"Check: {checked.title()}'s general on {general} is in danger from {by}",)


def _threat(state: State, threat: Threat) -> str:
    """As `South's Dark Priest on h1, exploding the Blue Knight on d9`."""
    model = state.board[threat.square]
    who = f"{named(model.seat, model.unit)} on {threat.square}"
    units = [f"the {CARDS[state.board[at].unit].name} on {at}" for at in threat.explodes]
    return f"{who}, exploding {' or '.join(units)}" if units else who


def caption(state: State, viewer: str) -> str:
    """What is going on, in a sentence, the same for everybody."""
    del viewer
    seat = "Nobody" if state.turn is None else state.turn.title()
    match state.phase:
        case Briefing(waiting):
            names = " and ".join(each.title() for each in waiting)
            return f"Debriefing: {names} to say ready"
        case Toss():
            return "Who begins is to be entered"
        case Ordering():
            return f"{seat} to give an order{_in_check(state)}"
        case DrawPending():
            return f"{_other(state)} to answer {seat}'s draw offer{_in_check(state)}"
        case Placing(models):
            return f"{seat} to place {named(models[0].seat, models[0].unit)}"
        case Angels(seats):
            return f"{seats[0].title()} to say where the angel revives the priest, if at all"
        case Raising(offer):
            rank = rank_words(state, offer)
            return f"{seat} to raise a {rank} beside the Zombie on {offer.square}, or nobody"
        case Over():
            return _ended(state.phase)


def _other(state: State) -> str:
    return "Nobody" if state.turn is None else OTHER[state.turn].title()


def _in_check(state: State) -> str:
    checked: Seat | None = in_check(state)
    return "" if checked is None else f"; {checked.title()} is in check"


def _ended(over: Over) -> str:
    if over.winner is None:
        return f"The game is drawn: {ENDS[over.reason]}"
    return f"{over.winner.title()} has won {ENDS[over.reason]}"
