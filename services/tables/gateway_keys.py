"""Whose key a caller shows: a gateway's own, or none that is known."""

from hmac import compare_digest
from uuid import UUID

from domain.table import Table
from services.callers import Call
from services.errors import ApiError, Reason
from services.store.live_tables import LiveTables
from services.tokens import key_of


async def gateway_of(live: LiveTables, call: Call) -> tuple[str, Table]:
    """The gateway whose key the caller has, and its table. GATEWAY_KEY_WRONG for others."""
    if not call.token:
        raise ApiError(Reason.TOKEN_MISSING)
    name, _, _ = call.token.rpartition(".")
    try:
        held = await live.find(UUID(name.partition(".")[0]))
    except ValueError:
        held = None
    gateway = held.state.gateways.get(name) if held else None
    if held is None or gateway is None:
        raise ApiError(Reason.GATEWAY_KEY_WRONG)
    if not compare_digest(key_of(call.token), gateway.key):
        raise ApiError(Reason.GATEWAY_KEY_WRONG)
    return name, held.state


def is_gateway_key(token: str) -> bool:
    """Does it look like the key of a gateway? Tokens of matches have no full stop."""
    return "." in token
