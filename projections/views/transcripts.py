"""Transcripts: matches as readable text that can be imported again.

See `docs/transcripts.md` for the format.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.kernel.game import REFEREE, ResolvedAction
from domain.kernel.rulings import Refused
from domain.match import (
    ActionTaken,
    AnyMatch,
    DrawAnswered,
    DrawOffered,
    FlagFell,
    MatchCreated,
    PlayerResigned,
    Terms,
    VerdictGiven,
    line,
)
from domain.match.clock_text import format_time_control
from projections.projector.schema import check_cancelled
from projections.queries.history import DROPPED_OUT_TEXT, GameRecord
from projections.views import board_views
from projections.views.transitions import Transition
from projections.views.viewer_events import render_event
from projections.views.visible_text import visible_text

FORMAT_VERSION: Final = "1"
"""The format version of written transcripts."""
NO_RESULT: Final = "*"
"""The result of a match in progress."""
RESIGNS: Final = "(resigns)"
FLAG_FALL: Final = "(runs out of time)"
OFFERS: Final = "(offers a draw)"
ACCEPTS: Final = "(accepts the draw)"
DECLINES: Final = "(declines the draw)"
CORRECTS: Final = "(corrects)"


class Correction(Struct, frozen=True, forbid_unknown_fields=True):
    """A referee's correction; its facts are JSON of the game's own fact types."""

    reason: str
    facts: msgspec.Raw
    rules: tuple[str, ...] = ()


class NumberedLine(Struct, frozen=True):
    """A numbered line of a transcript: what a seat or the referee did."""

    at: int
    """The number of the text line, from 1."""
    seat: str
    text: str
    """An action in either notation, or one of the phrases in parentheses."""


class Transcript(Struct, frozen=True):
    """A parsed transcript, whose content is not validated."""

    headers: dict[str, str]
    """Values by name, without the repeatable headers `Option` and `Seat`."""
    options: dict[str, Any]
    lines: tuple[NumberedLine, ...]
    result: str
    """The result on the last line; `*` for none."""
    end: int
    """The text line of the result, from 1."""


class TranscriptError(Exception):
    """A syntax error in a line of a transcript."""

    def __init__(self, at: int, why: str) -> None:
        self.at = at
        self.why = why
        super().__init__(f"line {at}: {why}")


# --- writing -------------------------------------------------------------------------------------


def write(connection: sqlite3.Connection, match: UUID, viewer: str) -> GameRecord:
    """Return the transcript of a match for a viewer, empty for an unknown match."""
    steps = board_views.read_transitions(
        connection, match, 0, board_views.latest_version(connection, match)
    )
    if not steps:
        return GameRecord("", 0)
    last = steps[-1].after
    on_line = {version for versions in line(last) for version in versions}
    on_line -= _revoked_ends(steps, on_line)
    lines = [*_headers(steps, viewer), ""]
    number = 0
    for step in steps[1:]:
        check_cancelled(connection)
        text = _numbered_text(step, viewer)
        if text is None:
            lines.append(_comment(render_event(step, viewer).sentence))
        elif step.after.version not in on_line:
            lines.append(_comment(f"undone: {text}"))
        else:
            number += 1
            lines += [f"{number}. {text}", *_comments(step, viewer)]
    lines += ["", last.result.score if last.result else NO_RESULT]
    return GameRecord("".join(f"{each}\n" for each in lines), last.version)


def _revoked_ends(steps: list[Transition], on_line: set[int]) -> set[int]:
    """Return the versions at which the players ended a match that continued nevertheless.

    In earlier releases a verdict could continue the line from there. An import could not continue
    after such a line.
    """
    revoked, ends = set[int](), list[int]()
    for step in (each for each in steps if each.after.version in on_line):
        if step.after.result is None:
            revoked.update(ends)
        elif isinstance(step.sealed.event, PlayerResigned | FlagFell | DrawAnswered):
            ends.append(step.after.version)
    return revoked


def _headers(steps: list[Transition], viewer: str) -> Iterator[str]:
    first, last = steps[0].after, steps[-1].after
    created = steps[0].sealed.event
    assert isinstance(created, MatchCreated)
    whole = viewer == REFEREE or not first.rules.has_hidden_information
    headers = [
        ("Emeth", FORMAT_VERSION),
        ("Game", first.game),
        ("Title", visible_text(first.title)),
        ("Match", str(first.id)),
        ("Date", first.created.isoformat(timespec="seconds")),
        *(("Option", f"{name}={_option_text(value)}") for name, value in created.options.items()),
        *(("Seat", f"{seat} {visible_text(last.player_of(seat))}".strip()) for seat in first.seats),
        ("Chance", " ".join((first.terms.chance, *_seat_chance_sources(first)))),
        ("Undo", first.terms.undo),
        ("Pause", "yes" if first.terms.pause else "no"),
    ]
    terms, usual = first.terms, Terms()
    if terms.visibility != usual.visibility:
        headers.append(("Visibility", terms.visibility))
    if terms.stand_in != usual.stand_in:
        headers.append(("StandIn", terms.stand_in))
    if terms.has_clocks:
        clocks = [
            f"{seat} {format_time_control(each)}" for seat, each in first.time_controls.items()
        ]
        headers.append(("Clock", ", ".join(clocks)))
    if created.commitment:
        headers.append(("Commitment", created.commitment))
    if origin := first.terms.origin:
        headers.append(("Fork", f"{origin.match} {origin.version}"))
    if whole:
        headers.append(("Start", created.start))
    else:
        headers += [
            ("Viewer", viewer),
            ("Start", first.rules.write_view(first.position, viewer)),
        ]
    headers.append(("Result", last.result.score if last.result else NO_RESULT))
    for name, value in headers:
        yield f"[{name} {json.dumps(value, ensure_ascii=False)}]"


def _seat_chance_sources(match: AnyMatch) -> Iterator[str]:
    """Yield `south=rolled` and the like for seats that have their own source of chance."""
    ways = match.terms.seat_chance
    return (f"{seat}={ways[seat]}" for seat in match.seats if seat in ways)


def _option_text(value: Any) -> str:
    """Return an option's value as JSON, or as plain text if that does not parse as JSON."""
    if isinstance(value, str):
        try:
            json.loads(value)
        except (ValueError, RecursionError):  # the second if it is nested too deep
            return value
    return json.dumps(value, ensure_ascii=False)


