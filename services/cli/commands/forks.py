"""The commands `emeth fork` and `import`: start a match from a version or from a transcript."""

from typing import TextIO

import click

from domain.registry import GAMES
from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.keyring import KeyringEntry
from services.cli.options import VERSION, as_json
from services.cli.terminal.console import print_json, print_table
from services.wire.emeth.v1 import history_pb2, matches_pb2


@click.command(short_help="Start a match from a version of another match.")
@click.option(
    "--at", "version", type=VERSION, metavar="VERSION", help="Fork at this version.  [default: now]"
)
@click.option("--title", default="", metavar="TEXT", help="Title of the new match.")
@with_access
@with_service
@as_json
def fork(
    service: ServiceAddress, access: MatchAccess, version: int | None, title: str, as_json: bool
) -> None:
    r"""Start a match that continues from a version of another match, and remember its tokens.

    The version may lie on an undone branch. The other match does not change.

    \b
    Examples:
      emeth fork
      emeth fork --at 12 --title "What if"
    """
    token = access.token_of(access.role or access.ring.seats[0])
    made = service.run(lambda client: client.fork_match(token, access.match, version or 0, title))
    _keep(made, as_json=as_json)


@click.command("import", short_help="Start a match from a transcript.")
@click.argument("file", type=click.File())
@with_service
@as_json
def import_(service: ServiceAddress, file: TextIO, as_json: bool) -> None:
    r"""Start a match from the transcript in FILE (`-` for standard input); remember its tokens.

    \b
    Examples:
      emeth import match.txt
      emeth export --format transcript | emeth import -
    """
    try:
        text = file.read()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"{file.name} is not text: {error}") from None
    made = service.run(lambda client: client.import_transcript(transcript=text))
    _keep(made, as_json=as_json)


def _keep(
    made: matches_pb2.ForkMatchResponse | history_pb2.ImportTranscriptResponse, *, as_json: bool
) -> None:
    """Store the tokens of a new match in the keyring, and print them."""
    match = made.match
    tokens = keyring.tokens_in_order(match, made.tokens)
    keyring.remember(match.match_id, KeyringEntry(match.game, tokens, version=match.version))
    if as_json:
        print_json(made)
        return
    click.echo(f"Match {match.match_id} ({GAMES[match.game].name}): {match.caption}\n")
    print_table(("ROLE", "TOKEN"), tokens.items())
