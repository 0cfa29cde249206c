"""Bad input gets a clear typed answer, and changes nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from uuid import uuid4

import grpc
import grpc.aio
import pytest

from domain.log.digests import canonical_bytes, digest
from services.client import Client, ServiceError, new_request
from services.main import Service
from services.wire.emeth.v1 import history_pb2, matches_pb2, play_pb2
from services.wire.emeth.v1.play_service_pb2_grpc import PlayServiceStub
from tests.services.conftest import Table


async def refused(call: Awaitable[object]) -> ServiceError:
    with pytest.raises(ServiceError) as error:
        await call
    assert "Traceback" not in error.value.message
    return error.value


async def test_an_unknown_game(client: Client) -> None:
    error = await refused(client.create_match(game="chess"))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "GAME_NOT_FOUND")
    assert "agog" in error.message


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"handicap": -1}, "options.handicap"),
        ({"handicap": 1.5}, "options.handicap"),
        ({"handicap": "many"}, "options.handicap"),
        ({"handicap_tie": "sideways"}, "options.handicap_tie"),
        ({"no_such_option": True}, "options"),
    ],
)
async def test_bad_options_name_the_field(
    client: Client, options: dict[str, object], field: str
) -> None:
    error = await refused(client.create_match(game="agog", options=options))
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "OPTIONS_INVALID")
    assert error.violations.keys() == {field}


async def test_an_unknown_match(client: Client) -> None:
    nowhere = str(uuid4())
    for call in (
        client.match(nowhere),
        client.submit("token", nowhere, "a6-b6"),
        client.view("token", nowhere, "text"),
        client.list_events("token", nowhere),
        client.list_actions("token", nowhere),
    ):
        assert (await refused(call)).reason == "MATCH_NOT_FOUND"


@pytest.mark.parametrize("text", ["", "7", "not-a-uuid", "x" * 5000, "\x00"])
async def test_an_id_that_is_none(client: Client, text: str) -> None:
    error = await refused(client.match(text))
    assert (error.reason, error.violations.keys()) == ("FIELD_INVALID", {"match_id"})


@pytest.mark.parametrize("text", ["knight to f3", "a6", "a6-z9", "a6--b6", "🂡"])
async def test_malformed_notation_is_refused_by_rule(
    client: Client, table: Table, text: str
) -> None:
    answer = await client.submit(table.white, table.id, text)
    assert answer.refused.rule.startswith("agog.")


@pytest.mark.parametrize("text", ["", "x" * 1001, "a6-b6\n", "\x1b[2J"])
async def test_text_that_is_no_line_is_malformed(client: Client, table: Table, text: str) -> None:
    assert (await refused(client.submit(table.white, table.id, text))).reason == "FIELD_INVALID"


async def test_after_the_end_the_reference_says_whether_spelling_matters(client: Client) -> None:
    made = await client.create_match(game="golem-arcana", options={"scenario": "first-steps"})
    tokens, identity = made.tokens, made.match.match_id
    for seat in ("south", "north") * 6:
        ended = await client.submit(tokens[seat], identity, "end")
    assert ended.accepted.HasField("result")
    for text in ("end", "move s1", "jump", "Move s1  walk"):
        answer = await client.submit(tokens["south"], identity, text)
        assert answer.refused.rule == "ga.over"
        assert (
            await client.submit(tokens["north"], identity, text, validate_only=True)
        ).refused.rule == "ga.over"


async def test_a_match_that_its_players_ended_reads_no_more_actions(client: Client) -> None:
    made = await client.create_match(game="golem-arcana")
    tokens, identity = made.tokens, made.match.match_id
    await client.submit_action(tokens["south"], identity, resignation=True)
    for text in ("end", "jump"):
        error = await refused(client.submit(tokens["north"], identity, text))
        assert error.reason == "MATCH_OVER"


async def test_a_legal_action_by_the_wrong_seat(client: Client, table: Table) -> None:
    answer = await client.submit(table.black, table.id, "a6-b6")
    assert answer.refused.rule.startswith("agog.")
    stub = client._play
    request = play_pb2.SubmitActionRequest(
        request_id=new_request(), match_id=table.id, action="a6-b6", seat="white"
    )
    error = await refused(client._call(stub.SubmitAction, request, table.black))
    assert error.reason == "ROLE_NOT_ALLOWED"


async def test_a_stale_expected_version_shows_the_present_one(client: Client, table: Table) -> None:
    # What white may do is what it was before black took a seat.
    taken = await client.submit(table.white, table.id, "a6-b6", expected_version=2)
    assert taken.HasField("accepted")
    for expected in (0, 3, 5):
        stale = client.submit(table.black, table.id, "h3-g3", expected_version=expected)
        error = await refused(stale)
        assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "VERSION_STALE")
        assert error.metadata["version"] == "4"
    taken = await client.submit(table.black, table.id, "h3-g3", expected_version=4)
    assert taken.HasField("accepted")


async def test_a_repeated_request_gives_the_first_answer_and_records_nothing(
    client: Client, table: Table
) -> None:
    request = new_request()
    first = await client.submit(table.white, table.id, "a6-b6", request_id=request)
    await client.submit(table.black, table.id, "h3-g3")
    assert await client.submit(table.white, table.id, "a6-b6", request_id=request) == first
    assert (await client.match(table.id, 5)).version == 5


async def test_a_request_id_used_for_something_else_is_an_error_with_both_digests(
    client: Client, table: Table
) -> None:
    request = new_request()
    await client.submit(table.white, table.id, "a6-b6", request_id=request)
    error = await refused(client.submit(table.white, table.id, "a6-a7", request_id=request))
    assert (error.code, error.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    assert error.metadata["first"] != error.metadata["now"]
    # Whoever knows the id of another's request does not find what it asked for by trying.
    assert error.metadata["now"] != digest(canonical_bytes(["act", "white", "a6-a7"]))
    error = await refused(
        client.submit_action(table.white, table.id, request_id=request, resignation=True)
    )
    assert error.reason == "REQUEST_ID_REUSED"
    error = await refused(client.leave_match(table.white, table.id, "white", request_id=request))
    assert error.reason == "REQUEST_ID_REUSED"


async def test_a_creation_repeated_with_other_options_is_an_error(client: Client) -> None:
    request = new_request()
    await client.create_match(game="agog", request_id=request)
    error = await refused(
        client.create_match(game="agog", options={"handicap": 1}, request_id=request)
    )
    assert error.reason == "REQUEST_ID_REUSED"


Attempt = Callable[[Client, Table, str], Awaitable[object]]
ATTEMPTS: dict[str, Attempt] = {
    "submit": lambda client, table, token: client.submit(token, table.id, "a6-b6"),
    "preview": lambda client, table, token: client.submit(
        token, table.id, "a6-b6", validate_only=True
    ),
    "resign": lambda client, table, token: client.submit_action(token, table.id, resignation=True),
    "list actions": lambda client, table, token: client.list_actions(token, table.id),
    "scene": lambda client, table, token: client.view(token, table.id, "text"),
    "history": lambda client, table, token: client.list_events(token, table.id),
    "record": lambda client, table, token: client.score(token, table.id),
    "leave": lambda client, table, token: client.leave_match(token, table.id, "white"),
    "watch": lambda client, table, token: anext(client.watch(token, table.id)),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_a_token_of_nobody(client: Client, table: Table, attempt: str) -> None:
    other = await client.create_match(game="agog")
    for token, reason in [
        ("", "TOKEN_MISSING"),
        ("made-up", "TOKEN_WRONG_MATCH"),
        (other.tokens["white"], "TOKEN_WRONG_MATCH"),
        (other.tokens["referee"], "TOKEN_WRONG_MATCH"),
    ]:
        assert (await refused(ATTEMPTS[attempt](client, table, token))).reason == reason
    assert (await client.match(table.id, 3)).version == 3


@pytest.mark.parametrize("attempt", ["submit", "preview", "resign", "list actions", "leave"])
async def test_a_spectator_may_only_look(client: Client, table: Table, attempt: str) -> None:
    error = await refused(ATTEMPTS[attempt](client, table, table.spectator))
    assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_NOT_ALLOWED")


@pytest.mark.parametrize("header", ["Basic abc", "Bearer", "Bearer ", "x", f"Bearer {'y' * 300}"])
async def test_a_malformed_token(service: Service, table: Table, header: str) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        request = play_pb2.ListActionsRequest(match_id=table.id)
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await PlayServiceStub(channel).ListActions(
                request, metadata=(("authorization", header),)
            )
    assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED


async def test_an_oversized_message(client: Client, table: Table) -> None:
    error = await refused(client.submit(table.white, table.id, "x" * 300_000))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert (await client.match(table.id, 3)).version == 3


async def test_a_seat_that_does_not_exist(client: Client, table: Table) -> None:
    error = await refused(client.join_match(table.white, table.id, "purple", "Ada"))
    assert error.reason == "SEAT_INVALID"
    error = await refused(client.leave_match(table.white, table.id, "purple"))
    assert error.reason == "SEAT_INVALID"


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "Ada\nBob"])
async def test_a_name_that_is_none(client: Client, name: str) -> None:
    created = await client.create_match(game="agog")
    error = await refused(
        client.join_match(created.tokens["white"], created.match.match_id, "white", name)
    )
    assert (error.reason, error.violations.keys()) == ("FIELD_INVALID", {"player"})


async def test_a_version_that_is_not_reached(client: Client, table: Table) -> None:
    error = await refused(client.view(table.white, table.id, "text", version=99))
    assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE")
    error = await refused(client.view(table.white, table.id, "text", version=0))
    assert error.reason == "VERSION_OUT_OF_RANGE"


async def test_nobody_waits_for_a_version_that_never_was(client: Client, table: Table) -> None:
    error = await refused(client.view(table.white, table.id, "text", at_least_version=99))
    assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE")
    assert "version" not in error.metadata, "who has no right learns no version"


@pytest.mark.parametrize("token", ["nonsense", "0.0", ".", "a" * 200])
async def test_a_page_token_that_was_not_given_for_this_call(
    client: Client, table: Table, token: str
) -> None:
    for call in (
        client.list_matches_page(page_token=token),
        client._call(
            client._history.ListEvents,
            history_pb2.ListEventsRequest(match_id=table.id, page_token=token),
            table.white,
        ),
        client._call(
            client._play.ListActions,
            play_pb2.ListActionsRequest(match_id=table.id, page_token=token),
            table.white,
        ),
    ):
        error = await refused(call)
        assert (error.code, error.reason) == (
            grpc.StatusCode.INVALID_ARGUMENT,
            "PAGE_TOKEN_INVALID",
        )


async def test_a_page_token_of_another_filter(client: Client) -> None:
    for _ in range(2):
        created = await client.create_match(game="agog", visibility=matches_pb2.VISIBILITY_PUBLIC)
    await client.match(created.match.match_id, 1)
    page = await client.list_matches_page(page_size=1)
    other = client.list_matches_page(filter="game = agog", page_token=page.next_page_token)
    assert (await refused(other)).reason == "PAGE_TOKEN_INVALID"


async def test_a_page_of_actions_is_good_for_one_version(client: Client, table: Table) -> None:
    first = await client._call(
        client._play.ListActions,
        play_pb2.ListActionsRequest(match_id=table.id, page_size=2),
        table.white,
    )
    assert len(first.actions) == 2
    await client.submit(table.white, table.id, "a6-b6")
    again = play_pb2.ListActionsRequest(match_id=table.id, page_token=first.next_page_token)
    error = await refused(client._call(client._play.ListActions, again, table.white))
    assert error.reason == "VERSION_STALE"


async def test_a_negative_page_size(client: Client) -> None:
    error = await refused(client.list_matches_page(page_size=-1))
    assert error.violations.keys() == {"page_size"}


async def test_admin_calls_need_the_admin_key(
    client: Client, table: Table, service: Service
) -> None:
    assert (await refused(anext(client.rebuild_projections()))).reason == "TOKEN_MISSING"
    assert (
        await refused(anext(client.rebuild_projections(table.referee)))
    ).reason == "ADMIN_KEY_INVALID"
    assert (await refused(anext(client.rebuild_projections("guess")))).reason == "ADMIN_KEY_INVALID"


async def test_a_flood_on_one_match_is_turned_away_and_harms_nothing(
    client: Client, table: Table
) -> None:
    answers = await asyncio.gather(
        *(client.submit(table.white, table.id, "a6-b6") for _ in range(200)),
        return_exceptions=True,
    )
    busy = {each.reason for each in answers if isinstance(each, ServiceError)}
    accepted = [a for a in answers if not isinstance(a, BaseException) and a.HasField("accepted")]
    assert busy <= {"MATCH_BUSY"}
    assert len(accepted) == 1
    assert (await client.match(table.id, 4)).version == 4
