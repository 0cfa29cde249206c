"""Disputes and verdicts over gRPC."""

import json
from collections.abc import Awaitable
from uuid import uuid4

import grpc
import pytest

from services.client import Client, ServiceError, new_request
from services.main import Service
from services.wire.emeth.v1 import audit_pb2 as pb
from tests.services.conftest import CreatedMatch, Table, newest_version

FACT = '{"type":"agog.unit-moved","unit":"G","start":"b6","end":"a6"}'
FORGED = '{"type":"agog.unit-moved","unit":"G","start":"b6","end":"a6","colour":"white"}'


async def refused(call: Awaitable[object]) -> ServiceError:
    with pytest.raises(ServiceError) as error:
        await call
    return error.value


async def listed(client: Client, token: str, **wanted: object) -> list[pb.Dispute]:
    return await client.list_disputes(token, **wanted)  # type: ignore[arg-type]  # any of its fields


@pytest.fixture
async def disputed(client: Client, table: Table) -> int:
    """Black disputes White's first move, event 4."""
    await client.submit(table.white, table.id, "a6-b6")
    await client.submit(table.black, table.id, "h3-g3")
    return (await client.create_dispute(table.black, table.id, 4, "it was knocked over")).number


async def test_a_dispute_is_an_event_that_everybody_sees(
    client: Client, table: Table, disputed: int
) -> None:
    event = (await client.list_events(table.spectator, table.id, at_least_version=disputed))[-1]
    assert (event.version, event.kind, event.seat) == (disputed, "match.DisputeRaised", "black")
    assert event.sentence == "Black disputes event 4: it was knocked over."
    (found,) = await listed(client, table.spectator, match_id=table.id)
    assert (found.match_id, found.number, found.version, found.seat, found.reason) == (
        table.id,
        disputed,
        4,
        "black",
        "it was knocked over",
    )
    assert (found.state, found.HasField("verdict")) == (pb.DISPUTE_STATE_OPEN, False)
    assert found.create_time == event.create_time


async def test_an_event_is_upheld(client: Client, table: Table, disputed: int) -> None:
    rules = ["agog.move.step", "agog.move.forward"]
    given = await client.resolve_dispute(
        table.referee, table.id, disputed, "legal", rules=rules, uphold=True
    )
    assert given.dispute.verdict.version == disputed + 1
    assert given.dispute.verdict.precedent_id == f"{table.id[:8]}-{given.dispute.verdict.version}"
    (found,) = await listed(
        client, table.white, match_id=table.id, at_least_version=given.dispute.verdict.version
    )
    assert found == given.dispute
    assert found.state == pb.DISPUTE_STATE_RESOLVED
    assert (found.verdict.kind, found.verdict.reason, found.verdict.rules) == (
        pb.VERDICT_KIND_UPHELD,
        "legal",
        rules,
    )
    assert (await client.submit(table.white, table.id, "b6-c6")).HasField("accepted")


async def test_a_match_is_reverted(client: Client, table: Table, disputed: int) -> None:
    given = await client.resolve_dispute(table.referee, table.id, disputed, "illegal", revert_to=3)
    start = (await client.get_game(game="agog")).setup.position
    assert given.position == start
    scene = await client.view(
        table.white, table.id, "text", at_least_version=given.dispute.verdict.version
    )
    assert scene.position == start
    event = (
        await client.list_events(
            table.spectator, table.id, at_least_version=given.dispute.verdict.version
        )
    )[-1]
    assert given.dispute.verdict.precedent_id in event.sentence
    assert event.details["to"] == "3"
    assert (await client.submit(table.white, table.id, "a6-b6")).HasField("accepted")


async def test_a_match_that_was_given_up_is_reverted_only_to_before_that(
    client: Client, earthen: CreatedMatch
) -> None:
    match = earthen
    referee, white = match.tokens["referee"], match.tokens["white"]
    before = await newest_version(client, match)
    await client.submit_action(white, match.id, resignation=True)
    ended = await newest_version(client, match)
    dispute = (await client.create_dispute(white, match.id, ended, "I did not mean to")).number
    await client.create_dispute(white, match.id, 1, "nor that")
    for to in (ended, dispute):
        error = await refused(
            client.resolve_dispute(referee, match.id, dispute, "play on", revert_to=to)
        )
        assert error.reason == "NOT_PLAYABLE"
    given = await client.resolve_dispute(referee, match.id, dispute, "play on", revert_to=before)
    text = (await client.transcript(referee, match.id, given.dispute.verdict.version)).text
    again = (await client.import_transcript(transcript=text)).match
    assert not again.HasField("result")


