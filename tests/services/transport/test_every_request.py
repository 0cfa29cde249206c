"""Whatever is sent gets an answer, or an error that says what was wrong: never UNKNOWN or INTERNAL.

`EMETH_FUZZ=20000 pytest tests/services/transport/test_every_request.py` sends so many requests to
each rpc.
"""

import asyncio
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.struct_pb2 import ListValue, Struct, Value

from services.client import Client, ServiceError, new_request
from services.client.subscriptions import match_subscription
from services.main import Service
from services.store import read_models
from services.wire.emeth.devices.v1 import connections_pb2 as pb
from services.wire.emeth.v1 import armies_pb2, audit_pb2, games_pb2, history_pb2, matches_pb2
from tests.services.conftest import STYLUS, create_match, set_up_gateway
from tests.services.transport.any_request import METHODS, AnyRequest

REQUESTS = int(os.environ.get("EMETH_FUZZ", "40"))
"""For each rpc."""
AT_ONCE = 16
LONGEST_SECONDS = 60.0
STREAMED_SECONDS = 0.3
"""A stream without an error for so long counts as open."""
DOCUMENTED: Mapping[str, str] = dict(
    re.findall(r"\| `(\w+)` \| `(\w+)` \|", Path("docs/errors.md").read_text())
)
"""The code of each reason."""
SERVICES = sorted({method.containing_service.full_name for method in METHODS})


