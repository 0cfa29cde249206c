"""Authentication of gateways and of table owners by key or certificate."""

from hmac import compare_digest
from uuid import UUID

from domain.table import Table
from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason
from services.store.table_cache import TableCache


async def authenticated_gateway(
    live: TableCache, call: RequestContext, wanted: str = ""
) -> tuple[str, Table]:
    """Return the gateway whose key or certificate the caller has, and its table.

    Of several gateways with the same key, `wanted` selects one.

    Raises:
        ApiError: GATEWAY_KEY_INVALID if the credentials match no gateway.
    """
    shown = call.certificate
    if not call.token and shown is None:
        raise ApiError(Reason.TOKEN_MISSING)
    own = call.token.rpartition(".")[0] if call.token or shown is None else shown.name
    name = wanted or own
    try:
        held = await live.find(UUID(name.partition(".")[0]))
    except ValueError:
        held = None
    gateway = held.state.gateways.get(name) if held else None
    if held is None or gateway is None:
        raise ApiError(Reason.GATEWAY_KEY_INVALID)
    is_certified = (
        shown is not None
        and bool(gateway.certificate)
        and compare_digest(shown.sha256, gateway.certificate)
    )
    fits = compare_digest(token_digest(call.token), gateway.key) if call.token else is_certified
    if not fits or (gateway.is_certificate_required and not is_certified):
        raise ApiError(Reason.GATEWAY_KEY_INVALID)
    call.confirm_tokens(call)
    return name, held.state


async def owned_table(live: TableCache, call: RequestContext) -> Table | None:
    """Return the table whose owner's key the caller has; None for any other token."""
    try:
        held = await live.find(UUID(call.token.partition(".")[0]))
    except ValueError:
        return None
    if held is None or not is_owner(held.state, call.token):
        return None
    call.confirm_tokens(call)
    return held.state


def is_owner(table: Table, token: str, repeats: str = "") -> bool:
    """Return whether a token is the key of the table's owner.

    The key of a closed table is valid only to repeat the request that closed it.
    """
    if not table.owner or not compare_digest(token_digest(token), table.owner):
        return False
    return not table.closed or repeats in table.requests


def is_gateway_key(token: str) -> bool:
    """Return whether a token has the form of a gateway key; match tokens have no full stop."""
    return "." in token
