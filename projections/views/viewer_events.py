"""Events as a viewer may see them, in sentences, notation and parts.

Everything passes the game's redaction first. The functions are pure: responses to commands and
pages of history get the same events from the same states.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.kernel.game import REFEREE, AnyGame, ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration
from domain.kernel.parts import Pick
from domain.kernel.rulings import Figures, Refused, Ruling, explain
from domain.kernel.scene_changes import Change
from domain.log.origin import UNKNOWN_ORIGIN, Origin
from domain.match import (
    ActionTaken,
    AdministrativeEvent,
    AnyMatch,
    Event,
    FlagFell,
    MatchCreated,
    PlayerResigned,
    RefereeSeated,
    SeatClaimed,
    SeatEvent,
    VerdictGiven,
)
from projections.queries.full_text import SnippetPart
from projections.queries.proposals import ProposalView, changed_proposal
from projections.views import match_events
from projections.views.english import ENGLISH
from projections.views.transitions import Transition
from projections.views.visible_text import visible_text


class ActionView(Struct, frozen=True):
    """An action: its notation, its sentence, and its parts."""

    notation: str
    score_notation: str
    """The rulebook's notation of the action; empty if there is none or it was not requested."""
    verb: str
    sentence: str
    pieces: tuple[str, ...]
    spaces: tuple[str, ...]
    cards: tuple[str, ...]
    choices: tuple[str, ...]
    cost: str
    picks: tuple[Pick, ...] = ()
    """What is pointed at after the acting piece, in a game that gives it."""


class FactView(Struct, frozen=True):
    """A fact as one viewer may see it."""

    kind: str
    fields: dict[str, str]
    """Values as text, nested values as JSON; unset fields are omitted."""
    sentence: str


class RulingView(Struct, frozen=True):
    """A ruling with its rules, figures and sentence."""

    rules: tuple[str, ...]
    figures: dict[str, str]
    fact: int | None
    sentence: str


class RefusalView(Struct, frozen=True):
    """A refusal of an illegal action, with its rule and sentence."""

    rule: str
    why: str
    figures: dict[str, str]
    sentence: str


class EventView(Struct, frozen=True):
    """One event of a match as one viewer may see it."""

    version: int
    at: datetime
    kind: str
    """The stored tag of the event, such as `match.ActionTaken`."""
    seat: str
    """The seat that caused the event; empty for the service and the creator."""
    player: str
    """The player who held the seat; empty if nobody did."""
    action: ActionView | None
    facts: tuple[FactView, ...]
    rulings: tuple[RulingView, ...]
    sentence: str
    digest: str
    client: str
    details: dict[str, str] = {}
    """Details by name: of an event that is not an action, or the stylus taps of an action."""
    draw: int | None = None
    """The number of the draw if the service made this chance action."""
    changes: tuple[Change, ...] = ()
    """Changes of the viewer's scene, if requested."""
    substitute: str = ""
    """The substitute that acted for the seat; empty if the seat itself acted."""
    snippet: tuple[SnippetPart, ...] = ()
    """The parts of the sentence that match a search."""
    proposal: ProposalView | None = None
    """The proposal that the event made, answered or ended, in its new state."""


def render_event(step: Transition, viewer: str) -> EventView:
    """Return an event as a viewer may see it: a seat, `spectator` or `referee`.

    Invisible characters are removed from the names and reasons in its sentence.
    """
    seen = _render_with_all_text(step, viewer)
    return msgspec.structs.replace(seen, sentence=visible_text(seen.sentence))


def _render_with_all_text(step: Transition, viewer: str) -> EventView:
    event = step.sealed.event
    resolved = redacted_action(step.after.rules, event, viewer)
    place = (event.version, event.at, str(type(event).__struct_config__.tag))
    player = event_player(step.before, event)
    if isinstance(event, ActionTaken):
        seen = _render_action_taken(step, event, (*place, event.seat, player), resolved, viewer)
    else:
        seen = _render_match_event(step, event, place, player, resolved, viewer)
    source = event.source if isinstance(event, SeatEvent) else UNKNOWN_ORIGIN
    if source.answers:
        planned = ENGLISH.sentence("planned", seat=seen.seat.title(), answers=source.answers)
        details = seen.details | {"answers": str(source.answers)}
        sentence = f"{seen.sentence} {planned}"
        seen = msgspec.structs.replace(seen, details=details, sentence=sentence)
    if (proposal := changed_proposal(step)) is not None:
        seen = msgspec.structs.replace(seen, proposal=proposal)
    who = source.stand_in
    if not who:
        return seen
    note = ENGLISH.sentence("stood.in", who=who, seat=seen.seat.title())
    return msgspec.structs.replace(seen, substitute=who, sentence=f"{seen.sentence} {note}")


