"""The commands `emeth export` and `restore`: matches as files."""

import sys
from pathlib import Path
from typing import Final

import click

from services.cli.access import MatchAccess, with_access
from services.cli.admin_key import with_admin_key
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal.console import print_json
from services.client import Client
from services.wire.emeth.v1 import history_pb2 as pb

FORMATS: Final = {
    "match-file": pb.EXPORT_FORMAT_MATCH_FILE,
    "transcript": pb.EXPORT_FORMAT_TRANSCRIPT,
    "replay-page": pb.EXPORT_FORMAT_REPLAY_PAGE,
    "score": pb.EXPORT_FORMAT_SCORE,
}
HINTS: Final = {
    "match-file": "`emeth verify {file}` checks it",
    "transcript": "`emeth import {file}` plays it again",
    "replay-page": "open it in a browser",
    "score": "it is in score notation",
}


@click.command(short_help="Export a match as a file.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "export_format",
    type=click.Choice(list(FORMATS)),
    default="match-file",
    show_default=True,
    help="Format of the file.",
)
@with_access
@with_service
def export(
    service: ServiceAddress, access: MatchAccess, file: Path | None, export_format: str
) -> None:
    r"""Export a match to FILE, or to standard output.

    \b
    match-file   every event with signatures; verifies offline, and `emeth restore` imports it
    transcript   text for people, from which `emeth import` starts a match (docs/transcripts.md)
    replay-page  HTML page that replays the match without a network
    score        the moves in the rulebook's notation

    The match file reveals all hidden information, so it needs the referee's token in a game with
    hidden information. The other formats contain what the token's role may see. For a role that may
    export the match file, the replay page contains it and checks its digests, signatures, proofs
    and draws.

    \b
    Examples:
      emeth export match.emeth
      emeth export --as referee > match.emeth
      emeth export --format replay-page replay.html
      emeth export --format score
    """
    token = access.viewing()

    async def whole(client: Client) -> bytes:
        file = FORMATS[export_format]
        return (await client.export(token, access.match, file, access.ring.version)).data

    raw = service.run(whole)
    if export_format == "score" and not raw.endswith(b"\n"):
        raw += b"\n"  # a score ends with its last move
    if file is None:
        sys.stdout.buffer.write(raw)
        return
    try:
        file.write_bytes(raw)
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file}: {len(raw)} bytes; {HINTS[export_format].format(file=file)}")


@click.command(short_help="Import a match from a file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@with_admin_key
@with_service
@as_json
def restore(service: ServiceAddress, key: str, file: Path, as_json: bool) -> None:
    r"""Import a match from a match file of `emeth export`, with its ID, events and tokens.

    The service refuses a file that does not verify. Importing the same file again changes nothing.

    \b
    Example:
      emeth restore match.emeth --data /var/lib/emeth
    """
    raw = file.read_bytes()
    match = service.run(lambda client: client.import_file(key, raw))
    if as_json:
        print_json(match)
    else:
        click.echo(f"Match {match.match_id} is in the log, with {match.version} events.")