def _numbered_text(step: Transition, viewer: str) -> str | None:
    """Return who did what in an event with a numbered line, or None for other events."""
    match step.sealed.event:
        case ActionTaken(seat=seat) as event:
            assert step.before is not None
            return f"{seat} {_action_text(step.before, event, viewer)}"
        case PlayerResigned(seat=seat, facts=followed):
            return f"{seat} {DROPPED_OUT_TEXT if followed else RESIGNS}"
        case FlagFell(seat=seat):
            return f"{seat} {FLAG_FALL}"
        case DrawOffered(seat=seat):
            return f"{seat} {OFFERS}"
        case DrawAnswered(seat=seat, accepted=yes):
            return f"{seat} {ACCEPTS if yes else DECLINES}"
        case VerdictGiven(verdict="corrected") as event:
            game = step.after.rules
            if viewer != REFEREE and game.has_hidden_information:
                return f"{REFEREE} {CORRECTS}"
            facts = msgspec.Raw(msgspec.json.encode(event.facts))
            said = Correction(visible_text(event.reason), facts, event.rules)
            return f"{REFEREE} {CORRECTS} {msgspec.json.encode(said).decode()}"
        case _:
            return None


def _action_text(before: AnyMatch, event: ActionTaken[Any, Any], viewer: str) -> str:
    """Return an action in score notation if that is unambiguous, or else in machine notation."""
    game = before.rules
    resolved = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
    action = game.redact(resolved, viewer).action
    if game.score is not None and action == event.action and not game.is_administrative(action):
        score_notation = game.score.write(before.position, action)
        if isinstance(game.read_action(score_notation), Refused):
            return score_notation
    return game.write_action(action)


def _comments(step: Transition, viewer: str) -> Iterator[str]:
    event = step.sealed.event
    if isinstance(event, ActionTaken):
        yield _comment(render_event(step, viewer).sentence)
        if event.draw is not None:
            yield _comment(f"draw {event.draw} of the service")
    if isinstance(event, VerdictGiven):
        yield _comment(render_event(step, REFEREE).sentence)


def _comment(text: str) -> str:
    return f"{{{' '.join(text.split())}}}"


# --- reading -------------------------------------------------------------------------------------

_HEADER: Final = re.compile(r'\[(\w+) ("(?:[^"\\]|\\.)*")\]')
_NUMBERED_LINE: Final = re.compile(r"([0-9]{1,9})\. (\S+) (\S.*)")


def read(text: str) -> Transcript:
    """Return a parsed transcript.

    Raises:
        TranscriptError: A line does not fit the format.
    """
    headers: dict[str, str] = {}
    options: dict[str, Any] = {}
    lines: list[NumberedLine] = []
    result, end = "", 0
    for at, raw in enumerate(text.split("\n"), 1):
        words = raw.strip()
        if not words or (words.startswith("{") and words.endswith("}")):
            continue
        if result:
            raise TranscriptError(at, "only comments may follow the result")
        if words.startswith("["):
            if lines:
                raise TranscriptError(at, "headers must come before the first numbered line")
            _read_header(at, words, headers, options)
        elif (parts := _NUMBERED_LINE.fullmatch(words)) is not None:
            if int(parts[1]) != len(lines) + 1:
                raise TranscriptError(at, f"the number is {parts[1]}, expected {len(lines) + 1}")
            lines.append(NumberedLine(at, parts[2], parts[3]))
        else:
            result, end = words, at
    if headers.get("Emeth") != FORMAT_VERSION:
        raise TranscriptError(1, f'a transcript must start with [Emeth "{FORMAT_VERSION}"]')
    if not result:
        raise TranscriptError(text.count("\n") + 1, "the result is missing; use * for none")
    return Transcript(headers, options, tuple(lines), result, end)


def _read_header(at: int, words: str, headers: dict[str, str], options: dict[str, Any]) -> None:
    parts = _HEADER.fullmatch(words)
    try:
        name, value = (parts[1], json.loads(parts[2])) if parts else ("", "")
    except ValueError:
        name = ""
    if not name:
        raise TranscriptError(at, 'a header must have the form [Name "value"]')
    if name == "Option":
        option, separator, given = value.partition("=")
        if not separator or option in options:
            raise TranscriptError(at, "an option must be NAME=VALUE, and only once")
        try:
            options[option] = json.loads(given)
        except (ValueError, RecursionError):  # the second if it is nested too deep
            options[option] = given
    elif name != "Seat":
        if name in headers:
            raise TranscriptError(at, f"the header {name} appears twice")
        headers[name] = value
