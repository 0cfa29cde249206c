"""A call can be followed: by its name in logs, and in traces from the call to the watcher."""

import sys
from collections.abc import Iterator

import grpc.aio
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from structlog.testing import capture_logs

from services.client import Client
from services.main import Service
from services.runtime import tracing
from services.runtime.logging import add_call
from services.transport.call_log import REQUEST_ID_HEADER
from services.wire.emeth.v1.games_pb2 import GetGameRequest
from services.wire.emeth.v1.games_pb2_grpc import GamesServiceStub
from tests.services.conftest import create_match, refusal

CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
"""The example of W3C's Trace Context."""


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    stop = tracing.trace_with(provider)
    yield exporter
    stop()


def named(spans: InMemorySpanExporter, name: str) -> ReadableSpan:
    (found,) = (each for each in spans.get_finished_spans() if each.name == name)
    return found


async def test_an_action_is_followed_from_the_call_to_the_commit_to_the_watcher(
    spans: InMemorySpanExporter, client: Client
) -> None:
    match = await create_match(client)
    watching = client.watch(match.tokens["black"], match.id, after_version=1)
    spans.clear()
    await client.submit(match.tokens["white"], match.id, "a6-b6")
    await anext(watching)
    call, commit, shown = (named(spans, each) for each in ("SubmitAction", "commit", "shown"))
    assert call.context
    assert commit.context
    assert commit.parent
    assert commit.parent.span_id == call.context.span_id
    assert [link.context.span_id for link in shown.links] == [commit.context.span_id]
    assert dict(shown.attributes or {}) == {"emeth.match": match.id, "emeth.version": 2}
    text = "".join(each.to_json() for each in spans.get_finished_spans())
    assert not any(token in text for token in match.tokens.values())
    await watching.aclose()


async def test_a_refused_call_says_why(spans: InMemorySpanExporter, client: Client) -> None:
    match = await create_match(client)
    assert await refusal(client.submit("wrong", match.id, "a6-b6")) == "TOKEN_WRONG_MATCH"
    assert (
        dict(named(spans, "SubmitAction").attributes or {})["emeth.reason"] == "TOKEN_WRONG_MATCH"
    )


async def test_each_call_has_a_name_that_its_caller_may_choose(
    spans: InMemorySpanExporter, service: Service
) -> None:
    sent = ((REQUEST_ID_HEADER, "from-a-proxy:7"), ("traceparent", CALLER))
    async with grpc.aio.insecure_channel(service.address) as channel:
        stub = GamesServiceStub(channel)
        with capture_logs(processors=[add_call]) as lines:
            call = stub.GetGame(GetGameRequest(game="chess"), metadata=sent)
            with pytest.raises(grpc.aio.AioRpcError):
                await call
            other = stub.GetGame(
                GetGameRequest(game="agog"), metadata=((REQUEST_ID_HEADER, "two words"),)
            )
            await other
    assert dict(await call.trailing_metadata())[REQUEST_ID_HEADER] == "from-a-proxy:7"
    (line,) = (each for each in lines if each["event"] == "call refused")
    assert (line["call"], line["rpc"]) == ("from-a-proxy:7", "GetGame")
    made = dict(await other.trailing_metadata())[REQUEST_ID_HEADER]
    assert len(bytes.fromhex(made)) == 8
    first = next(each for each in spans.get_finished_spans() if each.name == "GetGame")
    assert first.parent
    assert f"{first.parent.span_id:016x}" == CALLER.split("-")[2]


async def test_no_log_has_a_token_in_it(service: Service, client: Client) -> None:
    with capture_logs(processors=[add_call]) as lines:
        match = await create_match(client, "res-arcana")
        one, two = "north", "east"
        claimed = await client.join_match(match.tokens[one], match.id, one, "Ada")
        await refusal(client.submit(claimed.token, match.id, "nonsense " * 200))
        await refusal(client.submit("w" * 43, match.id, "pass"))
        await client.view(match.tokens[two], match.id, "text")
    assert len(lines) > 2
    secrets = [*match.tokens.values(), claimed.token, "w" * 43, service.admin_key]
    assert not [line for line in lines for secret in secrets if secret in str(line)]


async def test_nothing_is_kept_where_nobody_traces(client: Client) -> None:
    match = await create_match(client)
    assert tracing._tracing is None
    assert tracing.commit_span([]) is tracing.commit_span([]), "nothing is made"
    await client.submit(match.tokens["white"], match.id, "a6-b6")


def test_the_service_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.resources", None)
    with pytest.raises(tracing.TracesUnavailable, match=r"install emeth\[traces\]"):
        tracing.start_tracing("console")
