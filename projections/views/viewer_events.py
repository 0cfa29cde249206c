"""Events as a viewer may see them, in words, notation and parts.

Nothing is shown that did not pass the game's veil first. These are pure functions of an event and
the state before it, so that an answer made by the command side and a page of history made from the
read file cannot differ.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.kernel.game import REFEREE, AnyGame, ResolvedAction
from domain.kernel.language import as_sentence
from domain.kernel.narration import Narration
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
    """An action: its line of notation, and the same taken apart."""

    notation: str
    score_notation: str
    """The rulebook's own score notation; empty where there is none, or it was not asked for."""
    verb: str
    sentence: str
    pieces: tuple[str, ...]
    spaces: tuple[str, ...]
    cards: tuple[str, ...]
    choices: tuple[str, ...]
    cost: str


class FactView(Struct, frozen=True):
    """Something that became true."""

    kind: str
    fields: dict[str, str]
    """As text; lists and nested values as JSON. What is not set is left out."""
    sentence: str


class RulingView(Struct, frozen=True):
    """Why something followed."""

    rules: tuple[str, ...]
    figures: dict[str, str]
    fact: int | None
    sentence: str


class RefusalView(Struct, frozen=True):
    """An action that the rules forbid."""

    rule: str
    why: str
    figures: dict[str, str]
    sentence: str


class EventView(Struct, frozen=True):
    """One event of a match."""

    version: int
    at: datetime
    kind: str
    """As `match.ActionTaken`."""
    seat: str
    """Whose doing it was; empty for the service and the creator."""
    player: str
    """Who held that seat; empty if nobody did."""
    action: ActionView | None
    facts: tuple[FactView, ...]
    rulings: tuple[RulingView, ...]
    sentence: str
    digest: str
    client: str
    details: dict[str, str] = {}
    """What an event that is no action says beside who and when, by name; for an action, the taps
    that asked for it."""
    draw: int | None = None
    """The number of the draw, if the service made this entry of chance."""
    changes: tuple[Change, ...] = ()
    """What leads to the viewer's scene after it, if that was asked for."""
    substitute: str = ""
    """Who did it in the place of the seat; empty if the seat itself did."""
    snippet: tuple[SnippetPart, ...] = ()
    """Where it tells of what was looked for."""
    proposal: ProposalView | None = None
    """The proposal that it made, answered or ended, as it stands after it."""


def render_event(step: Transition, viewer: str) -> EventView:
    """An event as `viewer` may see it: a seat, `spectator` or `referee`. Its sentence has names and
    reasons without characters that show nothing."""
    seen = _render_with_all_text(step, viewer)
    return msgspec.structs.replace(seen, sentence=visible_text(seen.sentence))


def _render_with_all_text(step: Transition, viewer: str) -> EventView:
    event = step.sealed.event
    done = redacted_action(step.after.rules, event, viewer)
    place = (event.version, event.at, str(type(event).__struct_config__.tag))
    player = event_player(step.before, event)
    if isinstance(event, ActionTaken):
        seen = _render_action_taken(step, event, (*place, event.seat, player), done, viewer)
    else:
        seen = _render_match_event(step, event, place, player, done, viewer)
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
    told = ENGLISH.sentence("stood.in", who=who, seat=seen.seat.title())
    return msgspec.structs.replace(seen, substitute=who, sentence=f"{seen.sentence} {told}")


class _InformationStates(NamedTuple):
    """The game's states around an event, as the viewer may know them."""

    before: Any
    """The state after it, where there is none before."""
    after: Any


def _information_states(step: Transition, viewer: str) -> _InformationStates:
    game, before = step.after.rules, step.before or step.after
    return _InformationStates(
        *(game.information_state(match.position, viewer) for match in (before, step.after))
    )


def _narrate_event(
    step: Transition, done: ResolvedAction[Any, Any], known: _InformationStates
) -> Narration:
    """What an event did in the game, told from what the viewer may know."""
    if step.before is None or not (done.action is not None or done.facts):
        return Narration("")
    return step.after.rules.narrate(known.before, done, known.after)


def redacted_action(game: AnyGame, event: Event, viewer: str) -> ResolvedAction[Any, Any]:
    """What an event did in the game, with what this viewer may know of it. An event that is no
    action has None for one."""
    match event:
        case ActionTaken():
            done = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
            return game.redact(done, viewer)
        case PlayerResigned() | FlagFell():
            seat, facts, rulings = event.seat, event.facts, event.rulings
            return game.redact(ResolvedAction(seat, None, facts, rulings), viewer)
        case MatchCreated(rulings=rulings):
            return ResolvedAction("", None, (), rulings)
        case VerdictGiven(rules=rules, facts=facts):
            # A game's veil is made for actions; of a correction it would not know whose it is.
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
    done: ResolvedAction[Any, Any],
    viewer: str,
) -> EventView:
    """An event of the match itself, beside the game."""
    game = step.after.rules
    known = _information_states(step, viewer)
    told = _narrate_event(step, done, known)
    redo = match_events.concerns_redo(step.before, event)
    withdrawn = match_events.is_withdrawal(step.before, event)
    sentence = match_events.sentence(game, event, player, redo=redo, withdrawn=withdrawn)
    # The game would tell of a seat that gives up.
    if told.outcome and not isinstance(event, FlagFell):
        # Of a seat that resigns while others play on, the game tells all there is to tell.
        own = isinstance(event, PlayerResigned)
        sentence = told.outcome if own else f"{sentence} {told.outcome}"
    source = event.source if isinstance(event, SeatEvent) else UNKNOWN_ORIGIN
    return EventView(
        *place,
        getattr(event, "seat", ""),
        player,
        None,
        _render_facts(done, told),
        _render_rulings(game, done, known),
        sentence,
        step.sealed.digest,
        source.client,
        match_events.details(game, event, viewer, redo=redo) | _tap_details(source, game, viewer),
    )


