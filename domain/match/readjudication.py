"""What today's rules say of one recorded event, and the difference in words."""

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
"""What was looked at."""
HEX_DIGEST: Final = re.compile("[0-9a-f]{64}")


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing that is not as it should be, or would be otherwise today."""

    version: int
    check: Check
    sentence: str
    """For anybody: nothing in it is hidden from any viewer."""
    rule: str = ""
    """The rule in question, if one is."""
    detail: str = ""
    """Who did what, from where, and with what consequence. It may tell what is hidden."""


class Draw(Struct, frozen=True):
    """An entry that the service made, until its seed is revealed."""

    before: AnyMatch
    prompt: Prompt
    event: ActionTaken[Any, Any]


def check_draw(draw: Draw, seed: bytes) -> Iterator[Finding]:
    """Is the entry the one that the seed gives?"""
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
    """A draw of seats, until its seed is revealed."""

    before: AnyMatch
    event: MatchStarted


def check_seat_draw(draw: SeatDraw, seed: bytes) -> Iterator[Finding]:
    """Are the seats those that the seed gives?"""
    event = draw.event
    assert event.draw is not None
    if drawn_seats(draw.before, event.draw, seed) != event.seats:
        why = f"draw {event.draw} is not the one that the revealed seed gives"
        yield Finding(event.version, "chance", why)


def check_texts(event: Event) -> Iterator[Finding]:
    """Texts that the service would not have taken: hostile ones, in a file from elsewhere."""
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
    """Would the match begin like this today?"""
    game: AnyGame = GAMES[event.game]

    def finding(check: Check, sentence: str, detail: str = "") -> Finding:
        return Finding(event.version, check, sentence, detail=detail)

    try:
        options = read_options(game, event.options, library)
    except msgspec.ValidationError as error:  # as for a content pack that is not here
        yield finding("position", f"its options cannot be read here: {error}")
        return
    # An option that was added since is not in it, and stands at its default.
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
    # Who tells a match again tells what was dealt, too, and commits to nothing.
    committed = has_seed_commitment(game, options, terms)
    if bool(event.commitment) != committed and (terms.rolls or not committed):
        yield finding("chance", "a seed is committed to where the service draws, and only there")
    if event.run is not None and not (event.commitment and is_valid_run(event.run)):
        yield finding("chance", "its run is not one that a seed can come from")
    if not event.seat_chance.keys() <= {*event.seats} or event.chance in event.seat_chance.values():
        yield finding("chance", "who rolls is said of each seat, where it is not as for the match")
    start = game.write_position(read_stored_position(game, event.start, options))
    if start != event.start:
        yield finding("position", "its start is not written as positions are today", start)
    usual = game.write_position(game.start(options))
    # A fork, or a match that is played again from a transcript, may begin anywhere: no rule is
    # then cited for its start.
    as_usual = bool(event.rulings) or (event.origin is None and start == usual)
    if as_usual and canonical_bytes(event.rulings) != canonical_bytes(game.opening(options)):
        yield finding("rulings", "today's rules give other reasons for the start")
    if event.rulings and start != usual:
        yield finding("position", "today the match would begin differently", usual)


def is_valid_run(run: Run) -> bool:
    """Can this be a run of the service?"""
    return run.number > 0 and all(map(HEX_DIGEST.fullmatch, (run.entropy, run.secret)))


def check_seed_rotation(match: AnyMatch, event: SeedRotated) -> Iterator[Finding]:
    """Was it time for another seed?"""
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
    """Return what the shell brought when the event was recorded: nothing of it is judged.

    Its salt is not known, since each event has one that was derived from it: events that are judged
    again are compared without theirs, and never recorded.
    """
    source = getattr(event, "source", UNKNOWN_ORIGIN)
    return CommandContext(event.at, event.request, bytes(SALT_BYTES), source)


def check_substitute(match: AnyMatch, event: Event) -> Iterator[Finding]:
    """Might whoever acted in the seat's place do so?"""
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
    """Might whoever created the match take this seat with that?"""
    if not isinstance(before, MatchCreated) or before.request != event.request:
        yield Finding(event.version, "legality", "it was not taken as the match was created")
    if event.seat not in match.seats:
        yield Finding(event.version, "legality", "it is refused: there is no such seat")
    if match.rules.has_hidden_information and match.terms.referee == "creator":
        yield Finding(event.version, "legality", "whoever referees would see what players hide")


def check_start(match: AnyMatch, event: MatchStarted) -> Iterator[Finding]:
    """Was it time for the match to begin?"""
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
    """Did it happen after what stands before it, and in time?"""
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
    """Judge an action again, from the position in which it was taken."""
    asked = without_draws_and_clocks(match)
    if event.draw is not None:
        # Nobody acts while a dispute pauses the match; but earlier versions drew in a pause.
        asked = replace(asked, terms=replace(asked.terms, pause=False))
    outcome = act(asked, event.seat, event.action, recorded_context(event))
    if not isinstance(outcome, Changeset):
        rule = outcome.rule if isinstance(outcome, Refused) else ""
        yield Finding(
            event.version, "legality", "it is refused", rule, _scene(match, event, outcome.why)
        )
        return
    again = outcome.events[0].event
    if again.facts != event.facts:
        yield _other_facts(match, event, again)
    elif again.rulings != event.rulings:
        yield _other_rulings(match, event, again)
    if again.entry != event.entry:
        is_so, as_if = ("is", "were not") if again.entry else ("is not", "were")
        why = f"it {is_so} an entry of chance, but is recorded as if it {as_if}"
        yield Finding(event.version, "chance", why)


