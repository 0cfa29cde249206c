"""Writes services/wire/calls.py: one typed method for each rpc, for the Python client."""

import re
from collections.abc import Iterator, Sequence
from textwrap import indent, wrap

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    MethodDescriptorProto,
    ServiceDescriptorProto,
)

F = FieldDescriptorProto
SCALARS = {
    F.TYPE_STRING: ("str", '""'),
    F.TYPE_BYTES: ("bytes", 'b""'),
    F.TYPE_BOOL: ("bool", "False"),
    F.TYPE_DOUBLE: ("float", "0.0"),
    F.TYPE_FLOAT: ("float", "0.0"),
}
"""The Python type and default of each scalar that is no integer."""
LAST = ("page_size", "page_token", "request_id", "client_secret")
"""Fields that are set by name only, whatever their numbers."""
WELL_KNOWN = {
    ".google.protobuf.Struct": ("Mapping[str, Any] | None", "_struct"),
    ".google.protobuf.Timestamp": ("datetime | None", "_timestamp"),
    ".google.protobuf.Duration": ("timedelta | None", "_duration"),
    ".google.protobuf.FieldMask": ("Iterable[str]", "_mask"),
}
"""The Python type that a message is given as, and the function that makes the message of it."""
PROLOGUE = """
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping
from contextlib import aclosing
from datetime import datetime, timedelta
from typing import Any, TypeVar

import grpc.aio
from google.protobuf.duration_pb2 import Duration
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

"""
BASE = '''

Q = TypeVar("Q", bound=Message)
P = TypeVar("P", bound=Message)
I = TypeVar("I")


def _struct(values: Mapping[str, Any] | None) -> Struct | None:
    if values is None:
        return None
    message = Struct()
    message.update(dict(values))
    return message


def _timestamp(time: datetime | None) -> Timestamp | None:
    if time is None:
        return None
    message = Timestamp()
    message.FromDatetime(time)
    return message


def _duration(term: timedelta | None) -> Duration | None:
    if term is None:
        return None
    message = Duration()
    message.FromTimedelta(term)
    return message


def _message(kind: type[P], value: P | Mapping[str, Any] | None) -> P | None:
    return kind(**value) if isinstance(value, Mapping) else value


def _mask(paths: Iterable[str]) -> FieldMask | None:
    named = list(paths)
    return FieldMask(paths=named) if named else None


class Calls(ABC):
    """Every rpc of the API but those that stream both ways, as a method.

    A `token` is the token or key to call with. What is left out is not set in the request.

    A message may be given as a mapping from its fields. A response that is only the resource that
    the rpc names is returned as that resource. A method whose rpc lists pages returns the items of
    all pages; the one with `_page` in its name returns one page. A method whose rpc streams its
    responses yields them.
    """

    def _use(self, channel: grpc.aio.Channel) -> None:
        """Make all calls over this channel."""
%s

    @abstractmethod
    async def _call(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Q, P], request: Q, token: str = ""
    ) -> P:
        """Make one call."""

    @abstractmethod
    def _stream(
        self, method: grpc.aio.UnaryStreamMultiCallable[Q, P], request: Q, token: str = ""
    ) -> AsyncGenerator[P, None]:
        """Make a call, and yield what it streams."""

    @abstractmethod
    async def _upload(
        self,
        method: grpc.aio.StreamUnaryMultiCallable[Q, P],
        requests: Callable[[], Iterator[Q]],
        token: str = "",
    ) -> P:
        """Make a call that streams requests."""

    @abstractmethod
    async def _list_all(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Q, P],
        request: Q,
        token: str,
        items: Callable[[P], Iterable[I]],
        limit: int | None,
    ) -> list[I]:
        """Ask for one page after the other. Return the items of all."""
'''


