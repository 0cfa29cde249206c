"""Every rpc as a stranger calls it: requests made of what strangers can know, and the answers.

Nothing is written for an rpc but its entry in `ABOUT`: requests are made from the descriptor. A
field that is named as something that a stranger may know, such as the ID of a private match, has
that value, and each member of a oneof gets a request of its own.
"""

import asyncio
import pkgutil
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Self
from uuid import uuid4

import grpc
import grpc.aio
from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_status.rpc_status import from_call

from services.client.connection import ServiceError, authorization_metadata
from services.wire import emeth

QUIET_SECONDS: Final = 0.5
"""A stream that says nothing more for so long has said all that there is."""
MAX_SECONDS: Final = 30.0
MAX_DEPTH: Final = 5
"""Messages within messages."""


def _methods() -> Iterator[MethodDescriptor]:
    for found in pkgutil.walk_packages(emeth.__path__, f"{emeth.__name__}."):
        if found.name.endswith("_pb2"):
            services = import_module(found.name).DESCRIPTOR.services_by_name
            yield from (method for each in services.values() for method in each.methods)


METHODS: Final[Mapping[str, MethodDescriptor]] = {
    f"{method.containing_service.name}.{method.name}": method for method in _methods()
}
"""Every rpc of every package, by its service and its name."""

About = Literal["a match", "a list", "a player", "a frontend", "a table", "an army", "the service"]
"""What an rpc is about. One about a match refuses strangers; any other may answer them, with
nothing of a private match in the answer."""


class Caller(NamedTuple):
    """The caller, by what the call shows."""

    token: str = ""
    frontend_key: str = ""


class Answer(NamedTuple):
    """What a call was answered."""

    texts: tuple[str, ...]
    """The messages as JSON, and what the error says."""
    raw: str
    """The bytes of the messages, for what JSON hides."""
    code: str
    """Of the error; empty if there was none, or none yet."""
    reason: str

    def shows(self, marks: Iterable[str]) -> set[str]:
        """Return those of these marks that are in the answer."""
        whole = "\n".join((*self.texts, self.raw))
        return {mark for mark in marks if mark in whole}


def requests(
    method: MethodDescriptor, known: Mapping[str, Any], *, parts: bool = True
) -> list[Message]:
    """Return requests of an rpc with these values, by the names of fields: one for each member of a
    oneof in them; and if not only whole ones are wanted, one without any value, and those with one
    field alone."""
    whole = _variants(method.input_type, known, 0)
    if whole and not parts:
        return whole
    alone = [made for field in method.input_type.fields for made in _made(field, known, 0)]
    return [GetMessageClass(method.input_type)(), *alone, *whole]


def _variants(kind: Descriptor, known: Mapping[str, Any], depth: int) -> list[Message]:
    """Return messages of a type that have known values in all fields that can have them."""
    base: Any = GetMessageClass(kind)()
    choices: list[list[Message]] = []
    for field in kind.fields:
        made = _made(field, known, depth)
        if not made:
            continue
        if field.containing_oneof is None or field.containing_oneof.name.startswith("_"):
            base.MergeFrom(made[0])
            choices.append(made[1:])
        else:
            choices.append(made)
    found: list[Message] = []
    for more in (each for choice in choices for each in choice):
        variant = GetMessageClass(kind)()
        variant.CopyFrom(base)
        for field, _ in more.ListFields():
            variant.ClearField(field.name)  # else of a list there would be both
        variant.MergeFrom(more)
        found.append(variant)
    return found or ([base] if base.ListFields() else [])


def _made(field: FieldDescriptor, known: Mapping[str, Any], depth: int) -> list[Message]:
    """Return messages with nothing but this field, for each value that it can have."""
    kind, made = GetMessageClass(field.containing_type), list[Message]()
    if field.message_type is not None:
        if field.message_type.GetOptions().map_entry or depth >= MAX_DEPTH:
            return []
        for inner in _variants(field.message_type, known, depth + 1):
            outer: Any = kind()
            place = getattr(outer, field.name)
            (place.add() if field.is_repeated else place).MergeFrom(inner)
            made.append(outer)
        return made
    values = known.get(field.name, ())
    for value in values if isinstance(values, tuple) else (values,):
        outer = kind()
        with suppress(TypeError, ValueError):  # a field of that name which is of another type
            if field.is_repeated:
                getattr(outer, field.name).append(value)
            else:
                setattr(outer, field.name, value)
            made.append(outer)
    return made


class StrangerConnection:
    """A connection to a service, over which anybody calls anything."""

    def __init__(self, address: str) -> None:
        self._channel = grpc.aio.insecure_channel(address)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._channel.close()

    async def ask(self, method: MethodDescriptor, request: Any, caller: Caller) -> Answer:
        """Make a call, and return all that came of it until it ended or was silent."""
        sent = type(request)()
        sent.CopyFrom(request)
        if "request_id" in sent.DESCRIPTOR.fields_by_name:
            sent.request_id = str(uuid4())
        texts, raw = list[str](), b""
        call = self._channel.stream_stream(
            f"/{method.containing_service.full_name}/{method.name}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=GetMessageClass(method.output_type).FromString,
        )(
            _one(sent, stays=method.client_streaming and method.server_streaming),
            metadata=authorization_metadata(caller.token, caller.frontend_key),
        )
        ended, quiet = True, MAX_SECONDS
        try:
            while True:
                async with asyncio.timeout(quiet):
                    message = await call.read()
                if message is grpc.aio.EOF:
                    break
                texts.append(MessageToJson(message, ensure_ascii=False))
                raw += message.SerializeToString()
                quiet = QUIET_SECONDS if method.server_streaming else MAX_SECONDS
        except TimeoutError:
            assert texts, f"{method.full_name} says nothing"
            ended = False
        except grpc.aio.AioRpcError:
            pass
        finally:
            call.cancel()
        code = reason = ""
        if ended and (status := await call.code()) is not grpc.StatusCode.OK:
            details = await call.details()
            error = grpc.aio.AioRpcError(
                status, await call.initial_metadata(), await call.trailing_metadata(), details
            )
            code, reason = status.name, ServiceError.from_rpc(error).reason
            texts.append(f"{code} {details} {from_call(error) or ''}")  # type: ignore[arg-type]
        return Answer(tuple(texts), raw.decode("latin-1"), code, reason)

    async def ask_all(
        self, calls: Sequence[tuple[MethodDescriptor, Message, Caller]]
    ) -> list[Answer]:
        """The same for many calls, some of them at once."""
        free = asyncio.Semaphore(64)

        async def one(method: MethodDescriptor, request: Message, caller: Caller) -> Answer:
            async with free:
                return await self.ask(method, request, caller)

        return await asyncio.gather(*(one(*each) for each in calls))


async def _one(message: Message, *, stays: bool) -> AsyncIterator[Message]:
    """A request, after which a stream in both directions stays open for a while."""
    yield message
    if stays:
        await asyncio.sleep(QUIET_SECONDS)


def writes(method: MethodDescriptor) -> bool:
    """Return whether an rpc may change what others see: such are not asked twice for the same."""
    fields = method.input_type.fields_by_name
    return "request_id" in fields or bool(method.client_streaming)
