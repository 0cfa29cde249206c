"""`emeth show`, `watch`, `history` and `record`: looking at a match."""

import json
from contextlib import aclosing
from datetime import datetime
from pathlib import Path

import click

from projections.drawing import closeup
from services.cli.access import Access, accessed
from services.cli.connection import WATCHER_PATIENCE_SECONDS, Service, connected
from services.cli.options import Moment, as_json
from services.cli.terminal import sentences
from services.cli.terminal.board import read_scene
from services.cli.terminal.console import Refused, plain, print_json
from services.cli.terminal.screen import Screen, draw_once
from services.client import Client
from services.client.witness import Rewritten, Witness
from services.wire.emeth.v1.views_pb2 import (
    SCENE_FORMAT_STRUCTURE,
    SCENE_FORMAT_SVG,
    SCENE_FORMAT_UNSPECIFIED,
)


@click.command(short_help="Draw a match, now or at a version.")
@click.option("--at", "version", type=click.IntRange(1), metavar="VERSION", help="As it was then.")
@click.option(
    "--at-time", "time", type=Moment(), metavar="TIME", help="As it was then: 2026-11-21T18:30."
)
@click.option("--viewer", default="", metavar="ROLE", help="As this one sees it: for the referee.")
@click.option("--focus", default="", metavar="SPACE", help="Only this space, with all on it.")
@click.option("--svg", is_flag=True, help="Print an SVG document.")
@accessed
@connected
@as_json
def show(
    service: Service,
    access: Access,
    version: int | None,
    time: datetime | None,
    viewer: str,
    focus: str,
    svg: bool,
    as_json: bool,
) -> None:
    """Draw a match as text or as SVG, as its viewer may see it: all of it, or one space closely.

    \b
    Examples:
      emeth show
      emeth show --at 12 --as referee
      emeth show --at 12 --as referee --viewer black
      emeth show --at-time 2026-11-21T18:30
      emeth show --focus c4
      emeth show --svg > board.svg
    """
    if svg and as_json:
        raise click.UsageError("--svg and --json exclude each other")
    if version is not None and time is not None:
        raise click.UsageError("--at and --at-time exclude each other")
    token = access.viewing()
    seen = service.run(
        lambda client: client.scene(
            token,
            access.match,
            version=version,
            time=time,
            at_least_version=access.ring.version,
            form=SCENE_FORMAT_SVG if svg else SCENE_FORMAT_STRUCTURE,
            viewer=viewer,
            focus=focus,
        )
    )
    if as_json:
        print_json(seen)
    elif svg:
        click.echo(seen.svg, nl=False)
    elif focus:
        click.echo(closeup.draw(read_scene(seen.scene)), nl=False)
    else:
        draw_once(seen.scene)
        click.echo(f"version {seen.version}  {seen.position}")


@click.command(short_help="Follow a match as it is played.")
@click.option(
    "--after",
    type=click.IntRange(0),
    metavar="VERSION",
    help="Begin after this version, 0 for the whole match.  [default: now]",
)
@click.option("--forever", is_flag=True, help="Do not stop when the match is over.")
@click.option(
    "--witness",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep what the service proves in FILE, and end if its log does not extend it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line.")
@accessed
@connected
def watch(
    service: Service,
    access: Access,
    after: int | None,
    forever: bool,
    witness: Path | None,
    as_json: bool,
) -> None:
    """Follow a match, with the board drawn after each event, until it is over.

    Restarts of the service and broken lines are bridged: nothing is missed or told twice.

    \b
    Examples:
      emeth watch
      emeth watch --after 0 --json
      emeth watch --witness kept.json
    """
    screen = None if as_json else Screen()
    try:
        keeper = Witness(witness) if witness else None
        service.run(
            lambda client: follow(client, access, after, screen, forever=forever, witness=keeper)
        )
    except Rewritten as error:
        raise Refused(str(error)) from None


async def follow(
    client: Client,
    access: Access,
    after: int | None,
    screen: Screen | None,
    *,
    forever: bool = False,
    witness: Witness | None = None,
) -> None:
    """Show the events of a match as they come: on a screen, or without one as JSON.

    With a `witness`, each is proven to be in a log that extends what it has kept; else Rewritten.
    """
    if witness is not None:
        await witness.check(client, access.match)
    present = (await client.match(access.match, access.ring.version)).version
    news = client.watch(
        access.viewing(),
        access.match,
        after_version=present - 1 if after is None else after,
        form=SCENE_FORMAT_STRUCTURE if screen else SCENE_FORMAT_UNSPECIFIED,
        until_over=not forever,
        patience_seconds=WATCHER_PATIENCE_SECONDS,
    )
    async with aclosing(news):
        async for watched in news:
            if witness is not None:
                event = watched.event
                await witness.see(client, access.match, event.version, event.digest)
            if screen is None:
                click.echo(json.dumps(plain(watched), ensure_ascii=False))
                continue
            screen.add(watched)
            screen.draw()
            if watched.HasField("result"):
                click.echo(sentences.standing(watched.asks, watched.result))


@click.command(short_help="List what was played.")
@click.option("--why", "explained", is_flag=True, help="With what followed, and by which rules.")
@accessed
@connected
@as_json
def history(service: Service, access: Access, explained: bool, as_json: bool) -> None:
    """List all events of a match, as its viewer may see them.

    \b
    Examples:
      emeth history
      emeth history --why
    """
    token = access.viewing()
    events = service.run(
        lambda client: client.list_history(token, access.match, access.ring.version)
    )
    if as_json:
        print_json(events)
        return
    for event in events:
        click.echo(sentences.event_line(event))
        for line in sentences.why(event) if explained else ():
            click.echo(line)


@click.command(short_help="Print a match's score sheet.")
@accessed
@connected
@as_json
def record(service: Service, access: Access, as_json: bool) -> None:
    """Print the match in the rulebook's score notation, or in machine notation if it has none.

    \b
    Example:
      emeth record > match.txt
    """
    token = access.viewing()
    answer = service.run(lambda client: client.record(token, access.match, access.ring.version))
    if as_json:
        print_json(answer)
    else:
        click.echo(answer.record)
