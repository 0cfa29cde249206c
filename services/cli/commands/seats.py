"""The commands `emeth tables`, `join`, `leave`, `rematch` and `invite-referee`."""

from collections.abc import Callable
from contextlib import aclosing
from typing import Final

import click

from domain.kernel.game import REFEREE, AnyGame
from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.admin_key import with_optional_admin_key
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import GameName, as_json
from services.cli.player_token import player_token
from services.cli.terminal.console import plain, print_json, print_table
from services.client import Client
from services.wire.emeth.v1 import matches_pb2 as pb
from services.wire.emeth.v1.play_pb2 import RematchSeat

MOST_TABLES: Final = 200
"""The most open games that `emeth tables` lists."""
ANY: Final = "any"
"""The argument SEAT of `emeth join` that stands for any open seat."""


@click.command(short_help="Take a seat.")
@click.argument("seat")
@click.option("--name", default="", metavar="NAME", help="Name of the player.")
@click.option(
    "--entropy",
    default="",
    metavar="TEXT",
    help="Mix this text of yours into all later draws.",
)
@player_token
@with_access
@with_service
@as_json
def join(
    service: ServiceAddress,
    access: MatchAccess,
    seat: str,
    name: str,
    entropy: str,
    player: str,
    as_json: bool,
) -> None:
    r"""Take a seat with a token or invite code, and remember the new token of the seat.

    The new token replaces all earlier ones. SEAT is `any` if one code is for all seats or anybody
    may join, and `referee` with the referee's code. A player of a frontend gives --player in place
    of --name.

    \b
    Examples:
      emeth join white --name Ann
      emeth join black --name Bob --match 4c1e9f30-... --token 9vK...
      emeth join white --name Ann --entropy "7 of spades"
      emeth join any --name Ann --match 4c1e9f30-...
    """
    if bool(name) == bool(player):
        raise click.UsageError("give either --name or --player for who takes the seat")
    invitation = access.invitation_to(seat)

    async def joining(client: Client) -> pb.JoinMatchResponse:
        wanted = "" if seat == ANY else seat
        joined = await client.join_match(
            player or invitation,
            access.match,
            wanted,
            name,
            entropy=entropy,
            invite_code=invitation if player else "",
        )
        # Lists have it as well, once this does.
        token = joined.token or player
        await client.match(access.match, joined.match.version, token=token)
        return joined

    claimed = service.run(joining)
    match = claimed.match
    seat = claimed.role or seat
    if seat == REFEREE:
        keyring.remember_referee(access.match, match.game, claimed.token or player, match.version)
    else:
        keyring.remember_seat(
            access.match,
            match.game,
            seat,
            invitation="" if match.start_policy == pb.START_POLICY_WHEN_FULL else invitation,
            token=claimed.token or player,
            version=match.version,
        )
    if as_json:
        print_json(claimed)
        return
    held = next((each.player for each in match.seats if each.name == seat), "") or name
    click.echo(f"{held} is {seat} in match {access.match}: {match.caption}")


@click.command(short_help="Give a seat back.")
@click.argument("seat")
@with_access
@with_service
def leave(service: ServiceAddress, access: MatchAccess, seat: str) -> None:
    r"""Leave a seat. Its invitation token becomes valid again, or a new code is printed.

    \b
    Example:
      emeth leave white
    """
    token = access.token_of(seat)
    left = service.run(lambda client: client.leave_match(token, access.match, seat))
    keyring.forget_seat(access.match, seat, left.match.version)
    if left.invite_code:
        keyring.remember_code(access.match, seat, left.invite_code, left.match.version)
    by = f" The code to join: {left.invite_code}" if left.invite_code else ""
    click.echo(f"{seat} is open again in match {access.match}.{by}")


@click.command("invite-referee", short_help="Invite another person to the referee's role.")
@click.option("--operator", is_flag=True, help="Invite as the operator, with the admin key.")
@with_access
@with_optional_admin_key
@with_service
@as_json
def invite_referee(
    service: ServiceAddress,
    access: MatchAccess,
    key: Callable[[], str],
    operator: bool,
    as_json: bool,
) -> None:
    r"""Print a code with which another person takes the referee's role by `emeth join referee`.

    Until then the present referee keeps the role.

    \b
    Examples:
      emeth invite-referee
      emeth invite-referee --operator --match 4c1e9f30-...
    """
    token = key() if operator else access.token_of(REFEREE)
    invite = service.run(
        lambda client: client.create_invite(token, access.match, pb.INVITE_KIND_REFEREE)
    )
    keyring.remember_code(access.match, REFEREE, invite.code)
    if as_json:
        print_json(invite)
        return
    click.echo(
        f"The new referee types:\n  emeth join referee --name NAME --match {access.match}"
        f" --token {invite.code}"
    )


@click.command(short_help="List open games that anybody may join.")
@click.option("--game", type=GameName(), help="List only matches of this game.")
@click.option("--watch", is_flag=True, help="Follow open games: print each that changes or closes.")
@with_service
@as_json
def tables(service: ServiceAddress, game: AnyGame | None, watch: bool, as_json: bool) -> None:
    r"""List open games: matches that anybody may join with `emeth join any`.

    \b
    Examples:
      emeth tables
      emeth tables --game agog --watch
    """
    wanted = " AND ".join(["joinable = true", *([f"game = {game.slug}"] if game else [])])
    if watch:
        service.run(lambda client: _watch(client, wanted, as_json))
        return
    found = service.run(lambda client: client.list_matches(filter=wanted, limit=MOST_TABLES))
    if as_json:
        print_json(plain([*found]))
        return
    print_table(("MATCH", "GAME", "SEATS", "TITLE"), map(_table, found))


async def _watch(client: Client, wanted: str, as_json: bool) -> None:
    async with aclosing(client.watch_lobby(wanted)) as news:
        async for each in news:
            if as_json:
                print_json(each)
                continue
            match each.lobby_event.WhichOneof("event"):
                case "match":
                    click.echo("  ".join(_table(each.lobby_event.match)))
                case "removed":
                    click.echo(f"{each.lobby_event.removed}  closed")
                case _:
                    click.echo("no table is open now")


def _table(match: pb.Match) -> tuple[str, str, str, str]:
    seats = ", ".join(f"{seat.name} {seat.player or 'open'}" for seat in match.seats)
    return match.match_id, match.game, seats, match.title


@click.command(short_help="Ask for a rematch.")
@click.option(
    "--entropy", default="", metavar="TEXT", help="Mix this text of yours into all later draws."
)
@with_access
@with_service
@as_json
def rematch(service: ServiceAddress, access: MatchAccess, entropy: str, as_json: bool) -> None:
    r"""Ask for a rematch of a finished match, in which each player has the next seat.

    The rematch starts when all players have asked for it.

    \b
    Examples:
      emeth rematch
      emeth rematch --as white --entropy "7 of spades"
    """

    async def asking(client: Client) -> tuple[RematchSeat, pb.Match]:
        token = await access.acting(client)
        again = (
            await client.create_proposal(token, access.match, rematch={"entropy": entropy})
        ).rematch_seat
        return again, await client.match(again.match_id)

    again, match = service.run(asking)
    keyring.remember_seat(
        match.match_id,
        match.game,
        again.seat,
        invitation="",
        token=again.token,
        version=match.version,
    )
    if as_json:
        print_json(again)
        return
    click.echo(f"You are {again.seat} in match {match.match_id}: {match.caption}")
