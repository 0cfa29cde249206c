"""Audits of unaltered matches: each is sound, and is judged by what was recorded."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec.structs import replace

from domain.kernel.game import REFEREE
from domain.kernel.rulings import Accepted
from domain.log.digests import canonical_bytes, chain_digest
from domain.log.ledger import Rejection
from domain.log.sealed_events import SealedEvent
from domain.match import (
    ActionTaken,
    Audit,
    Changeset,
    Finding,
    MatchCreated,
    MatchSetup,
    Terms,
    Verdict,
    VerdictGiven,
    act,
    correct,
    create,
    raise_dispute,
    resign,
    respond_to_undo,
    revert,
    roles,
    undo,
    uphold,
)
from domain.registry import GAMES
from domain.storage.mapper import read_envelope
from domain.storage.upcasts import upcast
from tests.command_contexts import context_at
from tests.domain.conftest import MatchBuilder, key_of
from tests.domain.match.test_audit import forged

every_game = pytest.mark.parametrize("game", GAMES)
TWIN_WELLS = {
    "scenario": "twin-wells",
    "armies": {"south": {"faction": "gudanna", "golems": [{"type": "sand-lion"}]}},
}


class DisputedStory(MatchBuilder):
    """A match in which a seat can dispute the last event."""

    def disputed(self) -> int:
        seat = self.match.seats[0]
        assert self.tell(
            raise_dispute(self.match, seat, self.match.version, "no", self.command_context)
        )
        return self.match.version


def judged(events: list[SealedEvent[Any]]) -> list[Finding]:
    """What is found in the events, as they come from the log."""
    audit = Audit(upcast)
    lines = [b'{"digest":"%b","event":%b}' % (each.digest.encode(), each.body) for each in events]
    found = [finding for line in lines for finding in audit.take(read_envelope(line))]
    return found + audit.end()


def spelled_out(
    events: list[SealedEvent[Any]], number: int, /, **words: Any
) -> list[SealedEvent[Any]]:
    """The log as it would be if one event had spelled these fields out, and all digests fitted."""
    log: list[SealedEvent[Any]] = []
    for sealed in events:
        body = sealed.body
        if sealed.event.version == number:
            body = canonical_bytes(msgspec.json.decode(body) | words)
        log.append(
            SealedEvent(sealed.event, chain_digest(log[-1].digest if log else "0" * 64, body), body)
        )
    return log


# --- verdicts ------------------------------------------------------------------------------------


@every_game
@pytest.mark.parametrize("chance", ["entered", "rolled"])
def test_a_match_with_verdicts_of_every_kind_is_sound(game: str, chance: Any) -> None:
    story = DisputedStory(game, 5, Terms(chance=chance)).seat_players().play(6)
    dispute = story.disputed()
    assert story.tell(uphold(story.match, Verdict(dispute, "it was so", ()), story.command_context))
    dispute = story.disputed()
    to = story.match.version - 3
    assert story.tell(
        revert(
            story.match,
            Verdict(dispute, "it was not so", ()),
            to,
            story.command_context,
            story.version_lookup,
            seeds=story.seeds,
        )
    )
    prompt = story.match.prompts[0]
    action = next(iter(story.rules.legal(story.match.position, prompt.seat)))
    outcome = story.rules.decide(story.match.position, prompt.seat, action)
    assert isinstance(outcome, Accepted)
    dispute = story.disputed()
    assert story.tell(
        correct(
            story.match,
            Verdict(dispute, "it is so", ()),
            outcome.facts,
            story.command_context,
            seeds=story.seeds,
        )
    )
    story.play(3).end()
    assert judged(story.events) == []


@every_game
def test_a_verdict_is_sound_though_an_earlier_version_gave_it_another_salt(game: str) -> None:
    story = MatchBuilder(game, 5).seat_players().play(2).dispute(3)
    verdict = story.events[-1].event
    assert isinstance(verdict, VerdictGiven)
    assert judged(forged(story.events, verdict.version, salt="5a" * 32)) == []


# --- what is spelled out -------------------------------------------------------------------------


def made(game: str, options: dict[str, Any], terms: Terms) -> list[SealedEvent[Any]]:
    rules = GAMES[game]
    chosen = msgspec.convert(options, rules.options)
    keys = {role: key_of(role) for role in roles(rules, chosen)}
    command_context = context_at(datetime(2026, 11, 21, tzinfo=UTC), "request")
    created = create(
        MatchSetup(rules, chosen, terms=terms), UUID(int=5, version=4), keys, command_context
    )
    return list(created.events)


@every_game
def test_a_default_that_was_read_from_a_text_is_recorded_as_any_default(game: str) -> None:
    usual = "".join(["con", "sent"])  # an equal text, and not the same object
    read: Any = Terms(undo=usual)  # type: ignore[arg-type]
    assert [each.body for each in made(game, {}, read)] == [
        each.body for each in made(game, {}, Terms())
    ]


@every_game
def test_a_match_that_spells_a_default_out_is_sound(game: str) -> None:
    story = MatchBuilder(game, 2).seat_players().play(4)
    log = spelled_out(story.events, 1, undo="consent", title="A story", pause=False)
    log = spelled_out(log, 4, entry=story.events[3].event.entry, draw=None)
    assert log[0].body != story.events[0].body
    assert judged(log) == []


@pytest.mark.parametrize("place", ["", "options", "rulings"])
def test_a_match_that_says_what_no_event_can_say_is_not_sound(place: str) -> None:
    story = MatchBuilder("agog", 2).seat_players().play(4)
    body = msgspec.json.decode(story.events[0].body)
    room = {"": body, "options": body["options"], "rulings": body["rulings"][0]}[place]
    room["colour"] = "red"
    checks = [each.check for each in judged(spelled_out(story.events, 1, **body))]
    assert set(checks) & {"chain", "position"}


def test_what_stands_in_memory_is_what_was_recorded() -> None:
    (created,) = made("golem-arcana", TWIN_WELLS, Terms())
    again = read_envelope(
        b'{"digest":"%b","event":%b}' % (created.digest.encode(), created.body)
    ).event
    assert created.event == again
    assert isinstance(again, MatchCreated)
    assert isinstance(again.options["armies"]["south"]["golems"], list)


def test_a_match_with_armies_of_its_own_is_sound() -> None:
    assert judged(made("golem-arcana", TWIN_WELLS, Terms())) == []


@every_game
def test_a_match_from_before_an_option_was_added_is_sound(game: str) -> None:
    story = MatchBuilder(game, 2).play(2)
    created = story.events[0].event
    assert isinstance(created, MatchCreated)
    for name in created.options.keys() - {"chance"}:
        fewer = {key: value for key, value in created.options.items() if key != name}
        assert judged(forged(story.events, 1, options=fewer)) == []


# --- draws in a pause ----------------------------------------------------------------------------


def in_the_middle_of_draws() -> tuple[DisputedStory, int]:
    """A match of Earthen-War that a dispute pauses, and a version from which it has to roll."""
    story = DisputedStory("earthen-war", 3, Terms(chance="rolled", pause=True, undo="referee"))
    story.seat_players().play(20)
    rolls = [each.event for each in story.events if isinstance(each.event, ActionTaken)]
    middle = next(roll.version for roll in rolls if roll.draw and roll.version > 5) - 1
    story.disputed()
    return story, middle


def test_nothing_is_drawn_while_a_dispute_pauses_the_match() -> None:
    story, middle = in_the_middle_of_draws()
    draws = story.match.draws
    assert story.take_back(middle)
    assert story.match.draws == draws
    assert any(prompt.is_chance for prompt in story.match.turn)
    assert story.match.prompts == ()
    prompt = story.match.turn[0]
    entry = next(iter(story.rules.legal(story.match.position, prompt.seat)))
    refused = act(story.match, prompt.seat, entry, story.command_context, story.seeds)
    assert isinstance(refused, Rejection)
    assert refused.reason == "MATCH_PAUSED"
    assert judged(story.events) == []


@pytest.mark.parametrize("verdict", ["upheld", "reverted"])
def test_the_verdict_that_ends_the_pause_has_the_draws_made(verdict: str) -> None:
    story, middle = in_the_middle_of_draws()
    dispute, draws = story.match.version, story.match.draws
    assert story.take_back(middle)
    words = (story.match, Verdict(dispute, "go on", ()))
    if verdict == "upheld":
        outcome = uphold(*words, story.command_context, story.seeds)
    else:
        outcome = revert(*words, middle, story.command_context, story.version_lookup, story.seeds)
    assert story.tell(outcome)
    assert story.match.draws > draws
    assert not any(prompt.is_chance for prompt in story.match.prompts)
    story.play(5).end()
    assert judged(story.events) == []


def test_of_several_disputes_the_last_verdict_has_the_draws_made() -> None:
    story, middle = in_the_middle_of_draws()
    first, draws = story.match.version, story.match.draws
    assert story.tell(raise_dispute(story.match, "black", 2, "nor I", story.command_context))
    second = story.match.version
    assert story.take_back(middle)
    assert story.tell(
        uphold(story.match, Verdict(first, "yes", ()), story.command_context, story.seeds)
    )
    assert story.match.draws == draws
    assert story.tell(
        uphold(story.match, Verdict(second, "yes", ()), story.command_context, story.seeds)
    )
    assert story.match.draws > draws


def test_an_undo_that_the_referee_grants_in_a_pause_draws_nothing_either() -> None:
    story = DisputedStory("earthen-war", 3, Terms(chance="rolled", pause=True))
    story.seat_players().play(20)
    rolls = [each.event for each in story.events if isinstance(each.event, ActionTaken)]
    middle = next(roll.version for roll in rolls if roll.draw and roll.version > 5) - 1
    assert story.take_back(middle, "white")
    story.disputed()
    draws = story.match.draws
    granted = respond_to_undo(
        story.match, REFEREE, True, story.command_context, story.version_lookup, story.seeds
    )
    assert story.tell(granted)
    assert story.match.draws == draws
    assert judged(story.events) == []


def test_a_match_in_which_an_earlier_version_drew_in_a_pause_is_sound() -> None:
    story, middle = in_the_middle_of_draws()
    dispute = story.match.version
    assert story.take_back(middle)
    # As it was: the draws follow at once, and the dispute is open all the while.
    terms = replace(story.match.terms, pause=False)
    before = replace(story.match, terms=terms)
    drawn = undo(before, REFEREE, story.states[middle - 1], [], story.command_context, story.seeds)
    assert isinstance(drawn, Rejection)
    unpaused = replace(story.states[dispute - 1], terms=terms)
    left = story.events[middle:dispute]
    again = undo(
        unpaused, REFEREE, story.states[middle - 1], left, story.command_context, story.seeds
    )
    assert isinstance(again, Changeset)
    assert len(again.events) > 1
    assert judged([*story.events[:dispute], *again.events]) == []


# --- how it ends ---------------------------------------------------------------------------------


@every_game
def test_a_finished_match_that_is_disputed_and_upheld_reveals_no_seed_again(game: str) -> None:
    story = DisputedStory(game, 5, Terms(chance="rolled")).seat_players().play(3).end()
    if story.match.result is None:  # play continues without the seat that resigned
        for seat in story.match.seats[1:]:
            story.tell(resign(story.match, seat, story.command_context, story.seeds))
    epoch = story.match.details.epoch
    dispute = story.disputed()
    assert story.tell(
        uphold(story.match, Verdict(dispute, "so it was", ()), story.command_context, story.seeds)
    )
    assert story.match.details.epoch == epoch
    assert judged(story.events) == []


def test_no_correction_makes_a_position_that_its_text_does_not_tell() -> None:
    """A mage that was chosen before any was dealt: the text has no place for it."""
    story = DisputedStory("res-arcana", 5).seat_players()
    fact = msgspec.convert(
        {"type": "res-arcana.mage-chosen", "seat": "north", "card": "witch"}, story.rules.facts
    )
    dispute = story.disputed()
    refused = correct(story.match, Verdict(dispute, "it is so", ()), (fact,), story.command_context)
    assert isinstance(refused, Rejection)
    assert refused.reason == "FACTS_IMPOSSIBLE"
