"""Disputes and verdicts in the read models: listed, searched, and named as precedents."""

from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.games.agog.facts import UnitMoved
from domain.match import Terms, Verdict, correct, raise_dispute, revert, uphold
from projections.queries import disputes, history
from projections.queries.disputes import DisputeQuery


def dispute(match: Any, on: int, seat: str, reason: str) -> int:
    match.record(raise_dispute(match.match, seat, on, reason, match.command_context))
    return len(match.events)


def judge(match: Any, number: int, reason: str, *rules: str) -> str:
    match.record(uphold(match.match, Verdict(number, reason, rules), match.command_context))
    return str(match.events[-1].event.precedent)


def listed(connection: Any, **wanted: Any) -> list[int]:
    return [
        each.number
        for each in disputes.dispute_page(connection, DisputeQuery(**wanted), 50).disputes
    ]


def test_a_dispute_is_listed_with_its_verdict(playing: Any, caught_up: Any) -> None:
    match = playing().act("white", "a6-b6")
    number = dispute(match, 2, "black", "a golem was knocked over")
    facts = (UnitMoved("G", "b6", "a6"),)
    match.record(
        correct(
            match.match,
            Verdict(number, "so it was", ("agog.move.step",)),
            facts,
            match.command_context,
        )
    )
    with caught_up(match) as connection:
        (found,) = disputes.dispute_page(connection, DisputeQuery(), 10).disputes
        (of_event,) = disputes.disputes_of_event(connection, match.id, 2)
        assert disputes.disputes_of_event(connection, match.id, 3) == ()
    assert found == of_event
    assert (found.match, found.number, found.on, found.seat) == (match.id, 3, 2, "black")
    assert (found.reason, found.raised) == ("a golem was knocked over", match.events[2].event.at)
    assert (found.verdict, found.verdict_version) == ("corrected", 4)
    assert (found.verdict_reason, found.rules) == ("so it was", ("agog.move.step",))
    assert found.precedent == f"{match.id.hex[:8]}-4"


def test_open_disputes_are_those_without_a_verdict(playing: Any, caught_up: Any) -> None:
    match, other = playing().play(5), playing().play(5)
    numbers = [dispute(match, on, "white", f"about {on}") for on in (2, 3, 4)]
    elsewhere = dispute(other, 2, "white", "elsewhere")
    judge(match, numbers[1], "it stands")
    with caught_up(match, other) as connection:
        assert listed(connection, match=match.id) == [*reversed(numbers)]
        assert listed(connection, match=match.id, open=True) == [numbers[2], numbers[0]]
        assert listed(connection, open=True) == [elsewhere, numbers[2], numbers[0]]
        assert listed(connection, match=uuid4()) == []


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_pages_of_disputes_make_up_the_whole(playing: Any, caught_up: Any, size: int) -> None:
    match = playing().play(7)
    numbers = [dispute(match, on, "white", "why") for on in range(1, 8)]
    with caught_up(match) as connection:
        found: list[int] = []
        place: int | None = 0
        while place is not None:
            page = disputes.dispute_page(connection, DisputeQuery(match.id), size, place)
            assert len(page.disputes) <= size
            found += [each.number for each in page.disputes]
            place = page.next
    assert found == [*reversed(numbers)]


def test_words_of_the_dispute_and_of_the_verdict_are_found(playing: Any, caught_up: Any) -> None:
    match = playing().play(5)
    first = dispute(match, 2, "white", "The hulk was knocked over")
    second = dispute(match, 3, "black", "I rolled a five")
    judge(match, second, "The camera shows a four: knocking dice is not allowed")
    with caught_up(match) as connection:
        assert listed(connection, text="knocked") == [second, first]
        assert listed(connection, text="HULK over") == [first]
        assert listed(connection, text="rolled camera") == [second]
        assert listed(connection, text="camera", open=True) == []
        assert listed(connection, text="queen") == []
        assert listed(connection, text='" "') == [second, first]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=30) | st.sampled_from(['"', "NEAR(a b)", "reason:*", "a OR", "\0"]))
