"""How one side of a match stands, as text: its points, its units, what it lost."""

from collections.abc import Iterable, Iterator, Mapping

import click

from services.cli.terminal.console import print_table
from services.wire.emeth.v1.scenes_pb2 import Track
from services.wire.emeth.v1.views_pb2 import SideStatus, StatusRow, UnitStatus


def print_side(side: SideStatus) -> None:
    """Print it: a line about the side, a table of its units, a line about what it lost."""
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
