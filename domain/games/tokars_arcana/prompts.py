"""What is asked of whom, in a heading and a reason."""

from collections.abc import Sequence
from functools import cache

from domain.games.tokars_arcana.captions import check_in_words, ended
from domain.games.tokars_arcana.cards import CARDS
from domain.games.tokars_arcana.check import Threat
from domain.games.tokars_arcana.english import ENGLISH
from domain.games.tokars_arcana.legal import turn
from domain.games.tokars_arcana.names import enumerated, seat_name
from domain.games.tokars_arcana.state import (
    Angels,
    Briefing,
    DrawPending,
    Ordering,
    Over,
    Placing,
    Raising,
    State,
    Toss,
)
from domain.games.tokars_arcana.undead import rank_words
from domain.kernel.language import as_sentence
from domain.kernel.scene import PromptText


def prompt(state: State, viewer: str, danger: Sequence[Threat]) -> PromptText:
    """Return what is asked, with the threats to the general of the seat on turn, if any."""
    say = ENGLISH.format
    match state.phase:
        case Briefing(waiting):
            key = "heading ready own" if viewer in waiting else "heading ready"
            heading = say(key, seats=enumerated([seat_name(seat) for seat in waiting]))
            return PromptText(heading, say("why ready"), "ta.setup.debriefing")
        case Toss():
            return PromptText(say("heading first"), "", "ta.setup.first")
        case Over(winner, reason):
            heading = say("heading won", seat=seat_name(winner)) if winner else say("heading drawn")
            return PromptText(heading, as_sentence(ended(state, state.phase)), _END_RULES[reason])
        case Ordering():
            why = as_sentence(check_in_words(state, danger, briefly=True)) if danger else ""
            rule = "ta.check.announce" if danger else "ta.turn.one_order"
            return PromptText(_heading(state, viewer, "order"), why, rule)
        case DrawPending():
            return PromptText(_heading(state, viewer, "draw"), "", "ta.draw.offer")
        case Placing(models):
            unit = CARDS[models[0].unit].name
            then = say("why place then", n=len(models) - 1) if len(models) > 1 else ""
            why = say("why place", then=then)
            heading = _heading(state, viewer, "place", unit)
            return PromptText(heading, why, "ta.battlemage.vanquish.square")
        case Angels():
            why = say("why angel", unit=CARDS["P"].name)
            return PromptText(_heading(state, viewer, "angel"), why, "ta.priest.angel")
        case Raising(offer):
            why = say("why raise", square=offer.square, rank=rank_words(state, offer))
            return PromptText(_heading(state, viewer, "raise"), why, "ta.zombie.raise")


_END_RULES = {
    "general": "ta.end.general", "generals": "ta.end.both", "resign": "ta.end.resign",
    "agreement": "ta.end.agreement", "quiet": "ta.end.quiet",
}  # fmt: skip


def _heading(state: State, viewer: str, asked: str, unit: str = "") -> str:
    (expected,) = turn(state)
    return _said(asked, expected.seat, unit, own=viewer == expected.seat)


@cache
def _said(asked: str, seat: str, unit: str, *, own: bool) -> str:
    key = f"heading {asked} own" if own else f"heading {asked}"
    return ENGLISH.format(key, seat=ENGLISH.format(seat), unit=unit)
