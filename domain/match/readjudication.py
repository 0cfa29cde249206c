"""Checks of one recorded event against today's rules, with the differences in words."""

import re
from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.any_game import fold, read_options, read_stored_position
from domain.kernel.game import AnyGame, Prompt, ResolvedAction
from domain.kernel.packs import Library
from domain.kernel.rulings import Accepted, Refused, Ruling
from domain.log.digests import canonical_bytes
from domain.log.ledger import Changeset
from domain.log.origin import SALT_BYTES, UNKNOWN_ORIGIN, CommandContext, Origin
from domain.log.runs import Run
from domain.match.access import CREATOR
from domain.match.clocks import first_flag_fall, truncate_to_ms
from domain.match.details import Terms
from domain.match.disputes import MAX_REASON_LENGTH
from domain.match.events import (
    MAX_NAME_LENGTH,
    ActionTaken,
    DowntimeCredited,
    Event,
    FlagFell,
    MatchCreated,
    MatchStarted,
    SeatClaimed,
    SeatEvent,
    SeedRotated,
    VerdictGiven,
)
from domain.match.ledger import Outcome, drawn_entry, drawn_seats, prompt_to_draw
from domain.match.play import act
from domain.match.recording import matches_stored_json
from domain.match.seats import has_seed_commitment, token_roles
from domain.match.state import AnyMatch, without_draws_and_clocks
from domain.registry import GAMES

