"""Sentences and details of match events outside the game: seats, undos, disputes and seeds."""

from typing import Any, Final, assert_never

import msgspec

from domain.kernel.game import REFEREE, AnyGame
from domain.match import (
    AdministrativeEvent,
    AnyMatch,
    DisputeRaised,
    DowntimeCredited,
    DrawAnswered,
    DrawOffered,
    FlagFell,
    ForkPoint,
    HintGiven,
    InviteCreated,
    InviteRevoked,
    LineContinued,
    MatchCancelled,
    MatchCreated,
    MatchStarted,
    MatchUpdated,
    PlayerResigned,
    RefereeInvited,
    RefereeSeated,
    SeatClaimed,
    SeatLeft,
    SeedRevealed,
    SeedRotated,
    UndoAnswered,
    UndoRequested,
    VerdictGiven,
    is_redo,
)
from projections.views.english import ENGLISH

DETAIL_FIELDS: Final = (
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
"""Names of event fields that all viewers may see."""

REVEALING_FIELDS: Final = frozenset({"seed", "earlier"})
"""Fields that reveal all hidden information; in games that hide any, only the referee sees them."""


def details(
    game: AnyGame, event: AdministrativeEvent, viewer: str, *, redo: bool = False
) -> dict[str, str]:
    """Return the details of an event as text, without seat and time.

    Args:
        game: The game of the match.
        event: An event outside the game.
        viewer: A seat, `spectator` or `referee`.
        redo: Whether the event is about a redo.
    """
    withheld = () if viewer == REFEREE or not game.has_hidden_information else REVEALING_FIELDS
    fields = {
        name: _as_text(value)
        for name in DETAIL_FIELDS
        if name not in withheld and (value := getattr(event, name, None)) not in (None, "", ())
    }
    return fields | {"redo": "true"} if redo else fields


def _disclosure_note(event: LineContinued | VerdictGiven[Any]) -> str:
    """Return a warning that undone events revealed hidden information, or nothing if none did.

    The information stays valid: an undo does not shuffle a deck again.
    """
    if not event.revealed:
        return ""
    versions = ENGLISH.join_and([str(each) for each in event.revealed])
    return f" {ENGLISH.sentence('line.known', versions=versions)}"


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode().strip('"')


def concerns_redo(before: AnyMatch | None, event: AdministrativeEvent) -> bool:
    """Return whether an event is about a redo, which earlier releases recorded as an undo."""
    match event:
        case UndoRequested(to=to) | LineContinued(to=to):
            return before is not None and is_redo(before, to)
        case UndoAnswered():
            made = before.proposal if before else None
            goal = made.to if made else None
            return before is not None and goal is not None and is_redo(before, goal)
        case _:
            return False


def is_withdrawal(before: AnyMatch | None, event: AdministrativeEvent) -> bool:
    """Return whether an event withdraws a proposal: a refusal by the seat that made it."""
    made = before.proposal if before else None
    match event:
        case UndoAnswered(seat=seat, granted=yes) | DrawAnswered(seat=seat, accepted=yes):
            return made is not None and made.withdraws(seat, yes)
        case _:
            return False


def sentence(
    game: AnyGame,
    event: AdministrativeEvent,
    player: str,
    *,
    redo: bool = False,
    withdrawn: bool = False,
) -> str:
    """Return the sentence of an event.

    Args:
        game: The game of the match.
        event: An event outside the game.
        player: The display name of the event's player.
        redo: Whether the event is about a redo.
        withdrawn: Whether the event withdraws a proposal.
    """
    say, seat = ENGLISH.sentence, getattr(event, "seat", "").title()
    match event:
        case MatchCreated(origin=ForkPoint(version=version)):
            return say("began.fork", game=game.name, version=version)
        case MatchCreated():
            return say("began", game=game.name)
        case SeatClaimed():
            return say("seat.claimed", player=player, seat=seat)
        case SeatLeft():
            return say("seat.left", player=player, seat=seat)
        case MatchStarted():
            return say("match.began")
        case MatchUpdated():
            return say("match.updated")
        case MatchCancelled(expired=expired):
            return say("match.expired" if expired else "match.cancelled")
        case InviteCreated(role=role) | InviteRevoked(role=role):
            said = "invited" if isinstance(event, InviteCreated) else "revoked"
            kind = role if role in ("link", "spectator") else "seat"
            return say(f"{said}.{kind}", seat=role.title())
        case RefereeInvited():
            return say("referee.invited")
        case RefereeSeated():
            return say("referee.seated", player=player)
        case PlayerResigned(facts=facts):
            return say("resigned.out" if facts else "resigned", seat=seat)
        case FlagFell(facts=facts):
            return say("time.out" if facts else "time.over", seat=seat)
        case DowntimeCredited():
            return say("clocks.held")
        case HintGiven():
            return say("hint.given", seat=seat)
        case DrawOffered():
            return say("draw.offered", seat=seat)
        case DrawAnswered(accepted=yes):
            said = "accepted" if yes else "withdrawn" if withdrawn else "declined"
            return say(f"draw.{said}", seat=seat)
        case SeedRotated():
            return say("chance.renewed")
        case SeedRevealed():
            return say("seed.revealed" if game.has_chance else "seed.revealed.plain")
        case UndoRequested(to=to, awaiting=awaiting):
            others = ENGLISH.join_and([each.title() for each in awaiting])
            return say("redo.asked" if redo else "undo.asked", seat=seat, others=others, to=to)
        case UndoAnswered(granted=yes):
            said = "granted" if yes else "withdrawn" if withdrawn else "refused"
            return say(f"redo.{said}" if redo else f"undo.{said}", seat=seat)
        case LineContinued(to=to):
            moved = say("line.redone" if redo else "line.continued", to=to)
            return f"{moved}{_disclosure_note(event)}"
        case DisputeRaised(on=on, reason=reason):
            return say("dispute.raised", seat=seat, on=on, reason=reason)
        case VerdictGiven(dispute=dispute, reason=reason, precedent=number, to=to):
            words = {"number": number, "dispute": dispute, "reason": reason, "to": to}
            return f"{say(f'verdict.{event.verdict}', **words)}{_disclosure_note(event)}"
        case _:
            assert_never(event)
