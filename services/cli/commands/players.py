"""The command `emeth mine`, which lists the matches of a frontend's player."""

from contextlib import aclosing

import click

from domain.kernel.game import AnyGame
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import GameName, as_json
from services.cli.player_token import player_token
from services.cli.terminal.console import harmless, plain, print_json, print_table
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import Match

WHICH = {
    "all": "",
    "my-turn": " AND my_turn = true",
    "waiting": " AND my_turn = false",
    "finished": " AND status = OVER",
}


@click.command(short_help="List your matches as a player of a frontend.")
@click.option(
    "--which",
    type=click.Choice(list(WHICH)),
    default="all",
    show_default=True,
    help="List only these matches.",
)
@click.option("--watch", is_flag=True, help="Follow the events of your matches instead.")
@click.option("--game", type=GameName(), help="List only matches of this game.")
@click.option(
    "--limit",
    type=click.IntRange(1, 200),
    default=50,
    show_default=True,
    help="List at most this many matches.",
)
@player_token
@with_service
@as_json
def mine(
    service: ServiceAddress,
    which: str,
    watch: bool,
    game: AnyGame | None,
    limit: int,
    player: str,
    as_json: bool,
) -> None:
    r"""List the matches in which you hold a seat, the last changed first.

    `emeth list --mine` lists the matches whose tokens are remembered here.

    \b
    Examples:
      emeth mine --player emp_...
      emeth mine --which my-turn
      emeth mine --watch
    """
    if not player:
        raise click.UsageError("no player is given: give a player's token with --player")
    if watch:
        service.run(lambda client: _watch(client, player, as_json=as_json))
        return
    wanted = f"player_id = me{WHICH[which]}{f' AND game = {game.slug}' if game else ''}"

    async def asking(client: Client) -> tuple[str, list[Match]]:
        me = await client.get_player(player)
        return me.player_id, await client.list_matches(
            player, wanted, order_by="update_time desc", limit=limit
        )

    me, found = service.run(asking)
    if as_json:
        print_json(plain(found))
        return
    print_table(
        ("MATCH", "GAME", "YOU ARE", "", "WHAT IS GOING ON", "TITLE"),
        (_row(me, each) for each in found),
    )


async def _watch(client: Client, player: str, *, as_json: bool) -> None:
    async with aclosing(client.watch_player(player)) as news:
        async for each in news:
            if as_json:
                print_json(each)
            else:
                click.echo(harmless(f"{each.match_id}  {each.game}  {each.sentence}"))


def _row(me: str, match: Match) -> tuple[str, ...]:
    seats = [seat.name for seat in match.seats if seat.player_id == me]
    awaited = {*(prompt.seat for prompt in match.prompts), *match.proposal.awaiting_seats}
    turn = "your turn" if awaited.intersection(seats) else ""
    return match.match_id, match.game, ", ".join(seats), turn, match.caption, match.title