class _InformationStates(NamedTuple):
    """The game's information states of one viewer around an event."""

    before: Any
    """The state before the event; for the first event, the state after it."""
    after: Any


def _information_states(step: Transition, viewer: str) -> _InformationStates:
    game, before = step.after.rules, step.before or step.after
    return _InformationStates(
        *(game.information_state(match.position, viewer) for match in (before, step.after))
    )


def _narrate_event(
    step: Transition, resolved: ResolvedAction[Any, Any], known: _InformationStates
) -> Narration:
    """Return the narration of an event from what the viewer may know."""
    if step.before is None or not (resolved.action is not None or resolved.facts):
        return Narration("")
    return step.after.rules.narrate(known.before, resolved, known.after)


def redacted_action(game: AnyGame, event: Event, viewer: str) -> ResolvedAction[Any, Any]:
    """Return an event's action, facts and rulings, redacted for a viewer.

    The action is None for events that are not actions.
    """
    match event:
        case ActionTaken():
            resolved = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
            return game.redact(resolved, viewer)
        case PlayerResigned() | FlagFell():
            seat, facts, rulings = event.seat, event.facts, event.rulings
            return game.redact(ResolvedAction(seat, None, facts, rulings), viewer)
        case MatchCreated(rulings=rulings):
            return ResolvedAction("", None, (), rulings)
        case VerdictGiven(rules=rules, facts=facts):
            # Games redact actions only: a correction belongs to no seat.
            known = viewer == REFEREE or not game.has_hidden_information
            return ResolvedAction(
                "", None, facts if known else (), tuple(Ruling((r,)) for r in rules)
            )
        case _:
            return ResolvedAction("", None, ())


def _render_match_event(
    step: Transition,
    event: AdministrativeEvent,
    place: tuple[int, datetime, str],
    player: str,
    resolved: ResolvedAction[Any, Any],
    viewer: str,
) -> EventView:
    """Return the view of a match event outside the game."""
    game = step.after.rules
    known = _information_states(step, viewer)
    narration = _narrate_event(step, resolved, known)
    redo = match_events.concerns_redo(step.before, event)
    withdrawn = match_events.is_withdrawal(step.before, event)
    sentence = match_events.sentence(game, event, player, redo=redo, withdrawn=withdrawn)
    # After a flag fall, the game's narration would tell of a resignation.
    if narration.outcome and not isinstance(event, FlagFell):
        # If a seat resigns while others play on, the game's narration is complete.
        own = isinstance(event, PlayerResigned)
        sentence = narration.outcome if own else f"{sentence} {narration.outcome}"
    source = event.source if isinstance(event, SeatEvent) else UNKNOWN_ORIGIN
    return EventView(
        *place,
        getattr(event, "seat", ""),
        player,
        None,
        _render_facts(resolved, narration),
        _render_rulings(game, resolved, known),
        sentence,
        step.sealed.digest,
        source.client,
        match_events.details(game, event, viewer, redo=redo) | _tap_details(source, game, viewer),
    )


def _render_action_taken(
    step: Transition,
    event: ActionTaken[Any, Any],
    head: tuple[int, datetime, str, str, str],
    resolved: ResolvedAction[Any, Any],
    viewer: str,
) -> EventView:
    assert step.before is not None
    game = step.after.rules
    known = _information_states(step, viewer)
    narration = _narrate_event(step, resolved, known)
    # Score notation distinguishes an action from all other legal ones, and the number of taps may
    # reveal a picked card. Only viewers who see the unredacted action get both.
    is_whole = resolved.action == event.action
    state = step.before.position
    score_notation = score_writer(game, state) if is_whole else _no_score_notation
    action = render_action(game, state, resolved.action, score_notation)
    # A preview that ends early changes no state, and has no outcome yet.
    outcome = as_sentence(action.sentence) if step.after is step.before else narration.outcome
    return EventView(
        *head,
        action,
        _render_facts(resolved, narration),
        _render_rulings(game, resolved, known),
        outcome,
        step.sealed.digest,
        event.source.client,
        _tap_details(event.source, game, viewer) if is_whole else {},
        event.draw,
    )


