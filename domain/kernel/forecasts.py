"""Forecasts: the effects of an action, as far as its seat may know them.

A forecast is made from the seat's information state. It ends before dice, shuffles and anything
that reveals something hidden.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.kernel.hints import Forecast
from domain.kernel.scene import Mark, Piece, Scene
from domain.kernel.scene_changes import Change, PieceChanged, PieceMoved, PieceRemoved

MAX_TAG_WORDS: Final = 6

_GAME_FIELDS: Final = tuple(
    name for name in Forecast.__struct_fields__ if name not in ("changes", "stop")
)
_NOTHING: Final = Forecast()


def complete_forecast(
    game: AnyGame,
    state: Any,
    seat: str,
    action: Any,
    found: Forecast,
    sentences: Iterable[str],
    before: Scene,
) -> Forecast:
    """Return a forecast with a tag, with marks of what is hit, and with what the game knows.

    Args:
        game: The game.
        state: The seat's information state before the action.
        seat: The acting seat.
        action: A legal action.
        found: The forecast so far: sentence, changes and stop.
        sentences: The sentences of the action's facts.
        before: The seat's scene before the action.
    """
    hits = hit_pieces(before, found.changes, seat)
    found = replace(
        found,
        tag=tag_of(sentences) if hits else "",
        marks=(Mark("danger", at=hits, tone="good"),) if hits else (),
    )
    own = game.forecast(state, seat, action)
    if own is None:
        return found
    given = {name: getattr(own, name) for name in _GAME_FIELDS}
    return replace(
        found,
        **{name: each for name, each in given.items() if each != getattr(_NOTHING, name)},
    )


def hit_pieces(before: Scene, changes: Iterable[Change], seat: str) -> tuple[str, ...]:
    """Return the other seats' pieces that leave the scene, are damaged or lose something counted.

    The ids are those before the action.
    """
    pieces = {piece.id: piece for piece in before.pieces}
    spaces = {space.id for space in before.spaces}
    hits: dict[str, None] = {}
    for change in changes:
        match change:
            case PieceRemoved(piece=piece):
                is_hit = True
            case PieceMoved(piece=piece, end=end, now=now):
                is_hit = end not in spaces or (piece in pieces and _is_worse(pieces[piece], now))
            case PieceChanged(piece=piece, now=now):
                is_hit = piece in pieces and _is_worse(pieces[piece], now)
            case _:
                continue
        was = pieces.get(piece)
        if is_hit and was is not None and was.owner not in ("", seat) and was.where in spaces:
            hits[piece] = None
    return tuple(hits)


def _is_worse(before: Piece, after: Piece) -> bool:
    """Return whether a piece is damaged or has less of something than before."""
    if "damaged" in after.states and "damaged" not in before.states:
        return True
    left = {counter.symbol: counter.value for counter in after.counters}
    return any(left.get(counter.symbol, 0) < counter.value for counter in before.counters)


def tag_of(sentences: Iterable[str]) -> str:
    """Return the last sentence with at most `MAX_TAG_WORDS` words, as a tag; empty for none.

    Facts are in order of cause and effect: the last short sentence names the effect.

    >>> tag_of(["White's golem moves from b5 to c5 over d5.", "The hulk is captured."])
    'The hulk is captured'
    """
    short = [each for each in sentences if 0 < len(each.split()) <= MAX_TAG_WORDS]
    return short[-1].rstrip(".") if short else ""
