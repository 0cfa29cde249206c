"""Import of transcripts: adjudicates each line, and returns the events of a new match."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast, get_args
from uuid import UUID

import msgspec

from domain.kernel.any_game import read_options
from domain.kernel.game import REFEREE, AnyGame
from domain.kernel.notation_error import NotationError
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.kernel.rulings import Refused
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import (
    MAX_NAME_LENGTH,
    MAX_REASON_LENGTH,
    AnyMatch,
    Changeset,
    MatchSetup,
    Outcome,
    SubstitutePolicy,
    Terms,
    UndoPolicy,
    Verdict,
    Visibility,
    act,
    concede,
    correct,
    create,
    is_playable,
    offer_draw,
    parse_match_action,
    raise_dispute,
    record_flag_fall,
    resign,
    respond_to_draw,
)
from domain.registry import GAMES
from projections.queries.history import DROPPED_OUT_TEXT
from projections.views.transcripts import (
    ACCEPTS,
    CORRECTS,
    DECLINES,
    FLAG_FALL,
    NO_RESULT,
    OFFERS,
    RESIGNS,
    Correction,
    NumberedLine,
    Transcript,
    TranscriptError,
)
from services.api.requests import parse_name
from services.runtime.errors import ApiError

LONGEST_ACTION: Final = 1000
"""Maximum characters of an action's notation."""
MOST_LINES: Final = 20_000
"""Maximum number of numbered lines in a transcript."""
MOST_FACTS: Final = 100


def setting(transcript: Transcript, library: Library = BUILT_IN_PACKS) -> MatchSetup:
    """Parse the headers. Raise TranscriptError if no match can start with them."""
    headers = transcript.headers
    game = GAMES.get(headers.get("Game", ""))
    if game is None:
        raise TranscriptError(1, f"there is no such game; the games are {', '.join(GAMES)}")
    if "Viewer" in headers:
        raise TranscriptError(
            1,
            "it is incomplete: hidden information was left out for its viewer; import a"
            " transcript of the referee",
        )
    if len(transcript.lines) > MOST_LINES:
        raise TranscriptError(1, f"it has more than {MOST_LINES} numbered lines")
    agreed = {
        name: _term(headers, header, choices)
        for name, (header, choices) in _TERMS.items()
        if header in headers
    }
    try:
        options = read_options(game, _entered_options(game, transcript.options), library)
        title = parse_name("title", headers.get("Title", ""), MAX_NAME_LENGTH)
        start = _start(game, options, headers.get("Start"))
    except (msgspec.ValidationError, NotationError, ApiError) as error:
        raise TranscriptError(1, f"a header is invalid: {error}") from None
    terms = Terms("entered", pause=headers.get("Pause") == "yes", **agreed)
    return MatchSetup(game, options, title, terms, start)


_TERMS: Final[dict[str, tuple[str, Any]]] = {
    "undo": ("Undo", UndoPolicy),
    "visibility": ("Visibility", Visibility),
    "stand_in": ("StandIn", SubstitutePolicy),
}
"""Match terms by header name, with their allowed values."""


def _term(headers: Mapping[str, str], header: str, choices: Any) -> Any:
    term, known = headers[header], get_args(choices)
    if term not in known:
        raise TranscriptError(1, f"{header} must be one of {', '.join(known)}")
    return term


