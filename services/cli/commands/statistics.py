"""`emeth statistics`: how matches went, and where something is told."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import click
from msgspec import Struct

from domain.kernel.game import AnyGame
from services.cli.admin_key import keyed_late
from services.cli.connection import ServiceAddress, connected
from services.cli.options import (
    GameName,
    TimeText,
    as_json,
    game_options,
    gathered,
    read_options,
)
from services.cli.player_token import player_token
from services.cli.terminal import sentences
from services.cli.terminal.console import counted, harmless, print_json, print_table
from services.wire.emeth.v1 import statistics_pb2 as pb

_SEATS: Final = ("WON", "DRAWN", "LOST")


class Wanted(Struct, frozen=True):
    """Which matches are counted, and how."""

    game: AnyGame | None
    given: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    who: str
    opening: str
    length: int
    most: int
    everything: bool


@click.group(invoke_without_command=True, short_help="Show how matches went, or search them.")
@click.option("--game", type=GameName(), help="Only of this game.")
@game_options
@click.option(
    "--since", type=TimeText(), metavar="TIME", help="Only those that ended then or later."
)
@click.option("--until", type=TimeText(), metavar="TIME", help="Only those that ended before.")
@click.option("--who", default="", metavar="NAME", help="Only with this player: a name, or an id.")
@click.option("--opening", default="", metavar="ACTIONS", help="Only those that began with these.")
@click.option(
    "--length",
    type=click.IntRange(1, 6),
    default=2,
    show_default=True,
    help="How many actions tell an opening from others.",
)
@click.option("--most", type=click.IntRange(1, 200), default=10, show_default=True, help="Rows.")
@click.option("--all", "everything", is_flag=True, help="Also matches that are not public.")
@player_token
@keyed_late
@connected
@as_json
@gathered("wanted", Wanted)
def statistics(
    service: ServiceAddress,
    wanted: Wanted,
    player: str,
    key: Callable[[], str],
    as_json: bool,
) -> None:
    """Show how public matches went that are over: for each seat, how they ended, by opening, and
    the rules that they rest on most. A player's own matches count whatever they are, with --player
    and --who; --all takes the admin key.

    \b
    Examples:
      emeth statistics
      emeth statistics --game agog --option handicap=0 --since 2026-11-01
      emeth statistics --game agog --opening "a6-b6, h3-g3" --length 3
      emeth statistics search "golem captured"
    """
    if click.get_current_context().invoked_subcommand is not None:
        return
    token = key() if wanted.everything else player
    by_id = _is_id(wanted.who)
    found = service.run(
        lambda client: client.statistics(
            token,
            game=wanted.game.slug if wanted.game else "",
            options=read_options(wanted.given),
            start_time=wanted.since,
            end_time=wanted.until,
            player_id=wanted.who if by_id else "",
            player_name="" if by_id else wanted.who,
            opening=wanted.opening,
            opening_length=wanted.length,
            max_results=wanted.most,
        )
    )
    if as_json:
        print_json(found)
    else:
        _show(found)


def _show(found: pb.GetStatisticsResponse) -> None:
    click.echo(counted(found.matches, "match", "matches"))
    if not found.matches:
        click.echo("Counted are those that are over, and public unless --player or --all is given.")
        return
    for name, least, most, median, mean in (
        ("actions", *_figures(found.actions)),
        ("seconds", *(each.seconds for each in _figures(found.duration))),
    ):
        click.echo(f"{name}: {least} to {most}, median {median}, mean {mean}")
    print_table(
        ("GAME", "SEAT", *_SEATS),
        ((game.game, each.seat, *_fared(each)) for game in found.games for each in game.seats),
    )
    print_table(
        ("GAME", "ENDED BY", "MATCHES"),
        (
            (game.game, each.reason, str(each.matches))
            for game in found.games
            for each in game.endings
        ),
    )
    print_table(
        ("GAME", "OPENING", "MATCHES", "SEAT", *_SEATS),
        (
            (each.game, each.opening, str(each.matches), seat.seat, *_fared(seat))
            for each in found.openings
            for seat in each.seats
        ),
    )
    print_table(
        ("RULE", "EVENTS", "MATCHES", "MEANING"),
        ((each.rule, str(each.events), str(each.matches), each.meaning) for each in found.rules),
    )


def _figures(found: Any) -> tuple[Any, Any, Any, Any]:
    return found.min, found.max, found.median, found.mean


def _fared(seat: pb.SeatStatistics) -> tuple[str, str, str]:
    return str(seat.won), str(seat.drawn), str(seat.lost)


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


@statistics.command(short_help="Find actions by the words in which they are told.")
@click.argument("words")
@click.option("--game", type=GameName(), help="Only of this game.")
@click.option("--limit", type=click.IntRange(1, 100), default=20, show_default=True)
@connected
@as_json
def search(
    service: ServiceAddress, words: str, game: AnyGame | None, limit: int, as_json: bool
) -> None:
    """Find actions of public matches of which all these WORDS are told, in any form that has the
    same stem. The last recorded come first.

    \b
    Example:
      emeth statistics search "golem captured" --game agog
    """
    slug = game.slug if game else ""
    found = service.run(lambda client: client.search(words, game=slug, page_size=limit))
    if as_json:
        print_json(found)
        return
    for each in found.events:
        around = harmless(each.title and f"  {each.title}")
        click.echo(f"{each.match_id} {each.event.version}  {each.game}{around}")
        click.echo(f"  {sentences.snippet(each.event.snippet)}")
    if found.unindexed_events:
        left = counted(found.unindexed_events, "event")
        click.echo(f"{left} not looked at yet: search again for more", err=True)
