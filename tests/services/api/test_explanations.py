"""Explanations, citations, scenes for any viewer, and what is legal instead, over gRPC."""

import grpc
import pytest

from services.client import Client, ServiceError
from services.wire.emeth.v1.matches_pb2 import VISIBILITY_PRIVATE, VISIBILITY_PUBLIC
from tests.services.conftest import Table

VIEWERS = ["white", "black", "referee", "spectator"]


async def test_an_event_is_explained_with_all_there_is_to_say(client: Client, table: Table) -> None:
    accepted = (await client.submit(table.white, table.id, "a6-b6")).accepted
    dispute = (await client.create_dispute(table.black, table.id, 4, "it jumped")).number
    given = await client.resolve_dispute(
        table.referee, table.id, dispute, "it did not", rules=["agog.move.step"], uphold=True
    )
    found = await client.explain(
        table.referee, table.id, 4, "text", at_least_version=given.dispute.verdict.version
    )
    assert found.event.changes
    found.event.ClearField("changes")  # a response has none, unless they are in its read mask
    assert found.event == accepted.events[0]
    assert (found.event.player, found.event.client) == ("Ada", "tests/1")
    assert {rule.rule for rule in found.rules} == {
        rule for ruling in found.event.rulings for rule in ruling.rules
    }
    (step,) = [rule for rule in found.rules if rule.rule == "agog.move.step"]
    assert step.meaning == "a golem or journeyman moves one square"
    assert step.source == "The Golem, The Journeyman"
    assert list(step.precedent_ids) == [given.dispute.verdict.precedent_id]
    assert "AGOG-R2" in [number for rule in found.rules for number in rule.rulings]
    assert found.before.version == 3
    assert found.before.position == (await client.get_game(game="agog")).setup.position
    assert found.after.position == accepted.position
    assert "6 G . . . g g g g" in found.before.text
    assert "6 .*G*. . g g g g" in found.after.text
    assert [dispute.reason for dispute in found.disputes] == ["it jumped"]
    assert [sorted(each.viewers) for each in found.fact_viewers] == [sorted(VIEWERS)] * 2


async def test_the_first_event_has_nothing_before_it(client: Client, table: Table) -> None:
    found = await client.explain(table.white, table.id, 1)
    assert not found.HasField("before")
    assert found.event.kind == "match.MatchCreated"
    assert found.rules
    assert not found.after.HasField("scene")


async def test_the_viewers_of_each_fact_are_shown_to_the_referee_only(
    client: Client, table: Table
) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    for token in (table.white, table.black, table.spectator):
        found = await client.explain(token, table.id, 4, at_least_version=4)
        assert found.facts_json
        assert not found.fact_viewers


async def test_precedents_of_other_matches_of_the_game_are_named(
    client: Client, table: Table
) -> None:
    precedents = []
    for visibility in (VISIBILITY_PUBLIC, VISIBILITY_PRIVATE):
        other = await client.create_match(game="agog", visibility=visibility)
        identity, tokens = other.match.match_id, other.tokens
        dispute = (await client.create_dispute(tokens["white"], identity, 1, "why")).number
        given = await client.resolve_dispute(
            tokens["referee"], identity, dispute, "because", ["agog.move.step"], uphold=True
        )
        await client.match(identity, given.dispute.verdict.version)
        precedents.append(given.dispute.verdict.precedent_id)
    await client.submit(table.white, table.id, "a6-b6")
    found = await client.explain(table.spectator, table.id, 4, at_least_version=4)
    # The name of a verdict has digits of the ID of its match, which may be private.
    named = [name for rule in found.rules for name in rule.precedent_ids]
    assert precedents[0] in named
    assert precedents[1] not in named


async def test_citations_lead_from_a_rule_to_its_events(client: Client, table: Table) -> None:
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "h3-g3")
    every = await client.citations(table.spectator, table.id, at_least_version=5)
    versions = {each.rule.rule: list(each.versions) for each in every}
    assert versions["agog.move.step"] == [4, 5]
    assert versions["agog.setup.board"] == [1]
    (one,) = await client.citations(table.spectator, table.id, "rule = agog.move.step", 5)
    assert list(one.versions) == [4, 5]
    (none,) = await client.citations(table.spectator, table.id, "rule = agog.corrupt.supply", 5)
    assert (list(none.versions), bool(none.rule.meaning)) == ([], True)


