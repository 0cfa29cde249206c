"""`emeth list`: the matches that there are."""

import click
from msgspec import Struct

from domain.kernel.game import AnyGame
from services.cli import keyring
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import GameName, as_json, collect_options
from services.cli.terminal.console import plain, print_json, print_table
from services.cli.terms import STATUS, build_filter
from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb


class MatchQuery(Struct, frozen=True):
    """Which matches are wanted, in what order."""

    game: AnyGame | None
    status: str | None
    player: str
    title: str
    open_seat: bool

    @property
    def filter(self) -> str:
        """What the service is asked for."""
        return build_filter(
            {
                "game =": self.game.slug if self.game else "",
                "status =": (self.status or "").upper(),
                "player :": self.player,
                "title :": self.title,
                "open_seat =": "true" if self.open_seat else "",
            }
        )


@click.command("list", short_help="List matches.")
@click.option("--game", type=GameName(), help="Only of this game.")
@click.option("--status", type=click.Choice(list(STATUS)), help="Only these.")
@click.option(
    "--player",
    default="",
    metavar="NAME",
    help="Only those that NAME plays in; a part will do.",
)
@click.option("--title", default="", metavar="TEXT", help="Only those with this in their title.")
@click.option("--open", "open_seat", is_flag=True, help="Only those with an open seat.")
@click.option("--mine", is_flag=True, help="Those remembered here; no other filter counts.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="How many of the service's matches to look at.",
)
@with_service
@as_json
@collect_options("wanted", MatchQuery)
def list_matches(
    service: ServiceAddress, wanted: MatchQuery, mine: bool, limit: int, as_json: bool
) -> None:
    """List matches. Nobody needs a token to see who plays.

    \b
    Examples:
      emeth list --open
      emeth list --player ann --status paused
      emeth list --game agog --status over --player Ann --json
    """
    found = service.run(
        lambda client: (
            _remembered(client) if mine else client.list_matches(filter=wanted.filter, limit=limit)
        )
    )
    if as_json:
        print_json(plain(found))
        return
    print_table(
        ("MATCH", "GAME", "SEATS", "EVENTS", "WHAT IS GOING ON", "TITLE"),
        ((m.match_id, m.game, _seats(m), str(m.version), m.caption, m.title) for m in found),
    )


async def _remembered(client: Client) -> list[pb.Match]:
    """The matches of the keyring that this service has, the one used last first."""
    found = []
    for identity, ring in reversed(keyring.load().items()):
        try:
            found.append(await client.match(identity, ring.version, token=ring.shown))
        except ServiceError as error:
            if error.reason != "MATCH_NOT_FOUND":
                raise
    return found


def _seats(match: pb.Match) -> str:
    """Who plays: `white Ann, black open`, `north Ann (out)`."""
    return ", ".join(
        f"{seat.name} {seat.player or 'open'}{' (out)' if seat.out else ''}" for seat in match.seats
    )
