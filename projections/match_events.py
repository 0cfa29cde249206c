"""Events of the match itself, beside the game, in words: seats, undos, disputes, seeds."""

from typing import Any, Final, assert_never

import msgspec

from domain.kernel.game import REFEREE, AnyGame
from domain.match import (
    Affair,
    Began,
    ChanceRenewed,
    ClocksHeld,
    DisputeRaised,
    DrawAnswered,
    DrawOffered,
    HintGiven,
    LineContinued,
    MatchCreated,
    Origin,
    RefereeInvited,
    RefereeSeated,
    Resigned,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    TimeRanOut,
    UndoAnswered,
    UndoAsked,
    VerdictGiven,
)
from projections.english import ENGLISH

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
    "earlier",
    "run",
    "since",
)
"""Fields of events that everybody may know, by name."""

UNHIDING: Final = frozenset({"seed", "earlier"})
"""Of these, what would tell everything that was hidden: for the referee, where anything is."""


def details(game: AnyGame, event: Affair, viewer: str) -> dict[str, str]:
    """What an affair says beside who and when, as text, for this viewer."""
    withheld = () if viewer == REFEREE or not game.hides else UNHIDING
    return {
        name: _as_text(value)
        for name in DETAILS
        if name not in withheld and (value := getattr(event, name, None)) not in (None, "", ())
    }


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode().strip('"')


def sentence(game: AnyGame, event: Affair, player: str) -> str:
    """An affair of the match as a sentence."""
    say, seat = ENGLISH.sentence, getattr(event, "seat", "").title()
    match event:
        case MatchCreated(origin=Origin(version=version)):
            return say("began.fork", game=game.name, version=version)
        case MatchCreated():
            return say("began", game=game.name)
        case SeatClaimed():
            return say("seat.claimed", player=player, seat=seat)
        case SeatLeft():
            return say("seat.left", player=player, seat=seat)
        case Began():
            return say("match.began")
        case RefereeInvited():
            return say("referee.invited")
        case RefereeSeated():
            return say("referee.seated", player=player)
        case Resigned(facts=facts):
            return say("resigned.out" if facts else "resigned", seat=seat)
        case TimeRanOut(facts=facts):
            return say("time.out" if facts else "time.over", seat=seat)
        case ClocksHeld():
            return say("clocks.held")
        case HintGiven():
            return say("hint.given", seat=seat)
        case DrawOffered():
            return say("draw.offered", seat=seat)
        case DrawAnswered(accepted=yes):
            return say("draw.accepted" if yes else "draw.declined", seat=seat)
        case ChanceRenewed():
            return say("chance.renewed")
        case SeedRevealed():
            return say("seed.revealed" if game.chance else "seed.revealed.plain")
        case UndoAsked(to=to, awaiting=awaiting):
            others = ENGLISH.listed([each.title() for each in awaiting])
            return say("undo.asked", seat=seat, others=others, to=to)
        case UndoAnswered(granted=yes):
            return say("undo.granted" if yes else "undo.refused", seat=seat)
        case LineContinued(to=to):
            return say("line.continued", to=to)
        case DisputeRaised(on=on, reason=reason):
            return say("dispute.raised", seat=seat, on=on, reason=reason)
        case VerdictGiven(dispute=dispute, reason=reason, precedent=number, to=to):
            words = {"number": number, "dispute": dispute, "reason": reason, "to": to}
            return say(f"verdict.{event.verdict}", **words)
        case _:
            assert_never(event)
