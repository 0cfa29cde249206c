"""The command `emeth list`, which lists matches."""

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
    """The filters of `emeth list`."""

    game: AnyGame | None
    status: str | None
    player: str
    title: str
    open_seat: bool

    @property
    def filter(self) -> str:
        """Return the filter for `ListMatches`."""
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
@click.option("--game", type=GameName(), help="List only matches of this game.")
@click.option("--status", type=click.Choice(list(STATUS)), help="List only matches in this state.")
@click.option(
    "--player",
    default="",
    metavar="NAME",
    help="List only matches of players with NAME in their names.",
)
@click.option(
    "--title", default="", metavar="TEXT", help="List only matches with TEXT in the title."
)
@click.option("--open", "open_seat", is_flag=True, help="List only matches with an open seat.")
@click.option(
    "--mine", is_flag=True, help="List the matches whose tokens are remembered; ignores filters."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="List at most this many matches.",
)
@with_service
@as_json
@collect_options("wanted", MatchQuery)
def list_matches(
    service: ServiceAddress, wanted: MatchQuery, mine: bool, limit: int, as_json: bool
) -> None:
    r"""List public matches and their players. No token is needed.

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
    """Return the matches of the keyring that this service has, the last used first."""
    found = []
    for identity, ring in reversed(keyring.load().items()):
        try:
            found.append(await client.match(identity, ring.version, token=ring.shown))
        except ServiceError as error:
            if error.reason != "MATCH_NOT_FOUND":
                raise
    return found


def _seats(match: pb.Match) -> str:
    """Return the players by seat: `white Ann, black open`, `north Ann (out)`."""
    return ", ".join(
        f"{seat.name} {seat.player or 'open'}{' (out)' if seat.out else ''}" for seat in match.seats
    )