def test_no_text_is_a_query_that_fails(one_dispute: Any, text: str) -> None:
    assert len(disputes.dispute_page(one_dispute, DisputeQuery(text=text), 5).disputes) <= 1


@pytest.fixture
def one_dispute(playing: Any, caught_up: Any) -> Any:
    match = playing().play(1)
    dispute(match, 2, "white", "a reason")
    with caught_up(match) as connection:
        yield connection


def test_facts_of_a_correction_are_not_searched(
    playing: Any, caught_up: Any, whispers: str
) -> None:
    match = playing(whispers).act("north", "whisper gold")
    fact = match.events[1].event.facts[0]
    number = dispute(match, 2, "south", "I heard nothing")
    match.record(
        correct(match.match, Verdict(number, "say it again", ()), (fact,), match.command_context)
    )
    with caught_up(match) as connection:
        assert listed(connection, text="gold") == []
        assert listed(connection, text="again") == [number]
        for viewer in ("north", "south", "spectator"):
            page = repr(history.history_page(connection, match.id, viewer, 10, place=2))
            assert "gold" not in page
        assert "gold" in repr(history.history_page(connection, match.id, "referee", 10, place=2))


def test_a_verdict_is_a_precedent_for_its_rules_in_every_match_of_the_game(
    playing: Any, caught_up: Any
) -> None:
    public = Terms(visibility="public")
    match, other = playing(terms=public).play(3), playing(terms=public).play(3)
    duel = playing("earthen-war")
    rule = "agog.move.step"
    first = judge(match, dispute(match, 2, "white", "why"), "so", rule, "agog.turn.one")
    second = judge(other, dispute(other, 2, "white", "why"), "so", rule)
    judge(duel, dispute(duel, 1, "white", "why"), "so", next(iter(duel.match.rules.rules)))
    with caught_up(match, other, duel) as connection:
        assert disputes.precedents(connection, "agog", rule) == (second, first)
        assert disputes.precedents(connection, "agog", "agog.turn.one") == (first,)
        assert disputes.precedents(connection, "agog", "agog.capture.maximal") == ()
        assert disputes.precedents(connection, "earthen-war", rule) == ()


def test_a_verdict_in_a_private_match_is_a_precedent_there_alone(
    playing: Any, caught_up: Any
) -> None:
    match, rule = playing().play(3), "agog.move.step"
    name = judge(match, dispute(match, 2, "white", "why"), "so", rule)
    with caught_up(match) as connection:
        assert disputes.precedents(connection, "agog", rule) == ()
        assert disputes.precedents(connection, "agog", rule, match.id) == (name,)


def test_only_the_latest_precedents_are_named(playing: Any, caught_up: Any) -> None:
    match = playing(terms=Terms(visibility="public")).play(1)
    named = [
        judge(match, dispute(match, 1, "white", "why"), "so", "agog.move.step")
        for _ in range(disputes.MAX_PRECEDENTS + 3)
    ]
    with caught_up(match) as connection:
        found = disputes.precedents(connection, "agog", "agog.move.step")
    assert list(found) == named[: -disputes.MAX_PRECEDENTS - 1 : -1]


def test_the_history_shows_a_verdict_with_its_precedent(playing: Any, caught_up: Any) -> None:
    match = playing().play(2)
    number = dispute(match, 2, "white", "not so")
    match.record(
        revert(
            match.match,
            Verdict(number, "it was not", ("agog.move.step",)),
            1,
            match.command_context,
            lambda version: match.states[version - 1],
        )
    )
    precedent = f"{match.id.hex[:8]}-5"
    with caught_up(match) as connection:
        raised, verdict = history.history_page(
            connection, match.id, "spectator", 10, place=3
        ).events
    assert raised.sentence == "White disputes event 2: not so."
    assert verdict.sentence == (
        f"Verdict {precedent} on dispute 4, the match goes on from version 1: it was not."
    )
    assert verdict.details == {
        "to": "1",
        "reason": "it was not",
        "dispute": "4",
        "verdict": "reverted",
        "precedent": precedent,
    }
    assert [ruling.rules for ruling in verdict.rulings] == [("agog.move.step",)]
