"""The command `emeth call`: calls any method of the API with a request as JSON."""

import json
import sys
from collections.abc import Iterator
from contextlib import aclosing
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import click
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from services import wire
from services.cli.connection import ServiceAddress, error_sentence, with_service
from services.cli.terminal.console import ServiceFailed, plain, print_json, print_table
from services.client import Client, ServiceError
from services.wire.summaries import SUMMARIES


@cache
def methods() -> dict[str, MethodDescriptor]:
    """Return every method of the API by its name, such as `MatchesService.GetMatch`."""
    modules = (each.name for each in walk_packages(wire.__path__, f"{wire.__name__}."))
    files = [import_module(name).DESCRIPTOR for name in modules if name.endswith("_pb2")]
    services = [service for file in files for service in file.services_by_name.values()]
    return {f"{each.name}.{method.name}": method for each in services for method in each.methods}


def _like(text: str) -> list[str]:
    """Return the methods whose names contain a text, regardless of case."""
    return [name for name in methods() if text.lower() in name.lower()]


class MethodName(click.ParamType[MethodDescriptor]):
    """A method of the API: `MatchesService.GetMatch`, `GetMatch`, or with its package."""

    name = "method"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> MethodDescriptor:
        """Return the method of this name."""
        if isinstance(value, MethodDescriptor):
            return value
        wanted = str(value).replace("/", ".").strip(".")
        for name, method in methods().items():
            if wanted in (name, method.name, method.full_name):
                return method
        near = get_close_matches(wanted, methods(), 3, cutoff=0.5)
        hint = f"similar names: {', '.join(near)}" if near else "`emeth call` lists all methods"
        return self.fail(f"there is no method {value!r}; {hint}", param, ctx)


@click.command(short_help="Call any method of the API.")
@click.argument(
    "method",
    metavar="[METHOD]",
    type=MethodName(),
    required=False,
    shell_complete=lambda _, __, text: _like(text),
)
@click.argument("request_text", metavar="[JSON]", default="{}")
@click.option(
    "--token",
    envvar="EMETH_TOKEN",
    default="",
    show_envvar=True,
    metavar="TOKEN",
    help="Call with this token or key; @FILE reads it from a file.",
)
@with_service
def call(
    service: ServiceAddress, method: MethodDescriptor | None, request_text: str, token: str
) -> None:
    r"""Call a METHOD of the API and print its response; without METHOD, list all methods.

    The request is JSON, @FILE, or - for standard input. A method with a stream of requests takes
    several JSON values in a row. A missing request ID is generated. A stream of responses is
    printed one line each. An error is printed with its reason and the invalid fields; the exit code
    is then 3.

    \b
    Examples:
      emeth call GamesService.ListGames
      emeth call ListMatches '{"page_size": 3}'
      emeth call AdminService.RebuildProjections --token @data/admin.key
    """
    if method is None:
        print_table(("METHOD", "DOES"), _listed())
        return
    requests = _requests(method, _text_of(request_text))
    if len(requests) != 1 and not method.client_streaming:
        raise click.UsageError(f"{method.name} takes one request, not {len(requests)}")

    async def calling(client: Client) -> None:
        try:
            responses = client.call(method, requests, _text_of(token).strip())
            async with aclosing(responses):
                async for response in responses:
                    _print(response, is_line=method.server_streaming)
        except ServiceError as error:
            wrong = "".join(f"\n  {field}: {why}" for field, why in error.violations.items())
            raise ServiceFailed(error_sentence(error, service.address) + wrong) from None

    service.run(calling)


def _listed() -> Iterator[tuple[str, str]]:
    for name, method in methods().items():
        yield name, SUMMARIES[method.full_name]


def _text_of(given: str) -> str:
    """Return the text of an argument: itself, the content of @FILE, or standard input for `-`."""
    if given == "-":
        return sys.stdin.read()
    if not given.startswith("@"):
        return given
    try:
        return Path(given[1:]).read_text()
    except (OSError, ValueError) as error:
        raise click.UsageError(f"cannot read {given[1:]}: {error}") from None


def _requests(method: MethodDescriptor, text: str) -> list[Message]:
    """Return the requests in a text, one JSON value after the other."""
    decoder, found = json.JSONDecoder(), []
    text = text.strip()
    try:
        while text:
            value, end = decoder.raw_decode(text)
            found.append(ParseDict(value, GetMessageClass(method.input_type)()))
            text = text[end:].strip()
    except (ValueError, ParseError, RecursionError) as error:
        why = f"the request is not a {method.input_type.name} as JSON: {error}"
        raise click.UsageError(why) from None
    return found


def _print(response: Message, *, is_line: bool) -> None:
    if is_line:
        click.echo(json.dumps(plain(response)))
    else:
        print_json(response)