async def test_a_position_is_corrected_by_facts_as_an_explanation_shows_them(
    client: Client, table: Table, disputed: int
) -> None:
    shown = await client.explain(table.referee, table.id, 4, at_least_version=disputed)
    moved = json.loads(shown.facts_json[0])
    back = json.dumps(moved | {"start": moved["end"], "end": moved["start"]})
    given = await client.resolve_dispute(
        table.referee, table.id, disputed, "put it back", correction={"facts_json": [back]}
    )
    assert given.position.startswith("2gggggj/3ggggg/G3gggg/")
    event = (
        await client.list_events(
            table.white, table.id, at_least_version=given.dispute.verdict.version
        )
    )[-1]
    assert [fact.sentence for fact in event.facts] == ["White's golem goes from b6 to a6."]


async def test_several_disputes_and_one_of_a_verdict(
    client: Client, table: Table, disputed: int
) -> None:
    other = (await client.create_dispute(table.white, table.id, 4, "I say it was not")).number
    first = await client.resolve_dispute(table.referee, table.id, disputed, "legal", uphold=True)
    on_verdict = (
        await client.create_dispute(
            table.black, table.id, first.dispute.verdict.version, "look again"
        )
    ).number
    open_ones = await listed(
        client,
        table.black,
        match_id=table.id,
        filter="state = OPEN",
        at_least_version=on_verdict,
    )
    assert [each.number for each in open_ones] == [on_verdict, other]
    last = await client.resolve_dispute(
        table.referee, table.id, on_verdict, "looked again", revert_to=3
    )
    await client.resolve_dispute(table.referee, table.id, other, "settled", uphold=True)
    assert not await listed(
        client,
        table.black,
        match_id=table.id,
        filter="state = OPEN",
        at_least_version=last.dispute.verdict.version + 1,
    )


async def test_where_it_was_agreed_a_dispute_pauses_the_match(client: Client) -> None:
    created = await client.create_match(game="agog", pause_on_dispute=True)
    identity, tokens = created.match.match_id, created.tokens
    await client.submit(tokens["white"], identity, "a6-b6")
    number = (await client.create_dispute(tokens["white"], identity, 2, "I meant another")).number
    for call in (
        client.submit(tokens["black"], identity, "h3-g3"),
        client.submit(tokens["black"], identity, "h3-g3", validate_only=True),
        client.submit_action(tokens["black"], identity, resignation=True),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "MATCH_PAUSED",
        )
    await client.resolve_dispute(
        tokens["referee"], identity, number, "a move is a move", uphold=True
    )
    assert (await client.submit(tokens["black"], identity, "h3-g3")).HasField("accepted")


async def test_repeating_a_call_gives_the_first_answer_and_records_nothing(
    client: Client, table: Table, disputed: int
) -> None:
    raising, judging = new_request(), new_request()
    number = (
        await client.create_dispute(table.white, table.id, 5, "why", request_id=raising)
    ).number
    given = await client.resolve_dispute(
        table.referee, table.id, number, "so", request_id=judging, revert_to=4
    )
    await client.submit(table.black, table.id, "h3-g3")
    assert (
        await client.create_dispute(table.white, table.id, 5, "why", request_id=raising)
    ).number == number
    assert given == await client.resolve_dispute(
        table.referee, table.id, number, "so", request_id=judging, revert_to=4
    )
    assert (await client.match(table.id, 9)).version == 9
    for call in (
        client.create_dispute(table.white, table.id, 5, "else", request_id=raising),
        client.create_dispute(table.white, table.id, 4, "why", request_id=raising),
        client.create_dispute(table.black, table.id, 5, "why", request_id=raising),
        client.resolve_dispute(
            table.referee, table.id, number, "so", request_id=judging, uphold=True
        ),
        client.resolve_dispute(
            table.referee,
            table.id,
            number,
            "so",
            request_id=judging,
            correction={"facts_json": [FACT]},
        ),
        client.resolve_dispute(
            table.referee, table.id, number, "so", request_id=raising, uphold=True
        ),
        client.submit(table.white, table.id, "a6-b6", request_id=raising),
    ):
        error = await refused(call)
        assert error.reason == "REQUEST_ID_REUSED"
        assert error.metadata["first"] != error.metadata["now"]