class Modules:
    """The generated module and the Python name of each message and enum."""

    def __init__(self, files: Sequence[FileDescriptorProto]) -> None:
        self.names: dict[str, str] = {}
        self.messages: dict[str, DescriptorProto] = {}
        self.zeros: dict[str, str] = {}
        """The constant of each enum that means that it is not set."""
        self.comments: dict[str, str] = {}
        """Of each field, by the full name of its message and its own."""
        for file in files:
            module = _module(file)
            found = {
                tuple(each.path): each.leading_comments for each in file.source_code_info.location
            }
            for at, message in enumerate(file.message_type):
                name = f".{file.package}.{message.name}"
                self.names[name], self.messages[name] = f"{module}.{message.name}", message
                for number, field in enumerate(message.field):
                    self.comments[f"{name}.{field.name}"] = found.get((4, at, 2, number), "")
                for enum in message.enum_type:
                    self.names[f"{name}.{enum.name}"] = f"{module}.{message.name}.{enum.name}"
                    zero = f"{module}.{message.name}.{enum.value[0].name}"
                    self.zeros[f"{name}.{enum.name}"] = zero
            for enum in file.enum_type:
                name = f".{file.package}.{enum.name}"
                self.names[name], self.zeros[name] = (
                    f"{module}.{enum.name}",
                    f"{module}.{enum.value[0].name}",
                )

    def parameter(
        self, message: DescriptorProto, field: FieldDescriptorProto
    ) -> tuple[str, str, str]:
        """Return the type, the default and the value of the parameter for a field."""
        name, kind = field.name, field.type_name
        if field.label == F.LABEL_REPEATED:
            entry = next(
                (each for each in message.nested_type if kind.endswith(f".{each.name}")), None
            )
            if entry is not None:
                key, value = (self.type_of(each) for each in entry.field)
                return f"Mapping[{key}, {value}] | None", "None", name
            return f"Iterable[{self.type_of(field)}]", "()", name
        if kind in WELL_KNOWN:
            given, make = WELL_KNOWN[kind]
            return given, "()" if make == "_mask" else "None", f"{make}({name})"
        if field.type == F.TYPE_MESSAGE:
            made = self.type_of(field)
            return f"{made} | Mapping[str, Any] | None", "None", f"_message({made}, {name})"
        if field.HasField("oneof_index"):
            return f"{self.type_of(field)} | None", "None", name
        if field.type == F.TYPE_ENUM:
            return self.type_of(field), self.zeros[kind], name
        return (*SCALARS.get(field.type, ("int", "0")), name)

    def type_of(self, field: FieldDescriptorProto) -> str:
        """Return the Python type of a field's value, or of one of them if it repeats."""
        if field.type == F.TYPE_ENUM:
            return f"{self.names[field.type_name]}.ValueType"
        if field.type == F.TYPE_MESSAGE:
            return self.names[field.type_name]
        return SCALARS.get(field.type, ("int", "0"))[0]


def calls(files: Sequence[FileDescriptorProto]) -> str:
    """Return the text of the module for these files, which have their comments."""
    modules = Modules(files)
    imports, stubs, methods = set(), [], []
    for file in files:
        comments = {
            tuple(each.path): each.leading_comments for each in file.source_code_info.location
        }
        imports.add(f"from .{file.package} import {_module(file)}")
        for at, service in enumerate(file.service):
            imports.add(f"from .{file.package} import {_module(file)}_grpc")
            stub = _stub(service)
            stubs.append(f"        {stub} = {_module(file)}_grpc.{service.name}Stub(channel)")
            methods.append(f"\n    # --- {service.name} ---\n")
            for number, method in enumerate(service.method):
                if not (method.client_streaming and method.server_streaming):
                    comment = comments.get((6, at, 2, number), "")
                    methods.extend(_methods(modules, stub, method, comment))
    return PROLOGUE + "\n".join(sorted(imports)) + BASE % "\n".join(stubs) + "\n".join(methods)


