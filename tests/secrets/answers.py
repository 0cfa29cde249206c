"""Asking a service anything, and what is to be compared of its answers.

Every rpc is called by its descriptor, in the process or over a socket, so that nothing has to be
written for a new one. An answer is brought to a *level*: names, digests and times of the match are
blotted out, letter by letter, so that what is left has the length that it had.
"""

import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import aclosing
from typing import Any, Final, Protocol, Self

import grpc
import grpc.aio
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import error_details_pb2, status_pb2
from grpc_status.rpc_status import from_call

from services.accounts.context import RequestContext
from services.api.store_errors import api_error
from services.api.topics import TopicMessage
from services.main import Service
from services.runtime.errors import ApiError
from services.store.errors import StoreError
from services.transport.pipeline import snake_case
from services.transport.statuses import rich_status
from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)

FILES: Final = (
    matches_pb2, play_service_pb2, views_pb2, history_pb2, audit_pb2, gateways_pb2, armies_pb2,
    styluses_pb2, admin_pb2, analysis_pb2, frontends_pb2, games_pb2, players_pb2, statistics_pb2,
)  # fmt: skip
METHODS: Final[dict[str, MethodDescriptor]] = {
    method.name: method
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
"""Every rpc of every service, by its name, which no two of them share."""

Answer = tuple[Message | str, ...]
"""What came, message by message; for an error, a text of all that it says."""


class ServiceCaller(Protocol):
    """A way to a service."""

    def call(self, name: str, request: Any, token: str) -> AsyncIterator[Message]:
        """The messages that answer a call; raises ApiError, StoreError or AioRpcError."""


class InProcessCaller(Service):
    """A service whose handlers can be called in the process, as the door calls them."""

    async def call(self, name: str, request: Any, token: str) -> AsyncIterator[Message]:
        """The answer of a handler. Messages go through their bytes, as on a wire."""
        method = METHODS[name]
        file = method.containing_service.file.name
        (handlers,) = (each for of, each in self.handlers.items() if of.DESCRIPTOR.name == file)
        handler = getattr(handlers, snake_case(name))
        if not method.client_streaming:
            request = GetMessageClass(method.input_type).FromString(request.SerializeToString())
        called = handler(RequestContext(token, 30.0), request)
        if method.server_streaming:
            async with aclosing(called):
                async for message in called:
                    yield message.response() if isinstance(message, TopicMessage) else message
        else:
            yield await called


class GrpcCaller:
    """The same over a socket."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.aio.insecure_channel(address)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def call(self, name: str, request: Any, token: str) -> AsyncIterator[Message]:
        """The answer that comes over the line."""
        method = METHODS[name]
        kinds = ("unary", "stream")
        make = f"{kinds[method.client_streaming]}_{kinds[method.server_streaming]}"
        called = getattr(self._channel, make)(
            f"/{method.containing_service.full_name}/{name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )(request, metadata=(("authorization", f"Bearer {token}"),) if token else ())
        try:
            if method.server_streaming:
                async for message in called:
                    yield message
            else:
                yield await called
        finally:
            called.cancel()


async def answered(
    way: ServiceCaller,
    name: str,
    request: Any,
    token: str,
    most: int,
    seen: Callable[[Any], None] = lambda message: None,
) -> Answer:
    """The answer to a call, at most so many messages of it; `seen` is given each as it comes."""
    came: list[Message | str] = []
    try:
        async with aclosing(way.call(name, request, token)) as messages:  # type: ignore[type-var]
            async for message in messages:
                seen(message)
                came.append(message)
                if len(came) == most:
                    break
    except (ApiError, StoreError) as error:
        came.append(_describe_status(rich_status(api_error(error))))
    except grpc.aio.AioRpcError as error:
        status = from_call(error)  # type: ignore[arg-type]  # it has all that is read of a Call
        came.append(_describe_status(status or status_pb2.Status()))
    return tuple(came)


def is_same_answer(one: Answer, other: Answer) -> bool:
    """Are two answers the same on the level?"""
    return len(one) == len(other) and all(map(_alike, one, other))


def describe_answer(answer: Answer) -> str:
    """An answer on the level, for people."""
    return "\n".join(
        each if isinstance(each, str) else str(type(each).FromString(mask_message(each)))
        for each in answer
    )


def _alike(one: Any, other: Any, name: str = "") -> bool:
    """Are two values of a field the same on the level? What is equal is not looked into."""
    if one == other or isinstance(one, Timestamp):
        return type(one) is type(other)
    if isinstance(one, Message) and isinstance(other, Message):
        ours, theirs = one.ListFields(), other.ListFields()
        return len(ours) == len(theirs) and all(
            mine[0] is yours[0] and _alike(mine[1], yours[1], mine[0].name)
            for mine, yours in zip(ours, theirs, strict=True)
        )
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, str) and isinstance(other, str):
        return _blot(name, one) == _blot(name, other)
    if isinstance(one, bytes) and isinstance(other, bytes):
        return _blot(name, one.decode("latin-1")) == _blot(name, other.decode("latin-1"))
    if isinstance(one, Iterable):
        return len(one) == len(other) and all(  # type: ignore[arg-type]  # repeated
            _alike(mine, yours, name) for mine, yours in zip(one, other, strict=True)
        )
    return False


def _describe_status(status: status_pb2.Status) -> str:
    """Everything that an error says, in a text."""
    said: list[Any] = [status.code, mask_names(status.message)]
    for detail in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            said += [info.reason, sorted((k, mask_names(v)) for k, v in info.metadata.items())]
        elif detail.Unpack(bad):
            said += [(v.field, mask_names(v.description)) for v in bad.field_violations]
        else:
            said.append(detail.type_url)
    return repr(said)


NAMES: Final = frozenset(
    {"match_id", "digest", "signature", "commitment", "next_page_token", "group", "token", "key",
     "table_id", "gateway_id", "request_id", "subscription_id", "filename"}
)  # fmt: skip
"""Fields that name a match, a device or a page, or that prove something."""
NAMING: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # an id
    r"|\b[0-9a-f]{64}\b"  # a digest
    r"|\b[0-9a-f]{8}-\d+\b"  # a precedent
    r"|\d{4}-\d\d-\d\dT[\d:.+]+"  # a time
)


SHORTEST: Final = 10
"""Characters that `NAMING` takes at least. Most texts of a scene have fewer."""


def mask_names(text: str) -> str:
    """A text without the names, digests and times in it, and as long as before."""
    if len(text) < SHORTEST:
        return text
    return NAMING.sub(lambda found: "=" * len(found[0]), text)


def mask_message(message: Message) -> bytes:
    """A message without what names, proves and dates, as bytes."""
    copy = type(message)()
    copy.CopyFrom(message)
    _level(copy)
    return copy.SerializeToString(deterministic=True)


def _level(message: Message) -> None:
    if isinstance(message, Timestamp):
        message.Clear()
        return
    for field, value in message.ListFields():
        if isinstance(value, Mapping):
            for name in [*value]:
                if isinstance(value[name], str):
                    value[name] = mask_names(value[name])  # type: ignore[index]  # it is a map field
                elif isinstance(value[name], Message):
                    _level(value[name])
        elif isinstance(value, Message):
            _level(value)
        elif isinstance(value, str):
            setattr(message, field.name, _blot(field.name, value))
        elif isinstance(value, bytes):
            text = _blot(field.name, value.decode("latin-1"))
            setattr(message, field.name, text.encode("latin-1"))
        elif isinstance(value, Iterable):
            for place, each in enumerate(value):
                if isinstance(each, Message):
                    _level(each)
                elif isinstance(each, str):
                    value[place] = _blot(field.name, each)  # type: ignore[index]  # repeated


def _blot(field: str, text: str) -> str:
    return "=" * len(text) if field in NAMES else mask_names(text)