@pytest.mark.parametrize(
    ("rule", "reason"),
    [("agog.nope", "RULE_NOT_FOUND"), ("x" * 201, "FIELD_INVALID"), ("a\nb", "FIELD_INVALID")],
)
async def test_citations_of_a_rule_that_there_is_not(
    client: Client, table: Table, rule: str, reason: str
) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.citations(table.white, table.id, f'rule = "{rule}"')
    assert refused.value.reason == reason


async def test_the_referee_sees_with_anybodys_eyes(client: Client, table: Table) -> None:
    own = {
        "white": table.white,
        "black": table.black,
        "referee": table.referee,
        "spectator": table.spectator,
    }
    for viewer in VIEWERS:
        seen = await client.view(table.referee, table.id, "text", version=1, viewer=viewer)
        assert seen == await client.view(own[viewer], table.id, "text", version=1)


async def test_others_see_with_their_own_eyes_or_a_spectators(client: Client, table: Table) -> None:
    assert await client.view(table.white, table.id, "text", viewer="white")
    seen = await client.view(table.white, table.id, "text", viewer="spectator")
    assert seen == await client.view(table.spectator, table.id, "text")
    for token, viewer in (
        (table.white, "black"),
        (table.white, "referee"),
        (table.spectator, "white"),
    ):
        with pytest.raises(ServiceError) as refused:
            await client.view(token, table.id, "text", viewer=viewer)
        assert refused.value.code is grpc.StatusCode.PERMISSION_DENIED
        assert refused.value.reason == "ROLE_NOT_ALLOWED"
    with pytest.raises(ServiceError) as unknown:
        await client.view(table.referee, table.id, "text", viewer="purple")
    assert unknown.value.violations.keys() == {"viewer"}


# --- what is legal instead --------------------------------------------------------------------


async def test_a_refusal_names_what_is_legal_and_nearest(client: Client, table: Table) -> None:
    for answer in (
        await client.submit(table.white, table.id, "c4-c6"),
        await client.submit(table.white, table.id, "c4-c6", validate_only=True),
    ):
        nearest = [each.notation for each in answer.refused.alternatives]
        assert nearest[0] in ("c4-c5", "c4-d4")
        assert len(nearest) <= 3
        assert all(each.sentence for each in answer.refused.alternatives)
        for notation in nearest:
            legal = await client.submit(table.white, table.id, notation, validate_only=True)
            assert legal.HasField("accepted")


async def test_what_was_tried_in_score_notation_is_answered_in_it(
    client: Client, table: Table
) -> None:
    answer = await client.submit(table.white, table.id, "ac6", score_notation=True)
    assert answer.refused.alternatives
    assert all(each.score_notation for each in answer.refused.alternatives)


async def test_nothing_is_named_to_who_has_nothing_to_do(client: Client, table: Table) -> None:
    waiting = await client.submit(table.black, table.id, "h3-h2")
    assert not waiting.refused.alternatives, "giving up is no alternative"
    await client.submit_action(table.white, table.id, resignation=True)
    over = await client.submit(table.black, table.id, "h3-h2")
    assert not over.refused.alternatives


@pytest.mark.parametrize("text", ["🂡", "x" * 1000, "((((", "a6"])
async def test_any_text_may_be_compared(client: Client, table: Table, text: str) -> None:
    answer = await client.submit(table.white, table.id, text)
    assert len(answer.refused.alternatives) <= 3


async def test_citations_come_in_pages_and_are_the_same(client: Client, table: Table) -> None:
    for seat, action in ((table.white, "a6-b6"), (table.black, "h3-g3"), (table.white, "f1-g1")):
        await client.submit(seat, table.id, action)
    whole = await client.citations(table.spectator, table.id, at_least_version=6)
    for size in 1, 2, 6:
        paged = await client.citations(
            table.spectator, table.id, at_least_version=6, page_size=size
        )
        assert sorted(map(str, paged)) == sorted(map(str, whole))
