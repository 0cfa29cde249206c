"""The command `emeth whoami`, which shows the roles and permissions of tokens."""

import click

from domain.kernel.game import REFEREE
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal.console import plain, print_json, print_table
from services.client import Client, ServiceError
from services.wire.emeth.v1 import matches_pb2 as pb


@click.command(short_help="Show the role and permissions of a token.")
@with_access
@with_service
@as_json
def whoami(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    r"""Show the role and permissions of a token; without --as or --token, of all remembered ones.

    A token that a newer one has replaced has no permissions.

    \b
    Examples:
      emeth whoami
      emeth whoami --as referee
      emeth whoami --match 4c1e9f30-... --token 9vK...
    """
    one = access.token is not None or access.role is not None or not access.ring.tokens
    tokens = {access.role or "": access.viewing()} if one else access.ring.tokens

    async def asking(client: Client) -> dict[str, pb.GetMatchResponse | None]:
        return {
            role: await client.get_match(token, access.match)
            if one
            else await _known(client, token, access.match)
            for role, token in tokens.items()
        }

    found = service.run(asking)
    if as_json:
        print_json(plain([each.caller for each in found.values() if each is not None]))
        return
    print_table(("ROLE", "PLAYER", "WHAT IT MAY DO"), (_row(*each) for each in found.items()))


async def _known(client: Client, token: str, match: str) -> pb.GetMatchResponse | None:
    """Return the match as a remembered token shows it, or None if the token is not valid now."""
    try:
        found = await client.get_match(token, match)
    except ServiceError as error:
        if error.reason != "MATCH_NOT_FOUND":
            raise
        return None
    return found if found.caller.role else None


def _row(role: str, found: pb.GetMatchResponse | None) -> tuple[str, str, str]:
    if found is None:
        return role, "", "nothing: not valid now"
    held = {seat.name: seat.player or "open" for seat in found.match.seats}
    player = {**held, REFEREE: found.match.referee.player}.get(found.caller.role, "")
    return found.caller.role, player, ", ".join(map(_words, found.caller.permissions))


def _words(permission: pb.Permission.ValueType) -> str:
    """Return the name of a permission in words, such as `raise dispute`."""
    return pb.Permission.Name(permission).removeprefix("PERMISSION_").lower().replace("_", " ")
