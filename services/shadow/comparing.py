"""One action under two judgements: what the house recorded, and what a shadow makes of it."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import Struct

from domain.conformance.vectors import in_words
from domain.kernel.any_game import read_options
from domain.kernel.game import AnyGame
from domain.kernel.text import NotationError
from domain.registry import GAMES
from services.shadow.interface import Allowed, Forbidden, Shadow

MOST_LISTED: Final = 5_000
"""Legal actions of a position; where there are more, they are not compared."""


class Step(Struct, frozen=True, omit_defaults=True):
    """What was recorded of a match: one action, or with an empty action its beginning."""

    game: str
    options: dict[str, Any]
    after: str
    """The position after it."""
    match: str = ""
    version: int = 0
    before: str = ""
    seat: str = ""
    action: str = ""
    facts: tuple[dict[str, Any], ...] = ()


class Divergence(Struct, frozen=True):
    """A difference between the house and a shadow."""

    about: str
    """`start`, `legality`, `facts` or `position`."""
    what: str
    """What was looked at, as `a6-b6 by white`."""
    house: str
    shadow: str


def compare(shadow: Shadow, step: Step) -> Iterator[Divergence]:
    """All in which a shadow differs. Whatever the shadow raises goes through."""
    if not step.action:
        start = shadow.start(step.options)
        if start != step.after:
            yield Divergence("start", "the first position", step.after, start)
        return
    yield from compare_legal(shadow, step)
    what = f"{step.action} by {step.seat}"
    judged = shadow.apply(step.before, step.options, step.seat, step.action)
    if isinstance(judged, Forbidden):
        why = f"forbidden by {judged.rule}" if judged.rule else "forbidden"
        yield Divergence("legality", what, "legal", why)
        return
    yield from _facts(GAMES[step.game], step, judged)
    if judged.position != step.after:
        yield Divergence("position", f"after {what}", step.after, judged.position)


def compare_legal(shadow: Shadow, step: Step) -> Iterator[Divergence]:
    """The differences between what a seat may do and what a shadow lists."""
    listed = shadow.legal(step.before, step.options, step.seat)
    own = None if listed is None else _own(GAMES[step.game], step)
    if listed is None or own is None:
        return
    told = sorted(islice(listed, MOST_LISTED + 1))
    if len(told) > MOST_LISTED:
        yield Divergence(
            "legality", f"what {step.seat} may do", f"{len(own)} actions", f"over {MOST_LISTED}"
        )
    elif told != own:
        yield Divergence("legality", f"what {step.seat} may do", *in_words(own, told))


def _own(game: AnyGame, step: Step) -> list[str] | None:
    """What the seat may do by the house's rules; None where that is too much to list, or the match
    is played with a content pack that is not at hand."""
    try:
        state = game.read_position(step.before, read_options(game, step.options))
    except (NotationError, msgspec.ValidationError):
        return None
    found = islice(game.legal(state, step.seat), MOST_LISTED + 1)
    listed = sorted(map(game.write_action, found))
    return listed if len(listed) <= MOST_LISTED else None


def _facts(game: AnyGame, step: Step, judged: Allowed) -> Iterator[Divergence]:
    if judged.facts is None:
        return
    house, shadow = (_as_stored(game, facts) for facts in (step.facts, judged.facts))
    if house != shadow:
        what = f"of {step.action} by {step.seat}"
        yield Divergence("facts", what, house, shadow)


def _as_stored(game: AnyGame, facts: Iterable[Any]) -> str:
    """Facts as the log has them, defaults left out, so that spelling makes no difference."""
    raw = [dict(fact) for fact in facts]
    try:
        known = msgspec.convert(raw, list[game.facts])  # type: ignore[name-defined]  # a union
    except msgspec.ValidationError:
        return msgspec.json.encode(raw, order="sorted").decode()
    return msgspec.json.encode(known, order="sorted").decode()