async def test_the_admin_lists_and_searches_the_disputes_of_all_matches(
    client: Client, table: Table, disputed: int, service: Service
) -> None:
    other = await client.create_match(game="earthen-war")
    identity = other.match.match_id
    seat = other.match.seats[0].name
    number = (
        await client.create_dispute(other.tokens[seat], identity, 1, "The dice were loaded")
    ).number
    await client.match(identity, number)
    found = await listed(client, service.admin_key)
    assert [(each.match_id, each.number) for each in found] == [
        (identity, number),
        (table.id, disputed),
    ]
    loaded = await listed(client, service.admin_key, filter='text : "dice loading"')
    assert [each.match_id for each in loaded] == [identity]
    assert await listed(client, service.admin_key, filter='text : "nobody said this"') == []
    for token, reason in (
        ("", "TOKEN_MISSING"),
        ("guess", "ADMIN_KEY_INVALID"),
        (table.referee, "ADMIN_KEY_INVALID"),
    ):
        assert (await refused(listed(client, token))).reason == reason


async def test_pages_of_disputes_make_up_the_whole(client: Client, table: Table) -> None:
    numbers = [
        (await client.create_dispute(table.white, table.id, on, f"about {on}")).number
        for on in range(1, 6)
    ]

    async def page(wanted: str, token: str) -> pb.ListDisputesResponse:
        return await client.list_disputes_page(
            table.white,
            table.id,
            wanted,
            at_least_version=numbers[-1],
            page_size=2,
            page_token=token,
        )

    found: list[int] = []
    token = ""
    while token or not found:
        shown = await page("state = OPEN", token)
        found += [each.number for each in shown.disputes]
        token, last = shown.next_page_token, token
    assert found == [*reversed(numbers)]
    error = await refused(page("state = RESOLVED", last))
    assert error.reason == "PAGE_TOKEN_INVALID"
    oldest = await listed(client, table.white, match_id=table.id, order_by="create_time")
    assert [each.number for each in oldest] == numbers
    for wanted in ({"filter": "state = LOST"}, {"order_by": "number"}):
        error = await refused(listed(client, table.white, match_id=table.id, **wanted))
        assert error.violations.keys() == wanted.keys()


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["white", "black", "spectator"])
async def test_only_the_referee_gives_verdicts(
    client: Client, table: Table, disputed: int, role: str
) -> None:
    error = await refused(
        client.resolve_dispute(getattr(table, role), table.id, disputed, "mine", uphold=True)
    )
    assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_NOT_ALLOWED")


@pytest.mark.parametrize("role", ["referee", "spectator"])
async def test_only_seats_raise_disputes(client: Client, table: Table, role: str) -> None:
    error = await refused(client.create_dispute(getattr(table, role), table.id, 1, "why"))
    assert error.reason == "ROLE_NOT_ALLOWED"


async def test_foreign_tokens_and_unknown_matches(
    client: Client, table: Table, disputed: int
) -> None:
    other = await client.create_match(game="agog")
    nowhere = str(uuid4())
    for token, identity, reason in (
        ("", table.id, "TOKEN_MISSING"),
        ("made-up", table.id, "TOKEN_WRONG_MATCH"),
        (other.tokens["referee"], table.id, "TOKEN_WRONG_MATCH"),
        (other.tokens["white"], table.id, "TOKEN_WRONG_MATCH"),
        (table.referee, nowhere, "MATCH_NOT_FOUND"),
        (table.referee, "7", "FIELD_INVALID"),
    ):
        for call in (
            client.create_dispute(token, identity, 1, "why"),
            client.resolve_dispute(token, identity, disputed, "so", uphold=True),
            client.list_disputes_page(token, identity),
            client.explain(token, identity, 1),
            client.citations(token, identity),
        ):
            assert (await refused(call)).reason == reason
    assert (await client.match(table.id, disputed)).version == disputed


@pytest.mark.parametrize("reason", ["", "   ", "x" * 1001, "two\nlines", "\x1b[2J"])
async def test_a_reason_that_is_none(
    client: Client, table: Table, disputed: int, reason: str
) -> None:
    for call in (
        client.create_dispute(table.white, table.id, 4, reason),
        client.resolve_dispute(table.referee, table.id, disputed, reason, uphold=True),
    ):
        error = await refused(call)
        assert (error.reason, error.violations.keys()) == ("FIELD_INVALID", {"reason"})


