"""The ledger that matches, armies and tables record by."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.army.army import ArmyLedger, Deleted, Saved
from domain.log.digests import GENESIS, canonical, chain
from domain.log.ledger import Ledger
from domain.log.stamps import Source, Stamp
from domain.match import DrawOffered, MatchCreated
from domain.match.ledger import MatchLedger
from domain.registry import GAMES
from domain.table.commands import TableLedger
from domain.table.events import GatewayRegistered, TableOpened

ID = UUID(int=7)
STAMP = Stamp(datetime(2026, 11, 22, 12, tzinfo=UTC), "request", Source("test/1"), "salt")
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
            lambda ledger: [ledger.record(Saved, **LIONS), ledger.record(Deleted)],
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
    assert first.digest == chain(GENESIS, canonical(first.event))
    assert second.digest == chain(first.digest, canonical(second.event))
    assert (ledger.state.version, ledger.state.digest) == (2, second.digest)


def test_a_game_that_hides_nothing_has_no_salt_in_its_events() -> None:
    ledger = MatchLedger(None, ID, STAMP)
    assert ledger.record(MatchCreated, **MATCH).event.salt == ""
