"""`emeth player` and `emeth mine`: players of frontends, and what is theirs."""

from contextlib import aclosing
from datetime import datetime

import click

from domain.kernel.game import AnyGame
from services.cli.connection import ServiceAddress, connected
from services.cli.options import GameName, TimeText, as_json
from services.cli.player_token import player_token
from services.cli.terminal.console import harmless, plain, print_json, print_table
from services.client import Client
from services.wire.emeth.v1.matches_pb2 import Match
from services.wire.emeth.v1.statistics_pb2 import GetStatisticsResponse

WHICH = {
    "all": "",
    "my-turn": " AND my_turn = true",
    "waiting": " AND my_turn = false",
    "finished": " AND status = OVER",
}
_EXPIRES = click.option("--expires", type=TimeText(), help="When the token does, if it does.")


@click.group(short_help="Create, list, show and delete players of a frontend.")
def player() -> None:
    """Players of a frontend. The frontend shows its key by --frontend-key or EMETH_FRONTEND, a
    player a token by --player or EMETH_PLAYER.

    \b
    Examples:
      emeth player update user-7 Ann
      emeth player results --player emp_...
      emeth player delete 5f2c0c8e-...
    """


@player.command(short_help="Create a player or update its name, and print the token.")
@click.argument("external_id", metavar="ID")
@click.argument("name", default="")
@_EXPIRES
@connected
@as_json
def update(
    service: ServiceAddress, external_id: str, name: str, expires: datetime | None, as_json: bool
) -> None:
    """Update the name of the player whom the frontend calls ID to NAME, or create the player. A
    player who exists keeps the token.

    \b
    Example:
      emeth player update user-7 Ann
    """
    made = service.run(
        lambda client: client.update_player(external_id, name, token_expire_time=expires)
    )
    if as_json:
        print_json(made)
        return
    click.echo(f"player  {made.player.player_id}\ntoken   {made.token}")


@player.command("list", short_help="List the players of a frontend.")
@connected
@as_json
def list_players(service: ServiceAddress, as_json: bool) -> None:
    """List the players of the frontend, the first created first.

    \b
    Example:
      emeth player list
    """
    found = service.run(lambda client: client.list_players())
    if as_json:
        print_json(plain(found))
        return
    print_table(
        ("PLAYER", "ID THERE", "NAME"),
        ((each.player_id, each.external_id, each.name) for each in found),
    )


@player.command(short_help="Show a player.")
@click.argument("player_id", metavar="PLAYER", default="")
@player_token
@connected
@as_json
def show(service: ServiceAddress, player_id: str, player: str, as_json: bool) -> None:
    """Show a PLAYER of the frontend, or the one whose token it is.

    \b
    Example:
      emeth player show --player emp_...
    """
    found = service.run(lambda client: client.player(player, player_id))
    if as_json:
        print_json(found)
        return
    rows = [("player", found.player_id), ("name", found.name), ("frontend", found.frontend_id)]
    if found.external_id:
        rows.append(("id there", found.external_id))
    if found.HasField("token_expire_time"):
        rows.append(("expires", found.token_expire_time.ToJsonString()))
    print_table(("WHAT", ""), rows)


@player.command("rotate-token", short_help="Give a player another token, and print it.")
@click.argument("player_id", metavar="PLAYER", default="")
@_EXPIRES
@player_token
@connected
def rotate_token(
    service: ServiceAddress, player_id: str, player: str, expires: datetime | None
) -> None:
    """Give a PLAYER another token, or the one whose token it is. The old one opens nothing any
    more.

    \b
    Example:
      emeth player rotate-token 5f2c0c8e-...
    """
    made = service.run(
        lambda client: client.rotate_player_token(player, player_id, token_expire_time=expires)
    )
    click.echo(f"token   {made}")


@player.command(short_help="Delete a player.")
@click.argument("player_id", metavar="PLAYER")
@connected
def delete(service: ServiceAddress, player_id: str) -> None:
    """Delete a PLAYER, for good. What the player did stays, as a former player's.

    \b
    Example:
      emeth player delete 5f2c0c8e-...
    """
    service.run(lambda client: client.delete_player("", player_id))
    click.echo("deleted")


@player.command(short_help="Show how a player fared.")
@click.argument("player_id", metavar="PLAYER", default="")
@click.option("--against", default="", metavar="PLAYER", help="Only against this player.")
@click.option("--game", type=GameName(), help="Only in this game.")
@player_token
@connected
@as_json
def results(
    service: ServiceAddress,
    player_id: str,
    player: str,
    against: str,
    game: AnyGame | None,
    as_json: bool,
) -> None:
    """Show how a PLAYER fared, or the one whose token it is: by game, seat and opening.

    \b
    Examples:
      emeth player results --player emp_...
      emeth player results 5f2c0c8e-... --against 61a0b7d2-... --game agog
    """

    async def asking(client: Client) -> GetStatisticsResponse:
        return await client.statistics(
            player,
            player_id=player_id or (await client.player(player)).player_id,
            opponent_id=against,
            game=game.slug if game else "",
            max_results=1_000,
        )

    found = service.run(asking)
    if as_json:
        print_json(found)
        return
    print_table(
        ("GAME", "SEAT", "WON", "DRAWN", "LOST", "OPENING"),
        (
            (each.game, each.seat, str(each.won), str(each.drawn), str(each.lost), each.opening)
            for each in (*found.player_results, found.player_total)
        ),
    )


@click.command(short_help="List your matches, as a player of a frontend.")
@click.option(
    "--which", type=click.Choice(list(WHICH)), default="all", show_default=True, help="Only these."
)
@click.option("--watch", is_flag=True, help="Tell what happens in them, as it does.")
@click.option("--game", type=GameName(), help="Only of this game.")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@player_token
@connected
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
    """List the matches in which you hold a seat, the latest changed first. `emeth list --mine`
    lists those whose tokens are remembered here.

    \b
    Examples:
      emeth mine --player emp_...
      emeth mine --which my-turn
      emeth mine --watch
    """
    if not player:
        raise click.UsageError("say who you are, with --player or EMETH_PLAYER")
    if watch:
        service.run(lambda client: _watch(client, player, as_json=as_json))
        return
    wanted = f"player_id = me{WHICH[which]}{f' AND game = {game.slug}' if game else ''}"

    async def asking(client: Client) -> tuple[str, list[Match]]:
        me = await client.player(player)
        return me.player_id, await client.every_match(
            wanted, order_by="update_time desc", most=limit, token=player
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
