"""What is said of an event, to whom; and which events cite a rule."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.rulings import Accepted, Ruling
from domain.match import Verdict, raise_dispute, uphold
from domain.registry import ENTRIES, GAMES
from projections.queries import citations
from projections.views import explanations


def test_an_explanation_has_what_was_before_and_after(playing: Any, caught_up: Any) -> None:
    match = playing().play(40)
    with caught_up(match) as connection:
        for version in range(1, 42):
            found = explanations.explain_event(connection, match.id, version, "white")
            assert found is not None
            assert found.step.sealed == match.events[version - 1]
            assert found.step.after == match.states[version - 1]
            before = found.before.after if found.before else None
            assert before == (match.states[version - 2] if version > 1 else None)
        for version in (-1, 0, 42, 2**63, 2**64):
            assert explanations.explain_event(connection, match.id, version, "white") is None
        assert explanations.explain_event(connection, playing().id, 1, "white") is None


def test_an_explanation_names_rules_precedents_and_disputes(playing: Any, caught_up: Any) -> None:
    match = playing().act("white", "a6-b6")
    match.record(raise_dispute(match.match, "black", 2, "it jumped", match.command_context))
    match.record(
        uphold(match.match, Verdict(3, "it did not", ("agog.move.step",)), match.command_context)
    )
    precedent = match.events[-1].event.precedent
    with caught_up(match) as connection:
        found: Any = explanations.explain_event(connection, match.id, 2, "black")
        verdict: Any = explanations.explain_event(connection, match.id, 4, "black")
    by_rule = {each.rule: each for each in found.rules}
    index = GAMES["agog"].rules["agog.move.forward"]
    forward = by_rule["agog.move.forward"]
    assert (forward.meaning, forward.source, forward.rulings) == (
        index.meaning,
        index.source,
        index.rulings,
    )
    assert forward.precedent_ids == ()
    assert by_rule["agog.move.step"].precedent_ids == (precedent,)
    assert [each.reason for each in found.disputes] == ["it jumped"]
    assert found.facts[0] == '{"end":"b6","start":"a6","type":"agog.unit-moved","unit":"G"}'
    assert [each.rule for each in verdict.rules] == ["agog.move.step"]


def test_in_an_open_game_everybody_sees_every_fact(playing: Any, caught_up: Any) -> None:
    match = playing().act("white", "a6-b6")
    with caught_up(match) as connection:
        found: Any = explanations.explain_event(connection, match.id, 2, "referee")
    everybody = ("white", "black", "referee", "spectator")
    assert [sorted(each) for each in found.seen_by] == [sorted(everybody)] * len(found.facts)


def test_the_referee_sees_the_viewers_of_each_whisper(
    playing: Any, caught_up: Any, whispers: str
) -> None:
    match = playing(whispers).act("north", "whisper gold")
    with caught_up(match) as connection:
        found: Any = explanations.explain_event(connection, match.id, 2, "referee")
        assert [sorted(each) for each in found.seen_by] == [["north", "referee"]]
        assert "gold" in found.facts[0]
        for viewer in ("south", "spectator"):
            explained: Any = explanations.explain_event(connection, match.id, 2, viewer)
            assert explained.seen_by == ()
            assert "gold" not in repr((explained.facts, explained.rules, explained.disputes))


def test_of_equal_facts_as_many_are_visible_as_redaction_leaves(
    playing: Any, whispers: str
) -> None:
    game = GAMES[whispers]
    event = playing(whispers).act("north", "whisper gold").events[1].event
    twice = replace(event, facts=event.facts * 2)

    def half_deaf(action: Any, viewer: str) -> Any:
        return replace(action, facts=action.facts[: 1 if viewer == "south" else 2])

    deaf = dataclasses.replace(game, redact=half_deaf)
    assert explanations.fact_viewers(deaf, twice, ("north", "south")) == (
        ("north", "south"),
        ("north",),
    )


def test_citations_list_the_events_of_each_rule(playing: Any, caught_up: Any) -> None:
    match = playing().play(60)
    expected: dict[str, list[int]] = {}
    for sealed in match.events:
        for rule in {r for ruling in sealed.event.rulings for r in ruling.rules}:
            expected.setdefault(rule, []).append(sealed.event.version)
    with caught_up(match) as connection:
        found = citations.citations(connection, match.id, "white")
        assert found is not None
        assert {each.rule.rule: list(each.versions) for each in found} == expected
        index = [*GAMES["agog"].rules]
        places = [index.index(each.rule.rule) for each in found]
        assert places == sorted(places)
        for rule in (*list(expected)[:5], "agog.corrupt.supply"):
            (one,) = citations.citations(connection, match.id, "white", rule) or ()
            assert list(one.versions) == expected.get(rule, [])


@pytest.mark.parametrize("rule", ["agog.nope", "%", '"', "rules", "agog.move", "x" * 80])
def test_a_rule_that_the_game_has_not_has_no_citations(
    playing: Any, caught_up: Any, rule: str
) -> None:
    match = playing().play(3)
    with caught_up(match) as connection:
        assert citations.citations(connection, match.id, "white", rule) is None


def test_a_redacted_ruling_is_not_cited(
    playing: Any, caught_up: Any, whispers: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "whispers.say"
    plain = GAMES[whispers]

    def decide(_: Any, seat: str, action: Any) -> Any:
        accepted: Any = plain.decide(None, seat, action)
        return Accepted(accepted.facts, (Ruling((rule,)),))

    def redact(action: Any, viewer: str) -> Any:
        redacted: Any = plain.redact(action, viewer)
        return redacted if viewer in (action.seat, "referee") else replace(redacted, rulings=())

    monkeypatch.setitem(ENTRIES, whispers, dataclasses.replace(plain, decide=decide, redact=redact))
    match = playing(whispers).act("north", "whisper gold")
    with caught_up(match) as connection:
        for viewer, versions in (("north", (2,)), ("referee", (2,)), ("south", ())):
            (found,) = citations.citations(connection, match.id, viewer, rule) or ()
            assert found.versions == versions
        assert citations.citations(connection, match.id, "south") == ()


def test_a_rule_that_has_left_the_index_is_cited_by_its_id(
    playing: Any, caught_up: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, game = playing().act("white", "a6-b6"), GAMES["agog"]
    fewer = {name: rule for name, rule in game.rules.items() if name != "agog.move.step"}
    monkeypatch.setitem(ENTRIES, "agog", dataclasses.replace(game, rules=fewer))
    with caught_up(match) as connection:
        last = (citations.citations(connection, match.id, "white") or ())[-1]
        (one,) = citations.citations(connection, match.id, "white", "agog.move.step") or ()
    assert (last.rule.rule, last.rule.meaning, last.versions) == ("agog.move.step", "", (2,))
    assert one == last
