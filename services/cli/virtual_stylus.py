"""A stylus without hardware: its id, and a table of its own for it."""

from collections.abc import Callable
from secrets import token_hex

from services.cli.access import Access
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused
from services.client import ServiceError
from services.client.gateways import TableClient
from services.wire.emeth.v1.gateways_pb2 import RegisterGatewayResponse


def hardware_id(name: str) -> str:
    """A hardware id for a virtual stylus of this name. It is new each time, since a stylus cannot
    be at two tables."""
    return f"{name[:40]}-{token_hex(4)}"


async def register(
    client: TableClient, admin_key: Callable[[], str], name: str
) -> RegisterGatewayResponse:
    """A gateway at a table of its own. The admin key is asked for only if the service wants one:
    where nobody but this machine can call, it does not."""
    try:
        return await client.register_gateway("", name)
    except ServiceError as error:
        if error.reason != "TOKEN_MISSING":
            raise
    return await client.register_gateway(admin_key(), name)


async def equip(
    client: TableClient, admin_key: Callable[[], str], access: Access, name: str
) -> str:
    """A gateway at a table of its own, with a stylus that is seated; the gateway's key."""
    registered = await register(client, admin_key, "A virtual gateway")
    await client.pair_stylus(registered.key, name, "0000")
    ring = access.ring
    roles = [access.role] if access.role else list(ring.seats)
    tokens = [access.token_of(role) for role in roles]
    if access.token is not None and access.role is None:
        tokens = [access.token]
    seated = await client.seat_stylus(registered.key, name, access.match, tokens)
    if seated.HasField("refused"):
        raise CommandRefused(sentences.refused(seated.refused))
    return registered.key
