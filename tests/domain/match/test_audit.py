"""Audits of recorded matches: sound events pass, and every fault is reported."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.kernel.rulings import Accepted, Refused, Ruling
from domain.log.digests import GENESIS
from domain.log.origin import Origin
from domain.log.sealed_events import SealedEvent, seal
from domain.match import ActionTaken, Audit, Finding, MatchCreated, SeedRevealed, Terms
from domain.registry import ENTRIES, GAMES
from domain.storage.mapper import read_envelope
from tests.domain.conftest import MatchBuilder

RECORDED = Path(__file__).parent / "recorded"
every_game = pytest.mark.parametrize("game", GAMES)


def judged(events: list[SealedEvent[Any]]) -> list[Finding]:
    audit = Audit()
    return [finding for sealed in events for finding in audit.take(sealed)]


def forged(events: list[SealedEvent[Any]], version: int, **changes: Any) -> list[SealedEvent[Any]]:
    """The log with one event changed and all digests made to fit again."""
    log: list[SealedEvent[Any]] = []
    for sealed in events:
        event = replace(sealed.event, **changes if sealed.event.version == version else {})
        log.append(seal(log[-1].digest if log else GENESIS, event))
    return log


def actions(story: MatchBuilder) -> list[Any]:
    return [each.event for each in story.events if isinstance(each.event, ActionTaken)]


def checks(findings: list[Finding]) -> list[tuple[int, str]]:
    return [(finding.version, finding.check) for finding in findings]


@every_game
@pytest.mark.parametrize("chance", ["entered", "rolled"])
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_whatever_is_played_passes(game: str, chance: Any, seed: int) -> None:
    story = MatchBuilder(game, seed, Terms(chance=chance)).seat_players().wander(12)
    story.end()
    audit = Audit()
    for sealed, state in zip(story.events, story.states, strict=True):
        assert audit.take(sealed) == []
        assert audit.match == state
    if chance == "rolled" and story.match.result is not None:
        assert audit.unproven == 0


def test_a_changed_event_breaks_the_chain_where_it_stands() -> None:
    log = MatchBuilder("agog").seat_players().play(6).events
    log[4] = replace(log[4], body=log[4].body.replace(b"white", b"black"))
    assert (5, "chain") in checks(judged(log))


@pytest.mark.parametrize("lost", [1, 3, 5])
def test_a_missing_event_is_reported(lost: int) -> None:
    log = MatchBuilder("agog").seat_players().play(6).events
    findings = judged([*log[: lost - 1], *log[lost:]])
    assert checks(findings)[-1] == (lost, "chain")
    assert f"event {lost} is due here" in findings[-1].sentence


def test_an_event_of_another_match_is_reported() -> None:
    one, other = MatchBuilder("agog", 1).play(3), MatchBuilder("agog", 2).play(3)
    findings = judged([*one.events[:2], other.events[2]])
    assert findings[-1].sentence == f"it is an event of match {other.id}"


def test_a_forged_illegal_action_is_reported_with_its_rule() -> None:
    builder = MatchBuilder("agog").seat_players().play(4)
    action = builder.rules.read_action("a1-h8")
    finding = judged(forged(builder.events, 4, action=action))[0]
    assert (finding.version, finding.check, finding.rule) == (4, "legality", "agog.move.straight")
    assert finding.sentence == "it is refused"
    assert "white took a1-h8 from 2gggggj/" in finding.detail


def test_forged_facts_are_reported_with_the_correct_facts() -> None:
    builder = MatchBuilder("agog").seat_players().play(4)
    first, second = actions(builder)[:2]
    finding = judged(forged(builder.events, first.version, facts=second.facts))[0]
    assert (finding.version, finding.check) == (first.version, "facts")
    assert "would be" in finding.detail
    assert "it led to" in finding.detail


def test_forged_rulings_are_reported() -> None:
    builder = MatchBuilder("agog").seat_players().play(4)
    finding = judged(forged(builder.events, 4, rulings=(Ruling(("agog.move.free",)),)))[0]
    assert (finding.version, finding.check) == (4, "rulings")


def test_a_roll_that_does_not_follow_from_the_seed_is_reported_when_the_seed_is_revealed() -> None:
    builder = MatchBuilder("earthen-war", 3, Terms(chance="rolled")).end()
    (roll, *_) = [each for each in actions(builder) if each.draw == 1]
    other = next(
        entry
        for entry in builder.rules.legal(builder.states[0].position, roll.seat)
        if entry != roll.action
    )
    outcome = builder.rules.decide(builder.states[0].position, roll.seat, other)
    assert isinstance(outcome, Accepted)
    log = forged(
        builder.events, roll.version, action=other, facts=outcome.facts, rulings=outcome.rulings
    )
    found = [each for each in judged(log) if each.check == "chance"]
    assert found[0].version == roll.version
    assert found[0].sentence == "draw 1 is not the one that the revealed seed gives"


def test_a_seed_without_a_commitment_is_reported() -> None:
    builder = MatchBuilder("earthen-war", 3, Terms(chance="rolled")).end()
    revealed = builder.events[-1].event
    assert isinstance(revealed, SeedRevealed)
    (finding,) = judged(forged(builder.events, revealed.version, seed="00" * 32))
    assert finding.check == "chance"
    assert "does not fit the commitment" in finding.sentence


def test_a_draw_that_is_counted_twice_is_reported() -> None:
    builder = MatchBuilder("earthen-war", 3, Terms(chance="rolled"))
    second = next(each for each in actions(builder) if each.draw == 2)
    findings = judged(forged(builder.events, second.version, draw=1))
    assert findings[0].sentence == "it is draw 1, and draw 2 is due"


def test_chance_cannot_be_entered_where_the_service_rolls() -> None:
    builder = MatchBuilder("earthen-war", 3)
    log = builder.play(2).events
    log = forged(log, 1, chance="rolled", commitment="00" * 32)
    assert checks(judged(log))[0] == (2, "chance")


def test_an_undo_without_the_required_consent_is_reported() -> None:
    builder = MatchBuilder("agog").seat_players().play(3)
    assert builder.take_back(4)
    findings = judged(forged(builder.events, builder.match.version, seat="white"))
    assert checks(findings) == [(builder.match.version, "legality")]
    assert findings[0].sentence == "today it would be match.UndoAsked"


def test_an_undo_that_was_granted_passes_only_where_it_was() -> None:
    builder = MatchBuilder("agog").seat_players().play(3)
    assert builder.take_back(4, "white")
    assert builder.answer(granted=True)
    assert judged(builder.events) == []
    assert checks(judged(forged(builder.events, builder.match.version, to=3))) == [
        (builder.match.version, "legality")
    ]


def test_a_seat_that_is_claimed_twice_is_reported() -> None:
    builder = MatchBuilder("agog").seat_players()
    findings = judged(forged(builder.events, 3, seat="white"))
    assert findings[0].sentence == "it is refused: Player white holds white"


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"seats": ("white", "purple")}, "legality"),
        ({"options": {"handicap": 99}}, "position"),
        ({"invitations": {"white": "key"}}, "legality"),
        ({"title": "x" * 81}, "legality"),
        ({"title": "a\x00b"}, "legality"),
        ({"start": "nowhere"}, "position"),
        ({"rulings": (Ruling(("agog.made.up",)),)}, "rulings"),
        ({"commitment": "00" * 32}, "chance"),
        ({"game": "chess"}, "chain"),
    ],
)
def test_a_forged_creation_is_reported(changes: dict[str, Any], check: str) -> None:
    builder = MatchBuilder("agog")
    assert isinstance(builder.events[0].event, MatchCreated)
    assert (1, check) in checks(judged(forged(builder.events, 1, **changes)))


def test_an_event_that_cannot_be_read_ends_the_audit() -> None:
    builder = MatchBuilder("agog").play(3)
    audit = Audit()
    audit.take(builder.events[0])
    (finding,) = audit.unreadable("there is no such fact")
    assert (finding.version, finding.check) == (2, "chain")
    assert audit.stopped
    assert audit.take(builder.events[1]) == []


def test_a_changed_rule_is_reported_for_each_action_that_it_affects(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    builder = MatchBuilder("agog").seat_players().play(5)
    log = builder.events

    def stricter(state: Any, seat: str, action: Any) -> Any:
        if seat == "black":
            return Refused("agog.turn.order", "black may not act on Saturdays")
        return builder.rules.decide(state, seat, action)

    monkeypatch.setitem(ENTRIES, "agog", dataclasses.replace(builder.rules, decide=stricter))
    findings = judged(log)
    assert checks(findings) == [(5, "legality"), (7, "legality")]
    assert all(finding.rule == "agog.turn.order" for finding in findings)
    assert "black may not act on Saturdays" in findings[0].detail


@pytest.mark.parametrize("error", [StopIteration, RuntimeError, KeyError, RecursionError, OSError])
@pytest.mark.parametrize("stumbles", ["decide", "evolve", "write_position"])
def test_rules_that_stumble_over_an_event_are_a_finding(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], stumbles: str
) -> None:
    builder = MatchBuilder("agog").seat_players().play(5)

    def stumble(*_: Any) -> Any:
        raise error("over nothing")

    monkeypatch.setitem(ENTRIES, "agog", dataclasses.replace(builder.rules, **{stumbles: stumble}))
    (finding,) = judged(builder.events)
    assert finding.check == "position"
    assert finding.sentence == "it does not fit what stands before it"


def test_a_match_with_a_known_defect_of_an_earlier_release_is_reported_with_it() -> None:
    """Recorded by a release that took the order of play from a snapshot's sorted keys: the match
    was taken from a snapshot after its eleventh event."""
    lines = (RECORDED / "golem-arcana-restarted.jsonl").read_bytes().splitlines()
    findings = [f for f in judged([read_envelope(line) for line in lines]) if f.check == "facts"]
    assert [finding.version for finding in findings] == [12, 13, 16, 20, 22, 23]
    for finding in findings:
        assert (
            "an earlier release, after a restart, took the seats in the order" in finding.sentence
        )


def test_a_match_that_no_known_defect_explains_is_reported_without_one() -> None:
    lines = (RECORDED / "golem-arcana-restarted.jsonl").read_bytes().splitlines()
    log = [read_envelope(line) for line in lines[:5]]
    taken = next(each.event for each in log if isinstance(each.event, ActionTaken))
    forgery = judged(forged(log, taken.version, facts=()))
    (finding,) = [each for each in forgery if each.version == taken.version]
    assert finding.sentence == "fact 0 would be another"


@pytest.mark.parametrize("stand_in", ["nobody", "referee"])
def test_a_substitute_needed_permission(stand_in: Any) -> None:
    builder = MatchBuilder("earthen-war", 3, Terms(stand_in=stand_in)).seat_players().play(6).end()
    resigned, acted = builder.events[-1].event, actions(builder)[-1]
    for event in (acted, resigned):
        log = forged(builder.events, event.version, source=Origin(stand_in="referee"))
        found = judged(log)
        assert checks(found) == ([] if stand_in == "referee" else [(event.version, "legality")])
    if stand_in == "nobody":
        assert found[0].detail == f"referee acted for {resigned.seat}"


def test_a_hostile_name_of_a_substitute_is_reported() -> None:
    builder = MatchBuilder("agog", 3, Terms(stand_in="referee")).play(2)
    version = actions(builder)[-1].version
    found = judged(forged(builder.events, version, source=Origin(stand_in="\x1b[2J")))
    assert checks(found) == [(version, "legality")] * 2