def _entered_options(game: AnyGame, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of a match in which chance is entered, as in the transcript."""
    return options | ({"chance": "entered"} if "chance" in game.options.__struct_fields__ else {})


def _start(game: AnyGame, options: Any, given: str | None) -> str | None:
    """Return the starting position, or None for the default one."""
    usual = game.write_position(game.start(options))
    if given is None:
        return None
    position = game.read_position(given, options)
    text = game.write_position(position)
    if text == usual:
        return None
    try:
        playable = is_playable(game, options, position)
    except Exception:  # such a position may bring a game to raise anything, now or in every list
        playable = False
    if not playable:
        raise NotationError(f"the start is no position of {game.name} that can be played on")
    return text


def replay(
    transcript: Transcript,
    setting: MatchSetup,
    identity: UUID,
    invitations: dict[str, str],
    command_context: CommandContext,
) -> Iterator[Changeset[AnyMatch]]:
    """Return the events of the whole match.

    Raises:
        TranscriptError: A line is illegal; the error names it.
    """
    made = create(setting, identity, invitations, command_context)
    yield made
    match = made.state
    for line in transcript.lines:
        changeset = _play(match, line, command_context)
        yield changeset
        match = changeset.state
    score = match.result.score if match.result else NO_RESULT
    if transcript.result != score:
        raise TranscriptError(transcript.end, f"the result is {score}, not {transcript.result}")


def join_changesets(parts: Iterable[Changeset[AnyMatch]]) -> Changeset[AnyMatch]:
    """Return several decisions as one, to be recorded together."""
    found = [*parts]
    return Changeset(
        tuple(event for each in found for event in each.events),
        tuple(state for each in found for state in each.states),
    )


def _play(
    match: AnyMatch, line: NumberedLine, command_context: CommandContext
) -> Changeset[AnyMatch]:
    """Play one line. An action that a rule forbids is an error."""
    if len(line.text) > LONGEST_ACTION and not line.text.startswith(CORRECTS):
        raise TranscriptError(line.at, f"an action may have at most {LONGEST_ACTION} characters")
    if line.text.startswith(CORRECTS) and line.seat == REFEREE:
        return _correct(match, line, command_context)
    if line.seat not in (
        *match.seats,
        *match.rules.entry_roles,
        *(prompt.seat for prompt in match.turn),
    ):
        raise TranscriptError(
            line.at, f"{line.seat} is not a seat; the seats are {', '.join(match.seats)}"
        )
    outcome: Outcome
    match line.text:
        case text if text == RESIGNS:
            outcome = concede(match, line.seat, command_context)
        case text if text == DROPPED_OUT_TEXT:
            outcome = resign(match, line.seat, command_context)
        case text if text == FLAG_FALL:
            outcome = record_flag_fall(match, line.seat, command_context)
        case text if text == OFFERS:
            outcome = offer_draw(match, line.seat, command_context)
        case text if text in (ACCEPTS, DECLINES):
            outcome = respond_to_draw(match, line.seat, text == ACCEPTS, command_context)
        case text:
            action = _read(match, text)
            is_none = isinstance(action, Refused | Rejection)
            outcome = action if is_none else act(match, line.seat, action, command_context)
    return _require_change(outcome, line)


def _read(match: AnyMatch, text: str) -> Any:
    """Parse an action in either notation."""
    action = parse_match_action(match, text)
    if isinstance(action, Refused) and match.rules.score is not None:
        return parse_match_action(match, text, score_notation=True)
    return action


def _correct(
    match: AnyMatch, line: NumberedLine, command_context: CommandContext
) -> Changeset[AnyMatch]:
    """Return a dispute about the last event, with its correction."""
    facts_type = cast(Any, tuple)[match.rules.facts, ...]
    try:
        said = msgspec.json.decode(line.text.removeprefix(CORRECTS), type=Correction)
        facts = msgspec.json.decode(said.facts, type=facts_type)
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise TranscriptError(line.at, f"the correction cannot be read: {error}") from None
    if len(facts) > MOST_FACTS or len(said.reason) > MAX_REASON_LENGTH:
        raise TranscriptError(line.at, "the correction is too long")
    raised = _require_change(
        raise_dispute(match, match.seats[0], match.version, said.reason, command_context), line
    )
    corrected = correct(
        raised.state, Verdict(raised.state.version, said.reason, said.rules), facts, command_context
    )
    changeset = _require_change(corrected, line)
    return Changeset((*raised.events, *changeset.events), (*raised.states, *changeset.states))


def _require_change(outcome: Outcome, line: NumberedLine) -> Changeset[AnyMatch]:
    match outcome:
        case Refused(rule=rule, why=why):
            raise TranscriptError(line.at, f"{why} [{rule}]")
        case Rejection(why=why):
            raise TranscriptError(line.at, why)
        case _:
            return outcome
