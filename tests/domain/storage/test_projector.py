"""The projector function: what events make of nothing, or of what was there before."""

from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from domain.log.digests import BrokenChainError
from domain.log.sealed_events import SealedEvent
from domain.storage.projector import project
from domain.table import open_table, register
from tests.domain.storage.test_mapper import STAMP, log_of_a_match
from tests.domain.test_army import saved_twice_and_deleted


def log_of_a_table() -> list[SealedEvent[Any]]:
    opened = open_table(UUID(int=9), "Corner", STAMP)
    registered: Any = register(opened.state, "gateway", "Lamp", "key", STAMP)
    return [*opened.events, *registered.events]


every_kind = pytest.mark.parametrize(
    "log",
    [log_of_a_match(), saved_twice_and_deleted()[0], log_of_a_table()],
    ids=["match", "army", "table"],
)


@every_kind
def test_an_aggregate_is_folded_whole_or_from_where_it_was(log: list[Any]) -> None:
    whole: Any = project(None, log)
    assert (whole.version, whole.digest) == (len(log), log[-1].digest)
    for version in range(1, len(log)):
        assert project(project(None, log[:version]), log[version:]) == whole


@every_kind
def test_events_that_are_not_those_that_were_recorded_are_refused(log: list[Any]) -> None:
    changed = replace(log[1], body=log[1].body.replace(b"request", b"REQUEST"))
    for others in (log[1:], [log[0], changed, *log[2:]], [log[0], *log]):
        with pytest.raises(BrokenChainError):
            project(None, others)


def test_no_events_change_nothing() -> None:
    assert project(None, []) is None
    match = project(None, log_of_a_match())
    assert project(match, iter(())) is match
