"""Tables, gateways and styluses in the read models, as the Table itself has them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain import table as tables
from domain.log.ledger import Changeset
from domain.log.merkle import leaf_hash
from domain.log.origin import CommandContext
from domain.log.sealed_events import SealedEvent
from domain.storage.topics import TABLE
from domain.table import Table
from domain.table.commands import TableLedger
from domain.table.events import BoardCorrected, ScanTaken, StylusStatusReported, TapTaken
from projections.projector import schema
from projections.projector.device_rows import CITABLE_OUTCOMES
from projections.projector.projector import Projector
from projections.projector.rebuild import rebuild
from projections.projector.runner import ProjectionRunner
from projections.queries import devices, log_tree
from projections.queries.projection_errors import ProjectionStoppedError, list_projection_errors
from projections.queries.read_files import ReadModels
from tests.command_contexts import context_at

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PEN, OTHER = "AA:01", "AA:02"
MATCH = UUID(int=77)
SECRETS = ("key-of-g", "pin-of-a-pen", "token-of-white", "request-")


class Corner:
    """A table at which anything may happen; `events` and `table` grow with each command."""

    def __init__(self, number: int) -> None:
        self.id = UUID(int=number)
        self.events: list[SealedEvent[Any]] = []
        self.table: Table | None = None
        self.left, self.right = f"{self.id}.left", f"{self.id}.right"
        self._changed(tables.open_table(self.id, f"Corner {number}", self.command_context))
        for gateway in (self.left, self.right):
            self.do(tables.register, gateway, gateway[-5:], "key-of-g")

    @property
    def command_context(self) -> CommandContext:
        number = len(self.events)
        return context_at(NOON + timedelta(seconds=number), f"request-{self.id}-{number} asked")

    @property
    def now(self) -> Table:
        assert self.table is not None
        return self.table

    def do(self, command: Any, *words: Any, **more: Any) -> "Corner":
        return self._changed(command(self.now, *words, self.command_context, **more))

    def _changed(self, changed: Any) -> "Corner":
        assert isinstance(changed, Changeset), changed
        self.events += changed.events
        self.table = changed.state
        return self

    def pair(self, gateway: str, stylus: str) -> "Corner":
        pin = self.now.stylus(stylus).pin or "factory"
        return self.do(tables.pair, tables.PairingAttempt(gateway, stylus, pin, "factory"))

    def sent(self, kind: Any, gateway: str, stylus: str, **fields: Any) -> "Corner":
        ledger = TableLedger(self.now, self.id, context_at(self.command_context.at, ""))
        seq = self.now.gateways[gateway].highest + 1
        epoch = self.now.gateways[gateway].epoch
        ledger.record(kind, gateway=gateway, epoch=epoch, seq=seq, stylus=stylus, **fields)
        return self._changed(ledger.changeset())

    def tap(self, gateway: str, stylus: str, outcome: str = "done") -> "Corner":
        return self.sent(TapTaken, gateway, stylus, code="card athanor", outcome=outcome)

    def scan(self, gateway: str, stylus: str) -> "Corner":
        """What earlier versions recorded of a board: a scan, and a correction of it."""
        spaces = {"a6": ("white",)}
        self.sent(ScanTaken, gateway, stylus, code="scan", outcome="done", spaces=spaces)
        ledger = TableLedger(self.now, self.id, context_at(self.command_context.at, ""))
        ledger.record(BoardCorrected, gateway=gateway, stylus=stylus, by="owner", spaces=spaces)
        return self._changed(ledger.changeset())

    def sign(self, gateway: str, stylus: str, sign: str, percent: int = 0) -> "Corner":
        return self.sent(StylusStatusReported, gateway, stylus, sign=sign, percent=percent)

    def hello(self, gateway: str, epoch: str, first: int = 1) -> "Corner":
        greeted = tables.record_hello(
            self.now,
            gateway,
            tables.GatewayHello(epoch, first, "t"),
            context_at(self.command_context.at, ""),
        )
        return self._changed(greeted) if greeted else self

    def play_randomly(self, seed: int, length: int = 60) -> "Corner":
        """So many things that may happen at a table."""
        random = Random(seed)
        self.pair(self.left, PEN).pair(self.right, OTHER).hello(self.left, "e0")
        self.do(
            tables.rename, tables.NamingRequest(self.left, PEN, "Ada's pen", "4711", "pin-of-a-pen")
        )
        for number in range(length):
            gateway, stylus = random.choice((self.left, self.right)), random.choice((PEN, OTHER))
            match random.randrange(9):
                case 0:
                    self.hello(gateway, f"e{number}")
                case 1:
                    epoch = self.now.gateways[gateway].epoch
                    self.hello(gateway, epoch, self.now.gateways[gateway].highest + 3)
                case 2:
                    sign = random.choice(("lost", "heard", "off", "on", "reset", "battery"))
                    self.sign(gateway, stylus, sign, random.randrange(100))
                case 3 if self.now.stylus(stylus).lost or not self.now.stylus(stylus).gateway:
                    self.pair(gateway, stylus)
                case 4 if self.now.stylus(stylus).gateway:
                    match = random.choice((MATCH, UUID(int=78)))
                    seats = {"white": "token-of-white"} if random.randrange(2) else {}
                    paired = self.now.stylus(stylus).gateway
                    shared = bool(random.randrange(2))
                    seating = tables.SeatingRequest(paired, stylus, match, seats, shared)
                    self.do(tables.seat, seating, None)
                case 5:
                    of = random.choice((gateway, ""))
                    self.do(tables.set_tap_map, of, {f"figure/{number}": "base s1"})
                case 6 if number % 5 == 0 and self.now.stylus(stylus).gateway:
                    self.do(tables.release, tables.ReleaseRequest(stylus))
                case 7 if self.now.stylus(stylus).gateway:
                    self.scan(self.now.stylus(stylus).gateway, stylus)
                case _:
                    outcome = random.choice(("done", "refused", "stale", "acted"))
                    self.tap(gateway, random.choice((stylus, "CC:99")), outcome)
        if seed % 2:
            self.do(tables.change_key, self.left, "key-of-g").do(tables.revoke, self.right)
        return self.do(tables.close_table) if seed % 4 == 3 else self


def shown(connection: Any, corner: Corner) -> devices.TableSummary:
    found = devices.find_table(connection, corner.id)
    assert found is not None
    return found


def as_it_stands(corner: Corner) -> dict[str, Any]:
    """What the Table itself has of its devices."""
    table = corner.now
    return {
        "name": table.name,
        "version": table.version,
        "match": table.match,
        "map_version": table.map_version,
        "closed": table.closed,
        "gateways": {
            name: (each.name, each.epoch, each.highest, each.revoked, each.map_version)
            for name, each in table.gateways.items()
        },
        "styluses": {
            name: (each.name, each.gateway, each.battery, each.lost, (*each.seats,), each.shared)
            for name, each in table.styluses.items()
        },
    }


def as_listed(found: devices.TableSummary) -> dict[str, Any]:
    return {
        "name": found.name,
        "version": found.version,
        "match": found.match,
        "map_version": found.map_version,
        "closed": found.closed,
        "gateways": {
            each.gateway: (each.name, each.epoch, each.highest, each.revoked, each.map_version)
            for each in found.gateways
        },
        "styluses": {
            each.stylus: (
                each.name, each.gateway, each.battery, each.lost, each.seats, each.shared
            )
            for each in found.styluses
        },
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(8))
def test_devices_are_as_the_table_itself_has_them(caught_up: Any, seed: int) -> None:
    corner = Corner(1).play_randomly(seed)
    with caught_up(corner) as connection:
        assert as_listed(shown(connection, corner)) == as_it_stands(corner)
        assert devices.version(connection, corner.id) == len(corner.events)
        assert devices.version(connection, UUID(int=5)) == 0


def test_when_a_gateway_was_heard_and_a_stylus_tapped_last_is_known(caught_up: Any) -> None:
    corner = Corner(1).pair("00000000-0000-0000-0000-000000000001.left", PEN)
    corner.hello(corner.left, "e").tap(corner.left, PEN)
    tapped = corner.events[-1].event.at
    corner.sign(corner.left, PEN, "battery", 40)
    with caught_up(corner) as connection:
        found = shown(connection, corner)
    left, right = found.gateways
    assert (left.heard, right.heard) == (corner.events[-1].event.at, None)
    (pen,) = found.styluses
    assert (pen.tapped, pen.battery) == (tapped, 40)


def test_a_service_that_restarts_after_each_batch_follows_the_same_tables(
    playing: Any, log: Any, tables: Any, in_one_go: Any, tmp_path: Path
) -> None:
    """Each event counts once, whatever the batches."""
    corners = [Corner(number).play_randomly(number) for number in range(1, 4)]
    match = playing().play(6)
    for number in range(max(len(each.events) for each in corners)):
        for each in (match, *corners):
            log.write(*each.events[number : number + 1])
    file = tmp_path / "few.sqlite"
    connection = schema.connect_writer(file)
    schema.create_tables(connection, ready=True)
    connection.close()
    position, versions = 0, dict[UUID, int]()
    while events := log.recorder.select_notifications(position, 7, inclusive_of_start=False):
        projector = Projector(schema.connect_writer(file), log.mapper)
        versions |= projector.apply(events)
        assert projector.apply(events) == {}, "those before the position are left out"
        position = projector.position
        projector.close()
    assert versions == {each.id: len(each.events) for each in (match, *corners)}
    assert tables(file) == tables(in_one_go())


def test_a_rebuild_gives_the_same_devices(
    log: Any, models: ReadModels, settled: Any, tables: Any
) -> None:
    for number in (1, 2):
        log.write(*Corner(number).play_randomly(number).events)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
        before = tables(models.path)
        *_, last = rebuild(log.recorder, models, log.mapper, follower)
        assert last.finished
    assert tables(models.path) == before
    assert before["styluses"]


def test_no_pin_key_token_or_target_is_in_the_read_file(log: Any, in_one_go: Any) -> None:
    corner = Corner(1).play_randomly(3, length=200)
    log.write(*corner.events)
    stored = b"".join(each.body for each in corner.events)
    raw = in_one_go().read_bytes()
    assert PEN.encode() in raw
    for secret in (*SECRETS, "athanor"):
        assert secret.encode() in stored
        assert secret.encode() not in raw


def test_tables_are_listed_in_pages_and_by_their_match(caught_up: Any) -> None:
    corners = [Corner(number).pair(f"{UUID(int=number)}.left", PEN) for number in range(1, 6)]
    corners[2].do(tables.seat, tables.SeatingRequest(corners[2].left, PEN, MATCH, {}, False), None)
    with caught_up(*corners) as connection:
        seen: list[str] = []
        after = None
        while True:
            page = devices.table_page(connection, 2, after=after)
            seen += [each.name for each in page.tables]
            after = page.next
            if after is None:
                break
        assert seen == [f"Corner {number}" for number in (5, 4, 3, 2, 1)]
        (played,) = devices.table_page(connection, 9, match=MATCH).tables
        assert played.name == "Corner 3"
        found = devices.other_pairings(connection, PEN, corners[0].id)
        assert sorted(found) == [(each.id, each.events[-1].event.at) for each in corners[1:]]
        assert devices.other_pairings(connection, OTHER, corners[0].id) == []


def test_each_tap_that_an_action_may_name_has_its_place_in_the_tree(
    playing: Any, caught_up: Any
) -> None:
    corner, match = Corner(1).play_randomly(4), playing().play(4)
    with caught_up(match, corner) as connection:
        for number, sealed in enumerate(corner.events):
            event, due = sealed.event, None
            if isinstance(event, TapTaken) and event.outcome in CITABLE_OUTCOMES:
                due = len(match.events) + number
            assert devices.tap_leaf_index(connection, corner.id, event.version) == due
            if due is not None:
                assert log_tree.node_reader(connection)(0, due) == leaf_hash(
                    bytes.fromhex(sealed.digest)
                )


def test_an_out_of_order_event_of_a_table_is_an_error_of_that_table_only(
    log: Any, models: ReadModels, settled: Any
) -> None:
    lost, other = Corner(1).play_randomly(1), Corner(2).play_randomly(2)
    log.write(*lost.events[:2], *lost.events[3:], *other.events)
    with ProjectionRunner(log.recorder, models, log.mapper) as follower:
        settled(follower)
    with models.reading() as connection:
        (error,) = list_projection_errors(connection, TABLE)
        assert (error.match, error.version) == (lost.id, 4)
        with pytest.raises(ProjectionStoppedError, match="version 3 is due"):
            shown(connection, lost)
        assert as_listed(shown(connection, other)) == as_it_stands(other)