class Caller:
    """Sends bytes to rpcs, and reports faults of the responses."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._channel = grpc.aio.insecure_channel(address)
        self.answers: Counter[str] = Counter()

    async def call(
        self,
        method: MethodDescriptor,
        requests: Sequence[bytes],
        token: str = "",
        streamed_seconds: float = STREAMED_SECONDS,
    ) -> ServiceError | None:
        """Return the error with which a call ends; None for a response, and for a stream that is
        still open after `streamed_seconds`."""
        if method.client_streaming and method.server_streaming:
            return await asyncio.to_thread(self._exchange_messages, method, requests, token)
        path = f"/{method.containing_service.full_name}/{method.name}"
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        # On the wire there is no difference between one request and a stream of one.
        call = self._channel.stream_stream(path)(
            iter(requests), timeout=LONGEST_SECONDS, metadata=metadata
        )
        seconds = streamed_seconds if method.server_streaming else LONGEST_SECONDS
        try:
            async with asyncio.timeout(seconds):
                async for _ in call:
                    pass
        except grpc.aio.AioRpcError as error:
            return ServiceError.from_rpc(error)
        except TimeoutError:
            assert method.server_streaming, f"{method.full_name} does not answer"
        finally:
            call.cancel()
        return None

    def _exchange_messages(
        self, method: MethodDescriptor, requests: Sequence[bytes], token: str
    ) -> ServiceError | None:
        """The same by the other client: this one takes a stream that ends while it writes for
        broken, and does not tell why it ended."""
        path = f"/{method.containing_service.full_name}/{method.name}"
        with grpc.insecure_channel(self._address) as channel:
            call = channel.stream_stream(path)(
                iter(requests),
                timeout=LONGEST_SECONDS,
                metadata=(("authorization", f"Bearer {token}"),) if token else (),
            )
            try:
                for _ in call:
                    pass
            except grpc.RpcError as error:
                return ServiceError.from_rpc(error)  # type: ignore[arg-type]  # a Call, as those are
        return None

    async def check(
        self, method: MethodDescriptor, requests: Sequence[bytes], token: str = ""
    ) -> str:
        """What is wrong with the answer; empty if it is an answer, or an error as documented."""
        error = await self.call(method, requests, token)
        self.answers[error.reason if error else "OK"] += 1
        if error is None or DOCUMENTED.get(error.reason) == error.code.name != "INTERNAL":
            return ""
        shown = [raw[:300] for raw in requests]
        return f"{method.name}: {error.code} {error.reason!r} {error.message!r} for {shown}"


@pytest.fixture
async def known(service: Service, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Sequence[str]]:
    """What is right here and there, by the names of fields; and tokens, as `token`."""
    monkeypatch.setattr(read_models, "PATIENCE_SECONDS", 0.05)  # nobody moves these matches on
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        match = await create_match(client, "golem-arcana")
        await client.submit(match.tokens["north"], match.id, "nonsense")
        matches = [shop.match, match.id]
        positions = [(await client.view(shop.tokens["white"], shop.match, "text")).position]
        record = await client.score(shop.tokens["referee"], shop.match)
    return {
        "match_id": matches,
        "forked_from": matches,
        "table_id": [shop.key.split(".")[0]],
        "gateway_id": [shop.key.rpartition(".")[0]],
        "stylus": [STYLUS, "BB:02"],
        "pin": ["0000", "1234"],
        "game": ["agog", "golem-arcana", "earthen-war", "res-arcana", "tokars-arcana"],
        "seat": ["white", "black", "north", "south", "referee"],
        "viewer": ["white", "spectator", "referee"],
        "player": ["Ada", "Bob"],
        "name": ["Ada", "Corner"],
        "title": ["", "A match"],
        "reason": ["it is wrong"],
        "rules": ["agog.capture.maximal"],
        "facts_json": ['{"type":"turn-ended"}', "{}"],
        "action": ["a6-b6", "b5-c5", "end", "resign"],
        "human": ["ab6", "c5"],
        "transcript": [record.text],
        "position": positions,
        "focus": ["a6", "c4"],
        "code": ["space a6", "button confirm", "match undo", "cc army"],
        "codes": ["base s1", "space a6"],
        "page_token": [""],
        "key": ["chance", "undo", "map", "golems", "points", "start", "players", "armies", "north"],
        "value": ["free", "entered", "space a6"],
        "kind": ["", "golem", "knight"],
        "software": ["tests/1"],
        "client": ["tests/1"],
        "token": [
            *("", "guess", *[service.admin_key, shop.key] * 4),
            *shop.tokens.values(),
            *match.tokens.values(),
        ],
        "tokens": list(shop.tokens.values()),
        "extended_size": [],
    }


UNREAD = {"MESSAGE_MALFORMED", "MESSAGE_TOO_LARGE", "FIELD_INVALID"}
"""Reasons by which a request is refused before anybody knows what it asks for."""


@pytest.mark.parametrize("name", SERVICES)
async def test_every_byte_gets_a_typed_answer(
    service: Service, known: Mapping[str, Sequence[str]], name: str
) -> None:
    # In CI the same requests each time, so that a failure there is of the change at hand.
    drawn = "1" if "CI" in os.environ else str(Random().randrange(10**6))
    seed = os.environ.get("EMETH_FUZZ_SEED") or drawn
    caller, gate, wrong = Caller(service.address), asyncio.Semaphore(AT_ONCE), set()

    async def send(method: MethodDescriptor, requests: Sequence[bytes], token: str) -> None:
        async with gate:
            if found := await caller.check(method, requests, token):
                wrong.add(found)

    for method in METHODS:
        if method.containing_service.full_name != name:
            continue
        random = Random(f"{seed} {method.name}")
        make = AnyRequest(random, known)
        # In lots, so that a soak does not hold all its requests at once.
        for begin in range(0, REQUESTS, 500):
            calls = []
            for _ in range(min(500, REQUESTS - begin)):
                count = random.choice((1, 1, 3)) if method.client_streaming else 1
                requests = [make.bytes_for(method) for _ in range(count)]
                calls.append(send(method, requests, random.choice(known["token"])))
            await asyncio.gather(*calls)
    assert not wrong, "\n".join((f"EMETH_FUZZ_SEED={seed}", *sorted(wrong)[:20]))
    assert caller.answers.keys() - UNREAD, "some of it ought to be understood"


def with_text(kind: Descriptor, text: bytes) -> bytes | None:
    """A message whose first text is these bytes; None if it has no text."""
    for field in kind.fields:
        if field.type == FieldDescriptor.TYPE_STRING:
            return tag(field.number) + bytes([len(text)]) + text
        if field.message_type is not None and (found := with_text(field.message_type, text)):
            return tag(field.number) + bytes([len(found)]) + found
    return None


def tag(number: int) -> bytes:
    """What stands before a field of this number that has a length."""
    key = number << 3 | 2
    return bytes([key]) if key < 128 else bytes([key & 127 | 128, key >> 7])


@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method.name))
async def test_every_rpc_says_what_is_wrong_with_bytes_that_are_no_message(
    service: Service, method: MethodDescriptor
) -> None:
    token = (await set_up_gateway(service)).key if method.name == "Connect" else service.admin_key
    caller = Caller(service.address)
    wrong = [([b"\xff" * 9], "MESSAGE_MALFORMED"), ([b"x" * 5_000_000], "MESSAGE_TOO_LARGE")]
    if (cut := with_text(method.input_type, "Bob 🗿".encode()[:-1])) is not None:
        wrong.append(([cut], "MESSAGE_MALFORMED"))
    if not method.client_streaming:
        wrong.append(([], "MESSAGE_MALFORMED"))
    for requests, reason in wrong:
        error = await caller.call(method, requests, token, LONGEST_SECONDS)
        assert error is not None
        assert (error.reason, error.code.name) == (reason, DOCUMENTED[reason]), error.message


async def test_a_gateway_hears_which_message_was_none(service: Service) -> None:
    """A text that is cut inside a letter, in the midst of a stream that was sound."""
    shop = await set_up_gateway(service)
    (connect,) = (method for method in METHODS if method.name == "Connect")
    hello = pb.Hello(gateway_id=shop.key.rpartition(".")[0], epoch="e")
    tap = with_text(pb.Tap.DESCRIPTOR, "🗿".encode()[:2])
    assert tap is not None
    requests = [
        pb.ConnectRequest(hello=hello).SerializeToString(),
        b"\x1a" + bytes([len(tap)]) + tap,  # as the field `tap`
    ]
    error = await Caller(service.address).call(connect, requests, shop.key)
    assert error is not None
    assert error.reason == "MESSAGE_MALFORMED"
    assert "emeth.devices.v1.ConnectRequest" in error.message


# --- values that say nothing ---------------------------------------------------------------------

NOTHING = {
    "plain": Struct(fields={"board": Value()}),
    "in a list": Struct(fields={"board": Value(list_value=ListValue(values=[Value()]))}),
    "within": Struct(fields={"board": Value(struct_value=Struct(fields={"x": Value()}))}),
}


@pytest.mark.parametrize("where", NOTHING)
async def test_a_value_that_says_nothing_is_a_malformed_field(client: Client, where: str) -> None:
    nothing, owner = NOTHING[where], "0123456789abcdef0123456789abcdef"
    match = matches_pb2.CreateMatchRequest(request_id=new_request(), game="agog", options=nothing)
    validate = armies_pb2.ValidateArmyRequest(game="golem-arcana", roster=nothing)
    save = armies_pb2.CreateArmyRequest(
        request_id=new_request(),
        army=armies_pb2.Army(game="golem-arcana", name="Mine", roster=nothing),
    )
    content = games_pb2.ListContentRequest(game="golem-arcana", constraints=nothing)
    for call in (
        client._call(client._matches.CreateMatch, match),
        client._call(client._armies.ValidateArmy, validate),
        client._call(client._armies.CreateArmy, save, owner),
        client._call(client._games.ListContent, content),
    ):
        with pytest.raises(ServiceError) as refused:
            await call
        assert refused.value.reason == "FIELD_INVALID", refused.value.message
        (field,) = refused.value.violations
        assert field.startswith(
            ("options.board", "roster.board", "army.roster.board", "constraints.board")
        )


@pytest.mark.parametrize(("seconds", "nanos"), [(2**62, 0), (-(2**62), 0), (3601, 0), (0, -1)])
async def test_an_interval_that_nobody_waits_for(client: Client, seconds: int, nanos: int) -> None:
    match = await create_match(client)
    request = match_subscription(match.id)
    interval = request.topics[0].match.pace.interval
    interval.seconds, interval.nanos = seconds, nanos
    with pytest.raises(ServiceError) as refused:
        async for _ in client._stream(client._views.Subscribe, request, match.tokens["white"]):
            pass
    assert refused.value.violations.keys() == {"topics[0].match.pace.interval"}


# --- sizes ---------------------------------------------------------------------------------------


async def test_what_the_contract_promises_to_take_is_not_too_large(service: Service) -> None:
    letter = "🗿"  # of four bytes
    shop = await set_up_gateway(service)
    async with Client(service.address) as client:
        request = history_pb2.ImportTranscriptRequest(
            request_id=new_request(), transcript=letter * (1 << 20)
        )
        with pytest.raises(ServiceError) as refused:
            await client._call(client._history.ImportTranscript, request)
        assert refused.value.reason == "TRANSCRIPT_INVALID"

        codes = {f"{number:04}{letter * 96}": "piece unit-a6" for number in range(5000)}
        assert (await client.update_tap_map(shop.key, codes=codes)).tap_map_version

        correct = audit_pb2.Correction(facts_json=['"' + letter * 3998 + '"'] * 100)
        verdict = audit_pb2.ResolveDisputeRequest(
            request_id=new_request(),
            match_id=shop.match,
            dispute_number=1,
            reason="so",
            correction=correct,
        )
        with pytest.raises(ServiceError) as refused:
            await client._call(client._audit.ResolveDispute, verdict, shop.tokens["referee"])
        assert refused.value.reason == "FIELD_INVALID"
        assert "must be a fact of" in refused.value.message


async def test_a_request_that_is_too_large_is_refused_with_the_limit(client: Client) -> None:
    match = await create_match(client)
    with pytest.raises(ServiceError) as refused:
        await client.submit(match.tokens["white"], match.id, "x" * 300_000)
    assert refused.value.reason == "MESSAGE_TOO_LARGE"
    assert refused.value.metadata["most"] == "262144"
    assert (await client.match(match.id, 1)).version == 1


async def test_an_error_fits_however_much_of_the_request_it_repeats(client: Client) -> None:
    options = Struct(fields={"🗿" * 15_000: Value(number_value=1)})
    request = matches_pb2.CreateMatchRequest(
        request_id=new_request(), game="golem-arcana", options=options
    )
    with pytest.raises(ServiceError) as refused:
        await client._call(client._matches.CreateMatch, request)
    assert refused.value.reason == "OPTIONS_INVALID"
    assert refused.value.message.endswith("...")
