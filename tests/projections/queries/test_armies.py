"""Saved armies in the read models: listed by owner, the latest first, and followed in the log."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from domain.army import ArmyContent, Event, SavedArmy, delete, save
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.storage.topics import ARMY
from projections.projector import schema
from projections.projector.projector import Projector
from projections.projector.runner import ProjectionRunner
from projections.queries import armies
from projections.queries.armies import ArmyQuery
from projections.queries.projection_errors import ProjectionStoppedError, list_projection_errors
from projections.queries.read_files import ReadModels
from tests.command_contexts import context_at

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def command_context(version: int) -> CommandContext:
    return context_at(NOON + timedelta(minutes=version), f"request {version}")


class Keeping:
    """An army as its owner saves it again and again."""

    def __init__(self, number: int, owner: str = "ada", game: str = "golem-arcana") -> None:
        self.id = UUID(int=number)
        self.owner = owner
        self.game = game
        self.events: list[SealedEvent[Event]] = []
        self.army: SavedArmy | None = None

    def save(self, name: str) -> "Keeping":
        content = ArmyContent(self.game, name, {}, {"faction": name}, 10 * len(self.events))
        return self._record(
            save(self.army, self.id, self.owner, content, command_context(self._due))
        )

    def delete(self) -> "Keeping":
        assert self.army is not None
        return self._record(delete(self.army, command_context(self._due)))

    @property
    def _due(self) -> int:
        return len(self.events) + 1

    def _record(self, changeset: Changeset[SavedArmy]) -> "Keeping":
        self.events += changeset.events
        self.army = changeset.state
        return self


@pytest.fixture
def some() -> list[Keeping]:
    return [
        Keeping(1).save("Lions"),
        Keeping(2).save("Great lions").save("GREAT LIONESSES"),
        Keeping(3, owner="ben").save("Lions of Ben"),
        Keeping(4).save("Gone").delete(),
        Keeping(5, game="agog").save("Archers").save("Archers 2").save("Archers"),
    ]


def test_an_owner_is_shown_the_armies_that_are_there_the_latest_first(
    caught_up: Any, some: list[Keeping]
) -> None:
    lions, great, bens, gone, archers = some
    with caught_up(*some) as connection:
        page = armies.army_page(connection, "ada", 10)
        assert page.armies == (archers.army, great.army, lions.army)
        assert page.next is None
        assert armies.army_page(connection, "ben", 10).armies == (bens.army,)
        assert armies.army_page(connection, "eve", 10).armies == ()
        assert [armies.version(connection, each.id) for each in some] == [1, 2, 1, 2, 3]
        assert armies.version(connection, UUID(int=99)) == 0
        assert armies.is_owner(connection, "ben")
        assert not armies.is_owner(connection, "eve")
    assert gone.army is not None
    assert gone.army.deleted


def test_lists_are_narrowed_by_game_and_by_a_part_of_the_name(
    caught_up: Any, some: list[Keeping]
) -> None:
    lions, great, *_, archers = some
    with caught_up(*some) as connection:
        for wanted, found in (
            (ArmyQuery(name="lion"), (great.army, lions.army)),
            (ArmyQuery(game="agog"), (archers.army,)),
            (ArmyQuery(game="agog", name="lion"), ()),
            (ArmyQuery(name="%"), ()),
        ):
            assert armies.army_page(connection, "ada", 10, query=wanted).armies == found


def test_pages_follow_on_each_other(caught_up: Any) -> None:
    every = [Keeping(number).save(f"Army {number}") for number in range(1, 8)]
    with caught_up(*every) as connection:
        seen: list[SavedArmy] = []
        place: int | None = 0
        while place is not None:
            page = armies.army_page(connection, "ada", 3, place)
            assert len(page.armies) <= 3
            seen += page.armies
            place = page.next
    assert seen == [each.army for each in reversed(every)]


def test_armies_and_matches_are_followed_side_by_side_in_batches_of_any_size(
    playing: Any, log: Any, tables: Any, in_one_go: Any, tmp_path: Path, some: list[Keeping]
) -> None:
    match = playing().play(6)
    for number in range(7):
        for each in (match, *some):
            log.write(*each.events[number : number + 1])
    connection = schema.connect_writer(tmp_path / "few.sqlite")
    schema.create_tables(connection, ready=True)
    projector = Projector(connection, log.mapper)
    versions: dict[UUID, int] = {}
    while events := log.recorder.select_notifications(
        projector.position, 2, inclusive_of_start=False
    ):
        versions |= projector.apply(events)
    projector.close()
    assert versions == {match.id: 7} | {each.id: len(each.events) for each in some}
    assert tables(tmp_path / "few.sqlite") == tables(in_one_go())


def test_an_out_of_order_event_of_an_army_is_an_error_of_that_army_only(
    log: Any, models: ReadModels, settled: Any
) -> None:
    lost, other = Keeping(1).save("A").save("B").save("C"), Keeping(2).save("D")
    log.write(lost.events[0], lost.events[2], *other.events)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    with models.reading() as connection:
        (error,) = list_projection_errors(connection, ARMY)
        assert (error.match, error.version) == (lost.id, 3)
        assert "version 2 is due" in error.why
        (latest,) = armies.army_page(connection, "ada", 1).armies
        assert latest.saved.name == "D"
        with pytest.raises(ProjectionStoppedError, match="version 2 is due"):  # A may be long gone
            armies.army_page(connection, "ada", 9)
