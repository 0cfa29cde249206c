"""Changes to a table, each made once for the request that asks for it. `domain.table` decides."""

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
    """Makes what requests ask for."""

    def __init__(self, live: TableCache, token_issuer: TokenIssuer) -> None:
        self._live = live
        self._token_issuer = token_issuer

    async def ask(self, table_id: UUID, request: Any, decide: Decide) -> Table | Refused:
        """Do what a request asks for, once: the table after it, or why not."""
        request_id = request.request_id.lower()
        return await self._make(table_id, request_id, request, decide, None)

    async def give(
        self, table_id: UUID, own: IdempotentRequest, request: Any, decide: Decide
    ) -> Table | Refused:
        """The same for a request whose response holds a key: RESPONSE_WITHHELD if another caller
        made it before."""
        return await self._make(table_id, own.stored, request, decide, own)

    async def _make(
        self,
        table_id: UUID,
        request_id: str,
        request: Any,
        decide: Decide,
        own: IdempotentRequest | None,
    ) -> Table | Refused:
        """Do what a request asks for that is stored as `request_id`, once. REQUEST_ID_REUSED if it
        was used for something else."""
        # Without the request's own id, the PIN and the client secret: none is ever stored.
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
        """What is stored of a stylus's PIN: a keyed digest."""
        return self._token_issuer.seal("pin", stylus, pin[:8])

    def _payload(self, request: Message) -> str:
        """A keyed digest of a request: PINs in it cannot be guessed from it."""
        plain = type(request).FromString(request.SerializeToString())
        plain.ClearField("request_id")
        if "client_secret" in plain.DESCRIPTOR.fields_by_name:
            plain.ClearField("client_secret")
        return self._token_issuer.seal("request", plain.SerializeToString(deterministic=True).hex())


def _stored(table: Table, own: IdempotentRequest) -> str | None:
    """Return a request as the table remembers it, whoever made it; None for a new one."""
    return next((each for each in table.requests if request_lookup_key(each) in own.names), None)
