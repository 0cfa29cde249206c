"""The generated methods of the client: how arguments become requests, and what they return."""

import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc.aio
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from services.cli.commands.call import methods
from services.client import Client
from services.wire.calls import Calls
from services.wire.emeth.v1 import actions_pb2, history_pb2, matches_pb2, play_pb2, views_pb2


class Recorder(Calls):
    """Calls that reach no service: the requests are kept, and the answers are given."""

    def __init__(self, *answers: Message) -> None:
        self.requests: list[Message] = []
        self.tokens: list[str] = []
        self._answers = [*answers]
        self._use(grpc.aio.insecure_channel("127.0.0.1:1"))

    async def _call(self, method: Any, request: Any, token: str = "") -> Any:
        self.requests.append(request)
        self.tokens.append(token)
        return self._answers.pop(0)

    async def _stream(
        self, method: Any, request: Any, token: str = ""
    ) -> AsyncGenerator[Any, None]:
        self.requests.append(request)
        while self._answers:
            yield self._answers.pop(0)

    async def _upload(
        self, method: Any, requests: Callable[[], Iterator[Any]], token: str = ""
    ) -> Any:
        self.requests += requests()
        return self._answers.pop(0)

    async def _list_all(
        self,
        method: Any,
        request: Any,
        token: str,
        items: Callable[[Any], Iterable[Any]],
        limit: int | None,
    ) -> list[Any]:
        return [*items(await self._call(method, request, token))]


def test_each_rpc_has_a_method_unless_it_streams_both_ways() -> None:
    missing = {
        method.name
        for method in methods().values()
        if not hasattr(Calls, re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower())
    }
    assert missing == {"Connect", "Session"}
    both = {m.name for m in methods().values() if m.client_streaming and m.server_streaming}
    assert missing == both


async def test_arguments_are_the_fields_of_the_request() -> None:
    calls = Recorder(matches_pb2.CreateMatchResponse(), views_pb2.GetViewResponse())
    await calls.create_match(
        game="agog",
        options={"handicap": 2},
        own_seat={"seat": "white"},
        armies={"white": "x"},
        waiting_term=timedelta(minutes=2),
        chance=matches_pb2.CHANCE_ROLLED,
    )
    now = datetime(2026, 1, 31, tzinfo=UTC)
    await calls.get_view("secret", "m", read_mask=["text"], time=now)
    expected = matches_pb2.CreateMatchRequest(
        game="agog",
        own_seat=matches_pb2.OwnSeat(seat="white"),
        armies={"white": "x"},
        chance=matches_pb2.CHANCE_ROLLED,
    )
    expected.options["handicap"] = 2
    expected.waiting_term.FromTimedelta(timedelta(minutes=2))
    looked = views_pb2.GetViewRequest(match_id="m", read_mask=FieldMask(paths=["text"]))
    looked.time.FromDatetime(now)
    assert calls.requests == [expected, looked]
    assert calls.tokens == ["", "secret"]


async def test_what_is_left_out_is_not_set() -> None:
    calls = Recorder(play_pb2.SubmitActionResponse(), matches_pb2.CreateMatchResponse())
    await calls.submit_action("t", "m", resignation=True)
    await calls.create_match()
    assert calls.requests[0] == play_pb2.SubmitActionRequest(match_id="m", resignation=True)
    assert calls.requests[1] == matches_pb2.CreateMatchRequest()


async def test_an_empty_mapping_is_a_message_that_is_set() -> None:
    calls = Recorder(play_pb2.CreateProposalResponse())
    await calls.create_proposal("t", "m", rematch={})
    (request,) = calls.requests
    assert isinstance(request, play_pb2.CreateProposalRequest)
    assert request.WhichOneof("kind") == "rematch"


async def test_a_response_that_is_only_the_named_resource_is_that_resource() -> None:
    match = matches_pb2.Match(match_id="m")
    calls = Recorder(matches_pb2.CancelMatchResponse(match=match))
    assert await calls.cancel_match("t", "m") == match


async def test_lists_return_the_items_and_pages_the_response() -> None:
    page = history_pb2.ListEventsResponse(events=[actions_pb2.Event(version=1)])
    calls = Recorder(page, page)
    assert await calls.list_events("t", "m") == [actions_pb2.Event(version=1)]
    assert await calls.list_events_page("t", "m", page_size=1) == page


async def test_streams_are_yielded_and_uploads_streamed() -> None:
    chunk = history_pb2.ExportMatchResponse(data=b"x")
    calls = Recorder(chunk, chunk)
    assert [each async for each in calls.export_match("t", "m")] == [chunk, chunk]
    calls = Recorder(history_pb2.ImportMatchResponse())
    piece = history_pb2.ImportMatchRequest(data=b"x")
    await calls.import_match(lambda: iter([piece, piece]), "key")
    assert calls.requests == [piece, piece]


async def test_a_connection_fills_in_what_it_knows() -> None:
    async with Client("127.0.0.1:1", name="club", client_secret="s" * 22) as client:
        made, given = matches_pb2.CreateMatchRequest(), play_pb2.SubmitActionRequest(request_id="x")
        for request in (made, given):
            client._fill_in(request)
    assert len(made.request_id) == 36
    assert made.client_secret == "s" * 22
    assert (given.request_id, given.client) == ("x", "club")