def _render_facts(resolved: ResolvedAction[Any, Any], narration: Narration) -> tuple[FactView, ...]:
    pairs = zip(resolved.facts, narration.facts, strict=True)
    return tuple([render_fact(fact, sentence) for fact, sentence in pairs])


def _render_rulings(
    game: AnyGame, resolved: ResolvedAction[Any, Any], known: _InformationStates
) -> tuple[RulingView, ...]:
    return tuple(
        [render_ruling(game, each, known.before, known.after) for each in resolved.rulings]
    )


def _tap_details(source: Origin, game: AnyGame, viewer: str) -> dict[str, str]:
    """Return the stylus taps that requested an action, if any.

    In games that hide anything, only the referee sees the taps' versions at the table: they reveal
    how often others tapped in between.
    """
    taps = source.taps
    if taps is None:
        return {}
    details = {"table": str(taps.table), "gateway": taps.gateway, "stylus": taps.stylus}
    if viewer == REFEREE or not game.has_hidden_information:
        details["taps"] = " ".join(map(str, taps.versions))
    return details


ScoreWriter = Callable[[Any], str]
"""A function that writes an action in the rulebook's score notation."""


def _no_score_notation(_: Any) -> str:
    return ""


def score_writer(game: AnyGame, state: Any) -> ScoreWriter:
    """Return a writer of actions in score notation; it writes nothing if the game has none."""
    return game.score.writer(state) if game.score else _no_score_notation


def render_action(
    game: AnyGame, state: Any, action: Any, score_notation: ScoreWriter = _no_score_notation
) -> ActionView:
    """Return the view of an action in the state before it.

    The caller has redacted the action or needs no redaction. `score_notation` writes its score
    notation.
    """
    parts = game.parts(state, action)
    return ActionView(
        game.write_action(action),
        score_notation(action),
        parts.verb,
        parts.sentence,
        parts.pieces,
        parts.spaces,
        parts.cards,
        parts.choices,
        parts.cost,
        parts.picks or (),
    )


def render_fact(fact: Any, sentence: str) -> FactView:
    """Return the view of a redacted fact with its sentence."""
    fields = {}
    for name in fact.__struct_fields__:
        value = getattr(fact, name)
        if value is not None:
            fields[name] = value if type(value) is str else msgspec.json.encode(value).decode()
    return FactView(str(type(fact).__struct_config__.tag), fields, sentence)


def render_ruling(game: AnyGame, ruling: Ruling, before: Any, after: Any) -> RulingView:
    """Return the view of a redacted ruling, with one sentence for each rule.

    The figures belong to all rules of the ruling; the last sentence contains them.
    """
    *others, last = ruling.rules
    said = game.figures_in_words(before, ruling.figures, after)
    sentences = [*(_rule_sentence(game, rule) for rule in others), _rule_sentence(game, last, said)]
    sentence = " ".join(sentences)
    return RulingView(ruling.rules, _figures_as_text(ruling.figures), ruling.fact, sentence)


def render_refusal(game: AnyGame, refused: Refused, state: Any) -> RefusalView:
    """Return the view of a refusal with its rule in words."""
    said = game.figures_in_words(state, refused.figures, state)
    sentence = _rule_sentence(game, refused.rule, said)
    return RefusalView(refused.rule, refused.why, _figures_as_text(refused.figures), sentence)


def event_player(before: AnyMatch | None, event: Event) -> str:
    """Return the player who caused an event or took a seat by it, or nothing if nobody did."""
    if isinstance(event, SeatClaimed | RefereeSeated):
        return event.player
    seat = getattr(event, "seat", "")
    return before.player_of(seat) if before and seat else ""


def _rule_sentence(game: AnyGame, rule: str, said: tuple[str, ...] = ()) -> str:
    # A rule of an old log may be missing from today's index: its id is then the only text.
    known = game.rules.get(rule)
    return explain(known, said) if known else rule


def _figures_as_text(figures: Figures) -> dict[str, str]:
    return {name: str(value) for name, value in figures.items()}