Check = Literal[
    "chain", "signature", "chance", "facts", "rulings", "legality", "position", "taps", "time"
]
"""The kind of check that found something."""
HEX_DIGEST: Final = re.compile("[0-9a-f]{64}")


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing in a recorded match that is wrong, or would be different today."""

    version: int
    check: Check
    sentence: str
    """A sentence without hidden information, for any viewer."""
    rule: str = ""
    """The ID of the rule in question, if there is one."""
    detail: str = ""
    """The action, the position and the consequence, which may hold hidden information."""


class Draw(Struct, frozen=True):
    """An entry that the service made, kept until its seed is revealed."""

    before: AnyMatch
    prompt: Prompt
    event: ActionTaken[Any, Any]


def check_draw(draw: Draw, seed: bytes) -> Iterator[Finding]:
    """Yield a finding if the entry is not the one that the seed gives."""
    event, game = draw.event, draw.before.rules
    assert event.draw is not None
    due = drawn_entry(draw.before, draw.prompt, event.draw, seed)
    if due != event.action:
        yield Finding(
            event.version,
            "chance",
            f"draw {event.draw} is not the one that the revealed seed gives",
            detail=f"it is {game.write_action(event.action)}, and the seed gives"
            f" {game.write_action(due)}",
        )


class SeatDraw(Struct, frozen=True):
    """A draw of seats, kept until its seed is revealed."""

    before: AnyMatch
    event: MatchStarted


def check_seat_draw(draw: SeatDraw, seed: bytes) -> Iterator[Finding]:
    """Yield a finding if the seats are not those that the seed gives."""
    event = draw.event
    assert event.draw is not None
    if drawn_seats(draw.before, event.draw, seed) != event.seats:
        why = f"draw {event.draw} is not the one that the revealed seed gives"
        yield Finding(event.version, "chance", why)


def check_texts(event: Event) -> Iterator[Finding]:
    """Yield findings for texts that the service would reject, such as in a forged file."""
    bounds = {"title": MAX_NAME_LENGTH, "player": MAX_NAME_LENGTH, "entropy": MAX_NAME_LENGTH}
    bounds |= {"reason": MAX_REASON_LENGTH, "request": MAX_NAME_LENGTH, "key": MAX_NAME_LENGTH}
    bounds |= {"creator": MAX_NAME_LENGTH, "salt": MAX_NAME_LENGTH}
    given = {name: getattr(event, name, "") for name in bounds}
    texts = {name: text for name, text in given.items() if isinstance(text, str)}
    source = getattr(event, "source", Origin())
    texts |= {"client": source.client, "stand-in": source.stand_in}
    if isinstance(event, MatchCreated):
        texts |= {f"token digest of {role}": key for role, key in event.invitations.items()}
    for name, text in texts.items():
        most = bounds.get(name, MAX_NAME_LENGTH)
        if len(text) > most or re.search(r"[\x00-\x1f\x7f]", text):
            why = f"its {name} has more than {most} characters, or control characters"
            yield Finding(event.version, "legality", why)
        if (name == "key" or name.startswith("token")) and not text.isascii():
            yield Finding(event.version, "legality", f"its {name} is not plain text")
    if event.at.tzinfo is None:
        yield Finding(event.version, "legality", "its time has no zone")


def check_creation(event: MatchCreated, library: Library) -> Iterator[Finding]:
    """Yield findings for a creation that would be different today."""
    game: AnyGame = GAMES[event.game]

    def finding(check: Check, sentence: str, detail: str = "") -> Finding:
        return Finding(event.version, check, sentence, detail=detail)

    try:
        options = read_options(game, event.options, library)
    except msgspec.ValidationError as error:  # such as for a missing content pack
        yield finding("position", f"its options cannot be read here: {error}")
        return
    # An option that was added later is not in the event, and has its default.
    if not matches_stored_json(event.options, options):
        yield finding("legality", "its options are not those that the game has today")
    if event.seats != game.seats(options):
        yield finding("legality", f"its seats are not {', '.join(game.seats(options))}")
    terms = Terms(
        event.chance,
        seat_chance=event.seat_chance,
        begins=event.begins,
        referee=event.referee,
        admission=event.admission,
        seat_order=event.seat_order,
    )
    tokens = token_roles(game, options, terms)
    # Matches of earlier releases have no token for their creators.
    if event.invitations.keys() - {CREATOR} != {*tokens} - {CREATOR}:
        yield finding("legality", f"its tokens are not for {', '.join(tokens)}")
    # An imported transcript holds what was dealt, and commits to no seed.
    committed = has_seed_commitment(game, options, terms)
    if bool(event.commitment) != committed and (terms.has_rolled_chance or not committed):
        yield finding("chance", "a seed is committed to where the service draws, and only there")
    if event.run is not None and not (event.commitment and is_valid_run(event.run)):
        yield finding("chance", "its run is not one that a seed can come from")
    if not event.seat_chance.keys() <= {*event.seats} or event.chance in event.seat_chance.values():
        yield finding("chance", "who rolls is said of each seat, where it is not as for the match")
    start = game.write_position(read_stored_position(game, event.start, options))
    if start != event.start:
        yield finding("position", "its start is not written as positions are today", start)
    usual = game.write_position(game.start(options))
    # A fork or an imported transcript may start from any position. No rule is then cited for its
    # start.
    as_usual = bool(event.rulings) or (event.origin is None and start == usual)
    if as_usual and canonical_bytes(event.rulings) != canonical_bytes(game.opening(options)):
        yield finding("rulings", "today's rules give other reasons for the start")
    if event.rulings and start != usual:
        yield finding("position", "today the match would begin differently", usual)


def is_valid_run(run: Run) -> bool:
    """Return whether the values are those of a run of the service."""
    return run.number > 0 and all(map(HEX_DIGEST.fullmatch, (run.entropy, run.secret)))


def check_seed_rotation(match: AnyMatch, event: SeedRotated) -> Iterator[Finding]:
    """Yield findings for a new seed that was not due or cannot be checked."""
    before = match.details.run
    draws = prompt_to_draw(match) is not None or (
        match.waiting and match.terms.seat_order == "drawn" and {*match.holders} == {*match.seats}
    )
    if not (match.details.commitment and draws):
        why = "the seed is renewed before a draw of the service, and only there"
        yield Finding(event.version, "chance", why)
    if not is_valid_run(event.run) or not HEX_DIGEST.fullmatch(event.commitment):
        yield Finding(event.version, "chance", "it promises nothing that can be checked")
    elif before is not None and (event.run == before or event.run.number < before.number):
        yield Finding(event.version, "chance", "the service had begun no run since the last")


def recorded_context(event: Any) -> CommandContext:
    """Return the context of the command that recorded an event.

    Its salt is unknown. So events that are judged again are compared without theirs, and never
    recorded.
    """
    source = getattr(event, "source", UNKNOWN_ORIGIN)
    return CommandContext(event.at, event.request, bytes(SALT_BYTES), source)


def check_substitute(match: AnyMatch, event: Event) -> Iterator[Finding]:
    """Yield findings if a substitute acted who may not act for the seat."""
    if not isinstance(event, SeatEvent):
        return
    if not 0 <= event.source.answers <= match.version:
        why = "it answers an event that had not happened"
        yield Finding(event.version, "legality", why)
    who = event.source.stand_in
    if who and who != match.terms.stand_in:
        why = "somebody acted for the seat whom the match does not let act for it"
        yield Finding(event.version, "legality", why, detail=f"{who} acted for {event.seat}")


def check_creator_seat(match: AnyMatch, event: SeatClaimed, before: Event) -> Iterator[Finding]:
    """Yield findings if the creator may not have this seat."""
    if not isinstance(before, MatchCreated) or before.request != event.request:
        yield Finding(event.version, "legality", "it was not taken as the match was created")
    if event.seat not in match.seats:
        yield Finding(event.version, "legality", "it is refused: there is no such seat")
    if match.rules.has_hidden_information and match.terms.referee == "creator":
        yield Finding(event.version, "legality", "whoever referees would see what players hide")


def check_start(match: AnyMatch, event: MatchStarted) -> Iterator[Finding]:
    """Yield findings if the match may not start at this event."""
    if not (match.waiting and match.holders.keys() == {*match.seats}):
        why = "a match begins once, when it has waited for its seats and the last one is taken"
        yield Finding(event.version, "legality", why)
    draws = match.terms.seat_order == "drawn" and bool(match.details.commitment)
    if event.draw != (match.draws + 1 if draws else None):
        yield Finding(event.version, "chance", "its draw of the seats is not the one that is due")
    whole = {*match.seats}
    if draws and not {*event.seats} == {*event.seats.values()} == whole:
        yield Finding(event.version, "chance", "it does not draw each seat for one player")


def check_time(match: AnyMatch, event: Event) -> Iterator[Finding]:
    """Yield findings if the time of an event does not fit the clocks."""
    clocks = match.clocks
    if clocks is None or event.at.tzinfo is None:
        return
    if event.at < clocks.at or event.at != truncate_to_ms(event.at):
        why = "its time is no whole millisecond at or after that of the event before it"
        yield Finding(event.version, "time", why)
    if isinstance(event, DowntimeCredited) and not clocks.at <= event.since <= event.at:
        why = "the service was not away since then: something happened meanwhile"
        yield Finding(event.version, "time", why)
    flag = first_flag_fall(clocks, match.time_controls)
    late = flag is not None and flag.at <= event.at
    if flag and late and not isinstance(event, FlagFell | DowntimeCredited):
        why = f"{flag.seat} had no time left, and it says nothing of that"
        yield Finding(event.version, "time", why)


def check_action(match: AnyMatch, event: ActionTaken[Any, Any]) -> Iterator[Finding]:
    """Yield findings from judging an action again, in the position in which it was taken."""
    asked = without_draws_and_clocks(match)
    if event.draw is not None:
        # Nobody acts while a dispute pauses the match, but earlier releases drew chance in a pause.
        asked = replace(asked, terms=replace(asked.terms, pause=False))
    outcome = act(asked, event.seat, event.action, recorded_context(event))
    if not isinstance(outcome, Changeset):
        rule = outcome.rule if isinstance(outcome, Refused) else ""
        yield Finding(
            event.version,
            "legality",
            "it is refused",
            rule,
            _with_context(match, event, outcome.why),
        )
        return
    again = outcome.events[0].event
    if again.facts != event.facts:
        yield _facts_finding(match, event, again)
    elif again.rulings != event.rulings:
        yield _rulings_finding(match, event, again)
    if again.entry != event.entry:
        is_so, as_if = ("is", "were not") if again.entry else ("is not", "were")
        why = f"it {is_so} an entry of chance, but is recorded as if it {as_if}"
        yield Finding(event.version, "chance", why)


def _facts_finding(
    match: AnyMatch, event: ActionTaken[Any, Any], again: ActionTaken[Any, Any]
) -> Finding:
    game = match.rules
    place = _first_difference(event.facts, again.facts)
    was, now = (_fact_text(match, each, place) for each in (event, again))
    rule = _cited_rule(again.rulings, place) or _cited_rule(event.rulings, place)
    after = [game.write_position(fold(game, match.position, each.facts)) for each in (event, again)]
    ends = f"it led to {after[0]}, and would lead to {after[1]}"
    if after[0] == after[1]:
        ends = f"both lead to {after[0]}"
    why = f"fact {place} is {was}, and would be {now}; {ends}"
    return Finding(
        event.version,
        "facts",
        f"fact {place} would be another{_known_mistake(match, event)}",
        rule,
        _with_context(match, event, why),
    )


def _rulings_finding(
    match: AnyMatch, event: ActionTaken[Any, Any], again: ActionTaken[Any, Any]
) -> Finding:
    place = _first_difference(event.rulings, again.rulings)
    was, now = (
        canonical_bytes(each.rulings[place]).decode() if place < len(each.rulings) else "nothing"
        for each in (event, again)
    )
    either = again.rulings[place:] or event.rulings[place:]
    why = f"ruling {place} is {was}, and would be {now}; the facts are the same"
    return Finding(
        event.version,
        "rulings",
        f"ruling {place} would be another, with the same facts{_known_mistake(match, event)}",
        either[0].rules[0],
        _with_context(match, event, why),
    )


def _known_mistake(match: AnyMatch, event: ActionTaken[Any, Any]) -> str:
    """Return the known mistake of an earlier release that explains this outcome, or ""."""
    game = match.rules
    if game.legacy_decisions is None:
        return ""
    recorded = Accepted(event.facts, event.rulings)
    made = game.legacy_decisions(match.position, event.seat, event.action)
    return next((f": {mistake}" for mistake, outcome in made if outcome == recorded), "")


def _with_context(match: AnyMatch, event: ActionTaken[Any, Any], why: str) -> str:
    """Return the action and the position in words, followed by the finding."""
    game = match.rules
    source = f" ({event.source.client})" if event.source.client else ""
    action, position = game.write_action(event.action), game.write_position(match.position)
    return f"{event.seat}{source} took {action} from {position}: {why}"


def _first_difference(one: tuple[Any, ...], other: tuple[Any, ...]) -> int:
    """Return the first index at which two tuples differ."""
    pairs = zip(one, other, strict=False)
    shorter = min(len(one), len(other))
    return next((n for n, (left, right) in enumerate(pairs) if left != right), shorter)


def _cited_rule(rulings: tuple[Ruling, ...], fact: int) -> str:
    """Return the rule that a fact rests on, or else the first rule of the action."""
    about = [each for each in rulings if each.fact == fact] or [*rulings]
    return about[0].rules[0] if about else ""


def _fact_text(match: AnyMatch, event: ActionTaken[Any, Any], place: int) -> str:
    """Return a fact in words, or as data where it has no words."""
    if place >= len(event.facts):
        return "nothing"
    game, before = match.rules, match.position
    done = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
    fact_sentence = game.narrate(before, done, fold(game, before, event.facts)).facts[place]
    return (
        f'"{fact_sentence.rstrip(".")}"'
        if fact_sentence
        else canonical_bytes(event.facts[place]).decode()
    )


_LATER_FIELDS = ("redo", "rolled", "revealed")
"""Fields of an undo, a redo or a verdict that earlier releases did not record."""


def check_administrative_event(event: Event, outcome: Outcome | None) -> Iterator[Finding]:
    """Yield findings if today's commands would record another event than this."""
    if outcome is None:
        return
    if not isinstance(outcome, Changeset):
        # The facts of a verdict may hold hidden information, and so may the reason of its refusal.
        hidden = isinstance(event, VerdictGiven)
        why = "it is refused" if hidden else f"it is refused: {outcome.why}"
        yield Finding(event.version, "legality", why, detail=outcome.why if hidden else "")
        return
    again = outcome.events[0].event
    names = [
        name
        for name in event.__struct_fields__
        if getattr(again, name, msgspec.UNSET) != getattr(event, name)
        and name != "salt"  # it is random, so that it always differs
        and not (name in _LATER_FIELDS and not getattr(event, name))
    ]
    if type(again) is not type(event):
        yield Finding(event.version, "legality", f"today it would be {_event_tag(again)}")
    elif names:
        yield Finding(event.version, "legality", f"its {', '.join(names)} would be different")


def _event_tag(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
