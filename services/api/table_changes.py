"""Idempotent changes of tables."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from google.protobuf.message import Message

from domain import table as tables
from domain.kernel.rulings import Refused
from domain.log.digests import canonical_bytes, digest
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext, request_lookup_key
from domain.table import PinRefused, Table
from services.accounts.tokens import TokenIssuer
from services.api.idempotency import IdempotentRequest
from services.api.requests import check_same, raise_if_denied
from services.store.aggregate_cache import Decision
from services.store.table_cache import CachedTable, TableCache

Decide = Callable[[Table, CommandContext], tables.TableCommandOutcome]

_WRONG_PIN: Final = Refused("stylus.pin", "that is not the PIN of this stylus")


class TableChanges:
    """Makes the changes that requests ask for."""

    def __init__(self, live: TableCache, token_issuer: TokenIssuer) -> None:
        self._live = live
        self._token_issuer = token_issuer

    async def request(self, table_id: UUID, request: Any, decide: Decide) -> Table | Refused:
        """Make a change once, and return the table after it, or the refusal."""
        request_id = request.request_id.lower()
        return await self._make(table_id, request_id, request, decide, None)

    async def create(
        self, table_id: UUID, own: IdempotentRequest, request: Any, decide: Decide
    ) -> Table | Refused:
        """Make a change whose response holds a key.

        Raises:
            ApiError: RESPONSE_WITHHELD if another caller made the request before.
        """
        return await self._make(table_id, own.stored, request, decide, own)

    async def _make(
        self,
        table_id: UUID,
        request_id: str,
        request: Any,
        decide: Decide,
        own: IdempotentRequest | None,
    ) -> Table | Refused:
        """Make a change once for the request that is stored as `request_id`.

        Raises:
            ApiError: REQUEST_ID_REUSED if the ID was used for something else.
        """
        # The request ID, the PIN and the client secret are left out: they are never stored.
        asked = digest(canonical_bytes([type(request).__name__, self._payload(request)]))[:16]

        async def work(live: CachedTable) -> Decision[Table, Table | Refused]:
            table = live.state
            if own is not None and (stored := _stored(table, own)) is not None:
                known = table.requests[stored]
                own.check(stored, known.version, known.digest, asked)
                return None, table
            if (first := table.requests.get(request_id)) is not None:
                check_same(request.request_id, first.version, first.digest, asked)
                return None, table if first.done else _WRONG_PIN
            answer = raise_if_denied(
                decide(table, self._token_issuer.command_context(table_id, f"{request_id} {asked}"))
            )
            if isinstance(answer, Refused):
                return None, answer
            assert isinstance(answer, Changeset)
            wrong = isinstance(answer.events[-1].event, PinRefused)
            return answer, _WRONG_PIN if wrong else answer.state

        return await self._live.command(table_id, work)

    def pin(self, stylus: str, pin: str) -> str:
        """Return the stored form of a stylus's PIN, a keyed digest."""
        return self._token_issuer.seal("pin", stylus, pin[:8])

    def _payload(self, request: Message) -> str:
        """Return a keyed digest of a request, from which a PIN cannot be guessed."""
        plain = type(request).FromString(request.SerializeToString())
        plain.ClearField("request_id")
        if "client_secret" in plain.DESCRIPTOR.fields_by_name:
            plain.ClearField("client_secret")
        return self._token_issuer.seal("request", plain.SerializeToString(deterministic=True).hex())


def _stored(table: Table, own: IdempotentRequest) -> str | None:
    """Return the stored form of a repeated request, or None for a new one."""
    return next((each for each in table.requests if request_lookup_key(each) in own.names), None)