def _render_action_taken(
    step: Transition,
    event: ActionTaken[Any, Any],
    head: tuple[int, datetime, str, str, str],
    done: ResolvedAction[Any, Any],
    viewer: str,
) -> EventView:
    assert step.before is not None
    game = step.after.rules
    known = _information_states(step, viewer)
    told = _narrate_event(step, done, known)
    # Score notation tells an action from all others that were legal, and how many taps it took may
    # tell which card was picked: both are for those who see the action as it was.
    whole = done.action == event.action
    state = step.before.position
    score_notation = score_writer(game, state) if whole else _no_score_notation
    action = render_action(game, state, done.action, score_notation)
    # A preview that ends early leads nowhere, and has no outcome yet.
    outcome = as_sentence(action.sentence) if step.after is step.before else told.outcome
    return EventView(
        *head,
        action,
        _render_facts(done, told),
        _render_rulings(game, done, known),
        outcome,
        step.sealed.digest,
        event.source.client,
        _tap_details(event.source, game, viewer) if whole else {},
        event.draw,
    )


def _render_facts(done: ResolvedAction[Any, Any], told: Narration) -> tuple[FactView, ...]:
    pairs = zip(done.facts, told.facts, strict=True)
    return tuple([render_fact(fact, sentence) for fact, sentence in pairs])


def _render_rulings(
    game: AnyGame, done: ResolvedAction[Any, Any], known: _InformationStates
) -> tuple[RulingView, ...]:
    return tuple([render_ruling(game, each, known.before, known.after) for each in done.rulings])


def _tap_details(source: Origin, game: AnyGame, viewer: str) -> dict[str, str]:
    """Which taps of which stylus asked for it. Where the game hides anything, the referee alone is
    told their versions at the table: they tell how often others tapped meanwhile."""
    taps = source.taps
    if taps is None:
        return {}
    told = {"table": str(taps.table), "gateway": taps.gateway, "stylus": taps.stylus}
    if viewer == REFEREE or not game.has_hidden_information:
        told["taps"] = " ".join(map(str, taps.versions))
    return told


ScoreWriter = Callable[[Any], str]
"""Writes an action in the rulebook's score notation."""


def _no_score_notation(_: Any) -> str:
    return ""


def score_writer(game: AnyGame, state: Any) -> ScoreWriter:
    """Writes the actions of a state in score notation; as nothing in a game that has none."""
    return game.score.writer(state) if game.score else _no_score_notation


def render_action(
    game: AnyGame, state: Any, action: Any, score_notation: ScoreWriter = _no_score_notation
) -> ActionView:
    """An action in the state before it, with its score notation if it is to have one. The caller
    has veiled it, or owes no veil."""
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
    )


def render_fact(fact: Any, sentence: str) -> FactView:
    """A fact that the veil let through, with its sentence."""
    fields = {}
    for name in fact.__struct_fields__:
        value = getattr(fact, name)
        if value is not None:
            fields[name] = value if type(value) is str else msgspec.json.encode(value).decode()
    return FactView(str(type(fact).__struct_config__.tag), fields, sentence)


def render_ruling(game: AnyGame, ruling: Ruling, before: Any, after: Any) -> RulingView:
    """A ruling that the veil let through, one sentence for each of its rules: the figures, which
    are of all of them, stand in the last."""
    *others, last = ruling.rules
    said = game.figures_in_words(before, ruling.figures, after)
    told = [*(_rule_sentence(game, rule) for rule in others), _rule_sentence(game, last, said)]
    sentence = " ".join(told)
    return RulingView(ruling.rules, _figures_as_text(ruling.figures), ruling.fact, sentence)


def render_refusal(game: AnyGame, refused: Refused, state: Any) -> RefusalView:
    """A refusal, with its rule in words."""
    said = game.figures_in_words(state, refused.figures, state)
    sentence = _rule_sentence(game, refused.rule, said)
    return RefusalView(refused.rule, refused.why, _figures_as_text(refused.figures), sentence)


def event_player(before: AnyMatch | None, event: Event) -> str:
    """The player behind an event: who holds its seat, or takes it. Empty if nobody does."""
    if isinstance(event, SeatClaimed | RefereeSeated):
        return event.player
    seat = getattr(event, "seat", "")
    return before.player_of(seat) if before and seat else ""


def _rule_sentence(game: AnyGame, rule: str, said: tuple[str, ...] = ()) -> str:
    # A rule of an old log may have left the index since: then its id is all there is to say.
    known = game.rules.get(rule)
    return explain(known, said) if known else rule


def _figures_as_text(figures: Figures) -> dict[str, str]:
    return {name: str(value) for name, value in figures.items()}
