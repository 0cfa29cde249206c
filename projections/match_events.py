"""Events of the match itself, beside the game, in words: seats, undos, disputes, seeds."""

from typing import Any, Final, assert_never

import msgspec

from domain.kernel.game import REFEREE, AnyGame
from domain.match import (
    Affair,
    DisputeRaised,
    DrawAnswered,
    DrawOffered,
    LineContinued,
    MatchCreated,
    Resigned,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    UndoAnswered,
    UndoAsked,
    Verdict,
    VerdictGiven,
)

DETAILS: Final = (
    "to",
    "awaiting",
    "rolled",
    "revealed",
    "granted",
    "accepted",
    "on",
    "reason",
    "dispute",
    "verdict",
    "precedent",
    "commitment",
    "entropy",
    "seed",
    "following",
)
"""Fields of events that everybody may know, by name."""

UNHIDING: Final = frozenset({"seed"})
"""Of these, what would tell everything that was hidden: for the referee, where anything is."""


def details(game: AnyGame, event: Affair, viewer: str) -> dict[str, str]:
    """What an affair says beside who and when, as text, for this viewer."""
    withheld = () if viewer == REFEREE or not game.hides else UNHIDING
    return {
        name: _as_text(value)
        for name in DETAILS
        if name not in withheld and (value := getattr(event, name, None)) not in (None, "", ())
    }


_OUTCOMES: Final[dict[Verdict, str]] = {
    "upheld": "the event stands",
    "reverted": "the match went on from version {}",
    "corrected": "the position was corrected",
}


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def sentence(game: AnyGame, event: Affair, player: str) -> str:
    """An affair of the match in words, without a full stop."""
    match event:
        case MatchCreated(origin=origin):
            forked = f" as a fork of {origin.match} at version {origin.version}" if origin else ""
            return f"A match of {game.name} began{forked}"
        case SeatClaimed(seat=seat):
            return f"{player} took {seat}"
        case SeatLeft(seat=seat):
            return f"{player} left {seat}"
        case Resigned(seat=seat, facts=facts):
            return f"{seat} gave up{', and is out of the game' if facts else ''}"
        case DrawOffered(seat=seat):
            return f"{seat} offered a draw"
        case DrawAnswered(seat=seat, accepted=yes):
            return f"{seat} {'accepted' if yes else 'declined'} the draw"
        case SeedRevealed():
            return "The seed of the draws was revealed"
        case UndoAsked(seat=seat, to=to, awaiting=awaiting):
            return f"{seat} asked {' and '.join(awaiting)} to go on from version {to}"
        case UndoAnswered(seat=seat, granted=yes):
            return f"{seat} {'granted' if yes else 'refused'} it"
        case LineContinued(to=to):
            return f"The match went on from version {to}"
        case DisputeRaised(seat=seat, on=on, reason=reason):
            return f"{seat} disputed event {on}: {reason}"
        case VerdictGiven(dispute=dispute, reason=reason, precedent=precedent):
            outcome = _OUTCOMES[event.verdict].format(event.to)
            return f"Verdict {precedent} on dispute {dispute}: {outcome}: {reason}"
        case _:
            assert_never(event)
