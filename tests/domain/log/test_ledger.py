"""The ledger that matches, armies and tables record by."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.army import ArmyDeleted, ArmyLedger, ArmySaved
from domain.log.digests import GENESIS, canonical_bytes, chain_digest
from domain.log.ledger import Ledger
from domain.log.origin import CommandContext, Origin
from domain.match import DrawOffered, MatchCreated
from domain.match.ledger import MatchLedger
from domain.registry import GAMES
from domain.table.commands import TableLedger
from domain.table.events import GatewayRegistered, TableOpened
from tests.command_contexts import context_at

ID = UUID(int=7)
STAMP = context_at(datetime(2026, 11, 22, 12, tzinfo=UTC), "request", Origin("test/1"))
AGOG = GAMES["agog"]
MATCH = {
    "game": "agog",
    "options": {},
    "start": AGOG.write_position(AGOG.start(AGOG.options())),
    "seats": ("white", "black"),
    "invitations": {},
}
LIONS = {"owner": "key", "game": "agog", "name": "", "occasion": {}, "content": {}, "points": 0}

Recording = Callable[[Ledger[Any]], list[Any]]
each_kind = pytest.mark.parametrize(
    ("ledger", "record"),
    [
        (
            MatchLedger(None, ID, STAMP),
            lambda ledger: [
                ledger.record(MatchCreated, **MATCH),
                ledger.record(DrawOffered, seat="white"),
            ],
        ),
        (
            ArmyLedger(None, ID, STAMP),
            lambda ledger: [ledger.record(ArmySaved, **LIONS), ledger.record(ArmyDeleted)],
        ),
        (
            TableLedger(None, ID, STAMP),
            lambda ledger: [
                ledger.record(TableOpened, name="Corner"),
                ledger.record(GatewayRegistered, gateway="g1", name="Lamp", key="key"),
            ],
        ),
    ],
    ids=["match", "army", "table"],
)


@each_kind
def test_each_event_is_numbered_stamped_and_chained_to_the_one_before_it(
    ledger: Ledger[Any], record: Recording
) -> None:
    with pytest.raises(AssertionError):
        _ = ledger.state
    first, second = record(ledger)
    assert [(each.originator_id, each.originator_version) for each in (first, second)] == [
        (ID, 1),
        (ID, 2),
    ]
    assert {(each.event.at, each.event.request) for each in (first, second)} == {
        (STAMP.at, STAMP.request)
    }
    assert first.digest == chain_digest(GENESIS, canonical_bytes(first.event))
    assert second.digest == chain_digest(first.digest, canonical_bytes(second.event))
    assert (ledger.state.version, ledger.state.digest) == (2, second.digest)


@each_kind
def test_each_event_has_128_secret_bits_that_show_nothing_of_those_of_another(
    ledger: Ledger[Any], record: Recording
) -> None:
    salts = [each.event.salt for each in record(ledger)]
    assert all(len(bytes.fromhex(salt)) == 16 for salt in salts)
    assert len({*salts, STAMP.salt.hex()[:32]}) == 3


def test_a_stamp_that_is_used_for_two_aggregates_gives_them_different_salts() -> None:
    one, other = (TableLedger(None, each, STAMP) for each in (ID, UUID(int=8)))
    salts = [ledger.record(TableOpened, name="Corner").event.salt for ledger in (one, other)]
    assert salts[0] != salts[1]


@pytest.mark.parametrize("salt", [b"", b"0123456789abcde"])
def test_no_stamp_is_made_without_a_secret(salt: bytes) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        context_at(STAMP.at, STAMP.request, salt=salt)
    with pytest.raises(TypeError):
        CommandContext(STAMP.at, STAMP.request)  # type: ignore[call-arg]  # that is the point