@pytest.mark.parametrize("version", [7, 2**32 - 1])
async def test_events_that_there_are_not(
    client: Client, table: Table, disputed: int, version: int
) -> None:
    for call in (
        client.create_dispute(table.white, table.id, version, "why"),
        client.resolve_dispute(table.referee, table.id, disputed, "so", revert_to=version),
        client.explain(table.white, table.id, version, at_least_version=disputed),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE")


async def test_disputes_that_cannot_be_raised_or_answered(
    client: Client, table: Table, disputed: int
) -> None:
    again = await refused(client.create_dispute(table.black, table.id, 4, "once more"))
    assert again.reason == "DISPUTE_ALREADY_OPEN"
    for number in (4, 99, 2**32 - 1):
        error = await refused(
            client.resolve_dispute(table.referee, table.id, number, "so", uphold=True)
        )
        assert (error.code, error.reason) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "DISPUTE_NOT_OPEN",
        )
    await client.resolve_dispute(table.referee, table.id, disputed, "so", uphold=True)
    error = await refused(
        client.resolve_dispute(table.referee, table.id, disputed, "or so", uphold=True)
    )
    assert error.reason == "DISPUTE_NOT_OPEN"


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (["agog.nope"], "RULE_NOT_FOUND"),
        (["agog.move.step", "ew.move"], "RULE_NOT_FOUND"),
        ([""], "FIELD_INVALID"),
        (["x" * 81], "FIELD_INVALID"),
        (["agog.move.step"] * 21, "FIELD_INVALID"),
    ],
)
async def test_rules_that_a_verdict_cannot_rest_on(
    client: Client, table: Table, disputed: int, rules: list[str], reason: str
) -> None:
    call = client.resolve_dispute(table.referee, table.id, disputed, "so", rules=rules, uphold=True)
    assert (await refused(call)).reason == reason


@pytest.mark.parametrize(
    "fact",
    [
        "",
        "null",
        "[]",
        "7",
        "{",
        "{}",
        '{"type":"agog.castled"}',
        '{"type":"earthen-war.initiative-tied"}',
        '{"type":"agog.unit-moved","unit":"G","start":"b6"}',
        '{"type":"agog.unit-moved","unit":"Q","start":"b6","end":"a6"}',
        '{"type":"agog.unit-moved","unit":"G","start":"b6","end":"z9"}',
        '{"type":"agog.turn-passed","seat":"\\ud800"}',
        FORGED,
        "[" * 3000,
        '{"type":"agog.turn-passed","seat":"' + "x" * 4000 + '"}',
    ],
)
async def test_facts_that_are_none(client: Client, table: Table, disputed: int, fact: str) -> None:
    call = client.resolve_dispute(
        table.referee, table.id, disputed, "so", correction={"facts_json": [FACT, fact]}
    )
    error = await refused(call)
    assert (error.reason, error.violations.keys()) == (
        "FIELD_INVALID",
        {"correction.facts_json[1]"},
    )


@pytest.mark.parametrize(
    "facts",
    [
        ['{"type":"agog.unit-captured","unit":"g","square":"c7","white":500}'],
        ['{"type":"agog.unit-captured","unit":"g","square":"c7","white":' + "9" * 3000 + "}"],
        ['{"type":"agog.unit-captured","unit":"g","square":"a1\\n"}'],
        ['{"type":"agog.game-ended","winner":"black","reason":"immobile"}'],
    ],
)
async def test_facts_that_make_no_position(
    client: Client, table: Table, disputed: int, facts: list[str]
) -> None:
    call = client.resolve_dispute(
        table.referee, table.id, disputed, "so", correction={"facts_json": facts}
    )
    error = await refused(call)
    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "FACTS_IMPOSSIBLE",
    )
    assert "position" in error.message or "fit" in error.message
    assert (await client.match(table.id, disputed)).version == disputed


async def test_a_verdict_without_an_outcome(client: Client, table: Table, disputed: int) -> None:
    said = {"match_id": table.id, "dispute_number": disputed, "reason": "so"}
    for request in (
        pb.ResolveDisputeRequest(request_id=new_request(), **said),  # type: ignore[arg-type]
        pb.ResolveDisputeRequest(request_id=new_request(), uphold=False, **said),  # type: ignore[arg-type]
        pb.ResolveDisputeRequest(request_id=new_request(), correction=pb.Correction(), **said),  # type: ignore[arg-type]
        pb.ResolveDisputeRequest(
            request_id=new_request(),
            correction=pb.Correction(facts_json=[FACT] * 101),
            **said,  # type: ignore[arg-type]
        ),
        pb.ResolveDisputeRequest(request_id="7", uphold=True, **said),  # type: ignore[arg-type]
    ):
        call = client._call(client._audit.ResolveDispute, request, table.referee)
        assert (await refused(call)).reason == "FIELD_INVALID"
    assert (await client.match(table.id, disputed)).version == disputed