def _methods(
    modules: Modules, stub: str, method: MethodDescriptorProto, comment: str
) -> Iterator[str]:
    """Return the method for an rpc; and for one of pages, the method that returns all items."""
    name = re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower()
    request, response = modules.names[method.input_type], modules.names[method.output_type]
    rpc = f"{stub}.{method.name}"
    answer = modules.messages[method.output_type].field
    is_resource = len(answer) == 1 and name.endswith(f"_{answer[0].name}")
    result = modules.type_of(answer[0]) if is_resource else response

    def returning(call: str) -> str:
        got = f"(await {call}).{answer[0].name}" if is_resource else f"await {call}"
        return f"        return {got}"

    if method.client_streaming:
        makes = [("requests", "Makes what is streamed, for each attempt.")]
        yield (
            f"\n    async def {name}(\n"
            f'        self, requests: Callable[[], Iterator[{request}]], token: str = ""\n'
            f"    ) -> {result}:\n{_docstring(comment, makes)}"
            f"\n{returning(f'self._upload({rpc}, requests, token)')}"
        )
        return
    message = modules.messages[method.input_type]
    numbered = sorted(message.field, key=lambda field: (field.name != "match_id", field.number))
    fields = {field.name: modules.parameter(message, field) for field in numbered}
    documented = [(field, modules.comments[f"{method.input_type}.{field}"]) for field in fields]

    def written(
        called: str, returned: str, then: str, comment: str, left_out: str = "", more: str = ""
    ) -> str:
        """Return a method that makes the request, and then returns or yields what is answered."""
        names = [each for each in fields if each != left_out]
        by_name = [each for each in names if each in LAST]
        parameters = ["self", 'token: str = ""']
        parameters += map(parameter, [each for each in names if each not in by_name])
        parameters += ["*", *map(parameter, by_name)] if by_name or more else []
        lines = "".join(f"        {each},\n" for each in [*parameters, *([more] if more else [])])
        described = [each for each in documented if each[0] in names]
        described += [("limit", "Number of items after which to stop. Default: none.")] * bool(more)
        values = "".join(f"\n            {each}={fields[each][2]}," for each in names)
        return (
            f"\n    async def {called}(\n{lines}    ) -> {returned}:\n"
            f"{_docstring(comment, described)}\n"
            f"        request = {request}({values}\n        )\n{then}"
        )

    def parameter(name: str) -> str:
        return f"{name}: {fields[name][0]} = {fields[name][1]}"

    if method.server_streaming:
        then = (
            f"        async with aclosing(self._stream({rpc}, request, token)) as stream:\n"
            "            async for response in stream:\n                yield response"
        )
        yield written(name, f"AsyncGenerator[{response}, None]", then, comment)
    elif "page_token" in fields:
        then = f"        return await self._call({rpc}, request, token)"
        yield written(f"{name}_page", response, then, comment)
        items = next(each for each in answer if each.label == F.LABEL_REPEATED)
        then = (
            "        return await self._list_all(\n"
            f"            {rpc}, request, token, lambda page: page.{items.name}, limit\n        )"
        )
        returned = f"list[{modules.type_of(items)}]"
        yield written(name, returned, then, comment, "page_token", "limit: int | None = None")
    else:
        yield written(name, result, returning(f"self._call({rpc}, request, token)"), comment)


def _docstring(comment: str, documented: Sequence[tuple[str, str]]) -> str:
    """Return the docstring of a method: its comment, and that of each field."""
    lines = [line.removeprefix(" ") for line in comment.rstrip().splitlines()]
    if documented:
        lines += ["", "Args:"]
    for name, text in documented:
        lines += wrap(
            f"{name}: {' '.join(text.split())}",
            88,
            initial_indent="    ",
            subsequent_indent="        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return indent(f'"""{text}\n"""', "        ")


def _module(file: FileDescriptorProto) -> str:
    return file.name.rpartition("/")[2].removesuffix(".proto") + "_pb2"


def _stub(service: ServiceDescriptorProto) -> str:
    return f"self._{service.name.removesuffix('Service').lower()}"