def _other_facts(
    match: AnyMatch, event: ActionTaken[Any, Any], again: ActionTaken[Any, Any]
) -> Finding:
    game = match.rules
    place = _differs(event.facts, again.facts)
    was, now = (_quoted(match, each, place) for each in (event, again))
    rule = _rule(again.rulings, place) or _rule(event.rulings, place)
    after = [game.write_position(fold(game, match.position, each.facts)) for each in (event, again)]
    ends = f"it led to {after[0]}, and would lead to {after[1]}"
    if after[0] == after[1]:
        ends = f"both lead to {after[0]}"
    why = f"fact {place} is {was}, and would be {now}; {ends}"
    return Finding(
        event.version,
        "facts",
        f"fact {place} would be another{_mistake(match, event)}",
        rule,
        _scene(match, event, why),
    )


def _other_rulings(
    match: AnyMatch, event: ActionTaken[Any, Any], again: ActionTaken[Any, Any]
) -> Finding:
    place = _differs(event.rulings, again.rulings)
    was, now = (
        canonical_bytes(each.rulings[place]).decode() if place < len(each.rulings) else "nothing"
        for each in (event, again)
    )
    either = again.rulings[place:] or event.rulings[place:]
    why = f"ruling {place} is {was}, and would be {now}; the facts are the same"
    return Finding(
        event.version,
        "rulings",
        f"ruling {place} would be another, with the same facts{_mistake(match, event)}",
        either[0].rules[0],
        _scene(match, event, why),
    )


def _mistake(match: AnyMatch, event: ActionTaken[Any, Any]) -> str:
    """The known mistake of an earlier release that led to exactly this, if one did."""
    game = match.rules
    if game.legacy_decisions is None:
        return ""
    recorded = Accepted(event.facts, event.rulings)
    made = game.legacy_decisions(match.position, event.seat, event.action)
    return next((f": {mistake}" for mistake, outcome in made if outcome == recorded), "")


def _scene(match: AnyMatch, event: ActionTaken[Any, Any], why: str) -> str:
    """Who did what, from where: then what there is to say."""
    game = match.rules
    source = f" ({event.source.client})" if event.source.client else ""
    action, position = game.write_action(event.action), game.write_position(match.position)
    return f"{event.seat}{source} took {action} from {position}: {why}"


def _differs(one: tuple[Any, ...], other: tuple[Any, ...]) -> int:
    """The first place, from 0, at which two lists differ."""
    pairs = zip(one, other, strict=False)
    shorter = min(len(one), len(other))
    return next((n for n, (left, right) in enumerate(pairs) if left != right), shorter)


def _rule(rulings: tuple[Ruling, ...], fact: int) -> str:
    """The rule that a fact rests on; else the first that the action does."""
    about = [each for each in rulings if each.fact == fact] or [*rulings]
    return about[0].rules[0] if about else ""


def _quoted(match: AnyMatch, event: ActionTaken[Any, Any], place: int) -> str:
    """A fact in words, or as data where it has none."""
    if place >= len(event.facts):
        return "nothing"
    game, before = match.rules, match.position
    done = ResolvedAction(event.seat, event.action, event.facts, event.rulings)
    told = game.narrate(before, done, fold(game, before, event.facts)).facts[place]
    return f'"{told.rstrip(".")}"' if told else canonical_bytes(event.facts[place]).decode()


_SINCE = ("redo", "rolled", "revealed")
"""Fields of an undo, a redo or a verdict that earlier versions did not record."""


def check_administrative_event(event: Event, outcome: Outcome | None) -> Iterator[Finding]:
    """Compare an affair of the match with what is made of it today."""
    if outcome is None:
        return
    if not isinstance(outcome, Changeset):
        # Stated facts may be of what is hidden, and then so is what is wrong with them.
        hidden = isinstance(event, VerdictGiven)
        why = "it is refused" if hidden else f"it is refused: {outcome.why}"
        yield Finding(event.version, "legality", why, detail=outcome.why if hidden else "")
        return
    again = outcome.events[0].event
    names = [
        name
        for name in event.__struct_fields__
        if getattr(again, name, msgspec.UNSET) != getattr(event, name)
        and name != "salt"  # it is secret, and follows from nothing
        and not (name in _SINCE and not getattr(event, name))
    ]
    if type(again) is not type(event):
        yield Finding(event.version, "legality", f"today it would be {_kind(again)}")
    elif names:
        yield Finding(event.version, "legality", f"its {', '.join(names)} would be different")


def _kind(event: Event) -> str:
    return str(type(event).__struct_config__.tag)
