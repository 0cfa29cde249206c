"""`emeth export` and `restore`: matches as files."""

import sys
from contextlib import aclosing
from pathlib import Path

import click

from services.cli.access import Access, accessed
from services.cli.admin_key import keyed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import print_json
from services.client import Client


@click.command(short_help="Write a match to a file that verifies offline.")
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--html", is_flag=True, help="Write a page that replays it, and checks it.")
@accessed
@connected
def export(service: ServiceAddress, access: Access, file: Path | None, html: bool) -> None:
    """Write a match into FILE, with everything needed to check and replay it, signed by the
    service. Without a FILE it goes to standard output.

    The file shows all that was ever hidden: a match of a game that hides things takes the
    referee's token. With --html it is a page for a browser instead, which needs no network: the
    board after each event, what happened and by which rules, as far as the token's role may see.
    If the role may have the file, the page has it too, and checks what needs no rules: digests,
    signatures, proofs, draws.

    \b
    Examples:
      emeth export match.emeth
      emeth export --as referee > match.emeth
      emeth export --html replay.html
    """
    token = access.viewing()

    async def whole(client: Client) -> bytes:
        made = client.export_replay if html else client.export_match
        async with aclosing(made(token, access.match)) as pieces:
            return b"".join([piece async for piece in pieces])

    raw = service.run(whole)
    if file is None:
        sys.stdout.buffer.write(raw)
        return
    try:
        file.write_bytes(raw)
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror}") from None
    hint = "open it in a browser" if html else f"`emeth verify {file}` checks it"
    click.echo(f"{file}: {len(raw)} bytes; {hint}")


@click.command(short_help="Import a match from a file.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@keyed
@connected
@as_json
def restore(service: ServiceAddress, key: str, file: Path, as_json: bool) -> None:
    """Have the service import a match from a FILE of `emeth export`, as it is: with its id, its
    events and its tokens. The service refuses what does not verify. The same file again changes
    nothing.

    \b
    Example:
      emeth restore match.emeth --data /var/lib/emeth
    """
    raw = file.read_bytes()
    match = service.run(lambda client: client.import_match(key, raw))
    if as_json:
        print_json(match)
    else:
        click.echo(f"Match {match.match_id} is in the log, with {match.version} events.")
