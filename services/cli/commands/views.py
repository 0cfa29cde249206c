"""The commands `emeth show`, `watch` and `status`, which display a match."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import click
from msgspec import Struct

from projections.drawing import closeup
from services.cli.access import MatchAccess, with_access
from services.cli.clocks import clock_lines
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import VERSION, TimeText, as_json, collect_options
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.cli.terminal.screen import Screen, draw_once
from services.cli.terminal.watch import follow
from services.client.witness import LogRewrittenError, Witness
from services.mapping.scene_messages import read_scene
from services.wire.emeth.v1.match_views_pb2 import (
    VIEW_FROM_OPPOSITE,
    VIEW_FROM_UNSPECIFIED,
    SideStatus,
    StatusRow,
    UnitStatus,
)
from services.wire.emeth.v1.scenes_pb2 import Track


def print_side(side: SideStatus) -> None:
    """Print a side: a line with its tracks, a table of its units, a line with its losses."""
    led = f" ({side.player})" if side.player else ""
    click.echo(f"{side.seat}{led}: {', '.join(map(_track, side.tracks))}")
    for kind, rows in _by_kind(side.rows):
        click.echo(f"{kind}: {'; '.join(map(_row, rows))}")
    if side.units:
        print_table(("UNIT", "NAME", "WHERE", "STANDS", "HAS"), map(_unit, side.units))
    if side.losses:
        click.echo(f"lost: {', '.join(f'{lost.id} {lost.name}' for lost in side.losses)}")


def _unit(unit: UnitStatus) -> tuple[str, ...]:
    stands = ", ".join((*map(_track, unit.tracks), *_in_order(unit.attributes)))
    has = "; ".join(f"{kind} {', '.join(map(_row, rows))}" for kind, rows in _by_kind(unit.rows))
    return unit.id, unit.name, unit.where, stands, has


def _track(track: Track) -> str:
    most = f"/{track.most}" if track.HasField("most") else ""
    return f"{track.name} {track.value}{most}"


def _row(row: StatusRow) -> str:
    figures = ", ".join(_in_order(row.attributes))
    return f"{row.name} ({figures})" if figures else row.name


def _in_order(attributes: Mapping[str, str]) -> list[str]:
    # A map of the API has no order of its own.
    return [f"{name} {attributes[name]}" for name in sorted(attributes)]


def _by_kind(rows: Iterable[StatusRow]) -> Iterator[tuple[str, list[StatusRow]]]:
    kinds: dict[str, list[StatusRow]] = {}
    for row in rows:
        kinds.setdefault(row.kind, []).append(row)
    yield from kinds.items()


class SceneQuery(Struct, frozen=True):
    """The options of `emeth show`."""

    version: int | None
    time: datetime | None
    viewer: str
    focus: str
    legal: bool
    opposite: bool


@click.command(short_help="Draw a match, now or at a version.")
@click.option(
    "--at", "version", type=VERSION, metavar="VERSION", help="Draw this version.  [default: now]"
)
@click.option(
    "--at-time",
    "time",
    type=TimeText(),
    metavar="TIME",
    help="Draw the match as of this local time, as 2026-11-21T18:30.",
)
@click.option(
    "--viewer", default="", metavar="ROLE", help="As the referee, draw what this role sees."
)
@click.option(
    "--focus",
    default="",
    metavar="NAME",
    help="Draw only this space, zone, piece or card, in full detail.",
)
@click.option("--legal", is_flag=True, help="Mark the legal actions of the seat.")
@click.option("--svg", is_flag=True, help="Print an SVG document.")
@click.option("--opposite", is_flag=True, help="Draw from the opposite side of the board.")
@with_access
@with_service
@as_json
@collect_options("wanted", SceneQuery)
def show(
    service: ServiceAddress, access: MatchAccess, wanted: SceneQuery, svg: bool, as_json: bool
) -> None:
    r"""Draw a match as text or SVG, as your role may see it.

    \b
    Examples:
      emeth show
      emeth show --at 12 --as referee
      emeth show --at 12 --as referee --viewer black
      emeth show --at-time 2026-11-21T18:30
      emeth show --focus c4
      emeth show --legal --as white
      emeth show --svg > board.svg
    """
    if svg and as_json:
        raise click.UsageError("--svg and --json exclude each other: give one of them")
    if wanted.version is not None and wanted.time is not None:
        raise click.UsageError("--at and --at-time exclude each other: give one of them")
    token = access.viewing()
    seen = service.run(
        lambda client: client.view(
            token,
            access.match,
            "svg" if svg else "scene",
            version=wanted.version,
            time=wanted.time,
            at_least_version=access.ring.version,
            viewer=wanted.viewer,
            focus=wanted.focus,
            mark_legal=wanted.legal,
            view_from=VIEW_FROM_OPPOSITE if wanted.opposite else VIEW_FROM_UNSPECIFIED,
        )
    )
    if as_json:
        print_json(seen)
    elif svg:
        click.echo(seen.svg, nl=False)
    elif wanted.focus:
        click.echo(closeup.draw(read_scene(seen.scene)), nl=False)
    else:
        draw_once(seen)
        click.echo(f"version {seen.version}  {seen.position}")
        for line in (*clock_lines(seen.clocks), *sentences.pending_sentences(seen)):
            click.echo(line)


@click.command(short_help="Follow a match as it is played.")
@click.option(
    "--after",
    type=click.IntRange(0),
    metavar="VERSION",
    help="Begin after this version, 0 for the whole match.  [default: now]",
)
@click.option(
    "--witness",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Store proofs of the log in FILE, and stop if the log does not extend the stored ones.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document a line.")
@with_access
@with_service
def watch(
    service: ServiceAddress,
    access: MatchAccess,
    after: int | None,
    witness: Path | None,
    as_json: bool,
) -> None:
    r"""Follow a match until it is over, and draw the board after each event.

    It reconnects after restarts and lost connections, and misses or repeats nothing.

    \b
    Examples:
      emeth watch
      emeth watch --after 0 --json
      emeth watch --witness kept.json
    """
    screen = None if as_json else Screen()
    try:
        keeper = Witness(witness) if witness else None
        service.run(lambda client: follow(client, access, after, screen, witness=keeper))
    except LogRewrittenError as error:
        raise CommandRefused(str(error)) from None


@click.command(short_help="Show the armies of a match.")
@click.option(
    "--at", "version", type=VERSION, metavar="VERSION", help="Show this version.  [default: now]"
)
@click.option(
    "--viewer", default="", metavar="ROLE", help="As the referee, show what this role sees."
)
@with_access
@with_service
@as_json
def status(
    service: ServiceAddress,
    access: MatchAccess,
    version: int | None,
    viewer: str,
    as_json: bool,
) -> None:
    r"""Show the armies of a match and the state of their units, as your role may see it.

    \b
    Examples:
      emeth status
      emeth status --at 12
    """
    token = access.viewing()
    answer = service.run(
        lambda client: client.view(
            token,
            access.match,
            mask=("army_status",),
            version=version,
            viewer=viewer,
            at_least_version=access.ring.version,
        )
    )
    if not answer.HasField("army_status"):
        raise CommandRefused("the game of this match has no armies: `emeth show` draws the match")
    if as_json:
        print_json(answer)
        return
    for number, side in enumerate(answer.army_status.sides):
        if number:
            click.echo()
        print_side(side)
    click.echo(f"\nversion {answer.version}")
