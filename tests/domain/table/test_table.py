"""The Table: gateways, styluses and taps, decided without a service."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, get_args
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import JSONTranscoder
from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.log.digests import canonical_bytes
from domain.log.ledger import Changeset, Rejection
from domain.log.origin import CommandContext, Taps
from domain.log.sealed_events import SealedEvent
from domain.match import MatchSetup, act, create, resign
from domain.registry import GAMES
from domain.storage.mapper import EventMapper, read_table_event
from domain.storage.snapshots import read_table_snapshot, take_table_snapshot
from domain.stylus.tap_machine import Selection
from domain.table import (
    CardOrder,
    DueTap,
    GatewayHello,
    Message,
    NamingRequest,
    OrderPreview,
    OtherTable,
    PairingAttempt,
    ReleaseRequest,
    SeatingRequest,
    StylusStatus,
    Table,
    TapDecision,
    WrongPin,
    change_key,
    close_table,
    evolve,
    open_table,
    pair,
    process_tap,
    record_hello,
    record_status,
    recorded_version,
    register,
    release,
    rename,
    revoke,
    seat,
    seats_of,
    sequence_state,
    set_certificate,
    set_tap_map,
    stylus_view_of,
    unlock,
    unpair,
    withdraw_grants,
)
from domain.table.commands import TableLedger
from domain.table.events import (
    BoardCorrected,
    Event,
    MatchAwaited,
    Offer,
    ScanTaken,
    TableEvent,
    WaitEnded,
)
from domain.table.state import (
    MAX_CLOSED_EPOCHS,
    MAX_RECORDED_MESSAGES,
    MAX_REMEMBERED_REQUESTS,
    MAX_UNPAIRED_STYLUSES,
    Stylus,
)
from tests.command_contexts import context_at

SHAPES = Path(__file__).parents[1] / "stored_shapes"
AGOG = GAMES["agog"]
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
KEYS = {role: f"{role}-key" for role in ("white", "black", "referee", "spectator")}
MATCH = create(
    MatchSetup(AGOG, AGOG.options()), UUID(int=1), KEYS, context_at(NOW, "request")
).state
PEN = "AA:01"


def command_context(seconds: int = 0) -> CommandContext:
    return context_at(NOW + timedelta(seconds=seconds), "")


class TableSession:
    """A table, and everything that was recorded at it."""

    def __init__(self) -> None:
        opened = open_table(UUID(int=9), "Corner", command_context())
        self.log: list[SealedEvent[Any]] = [*opened.events]
        self.table = opened.state
        self.match = MATCH
        self.do(register, "g1", "Tablet", "key")

    def do(self, command: Callable[..., Any], *words: Any, at: int = 0, **more: Any) -> Any:
        answer = command(self.table, *words, command_context(at), **more)
        if isinstance(answer, Changeset):
            self.table = answer.state
            self.log += answer.events
        return answer

    def ready(self) -> "TableSession":
        self.do(pair, PairingAttempt("g1", PEN, "0000", "0000"))
        self.seat(PEN, MATCH.id, {s: KEYS[s] for s in MATCH.seats}, shared=True)
        self.do(record_hello, "g1", GatewayHello("e1", 1, "test/1"))
        return self

    def seat(
        self,
        stylus: str,
        match: UUID,
        seats: dict[str, str],
        *,
        shared: bool,
        gateway: str = "g1",
        grants: dict[str, str] | None = None,
    ) -> Any:
        seating = SeatingRequest(gateway, stylus, match, seats, shared, grants or {})
        present = self.match if self.table.match else None
        return self.do(lambda table, now: seat(table, seating, present, now))

    def message(self, what: str, **more: Any) -> Message:
        gateway = self.table.gateways["g1"]
        stylus = self.table.stylus(PEN)
        era = stylus.era if stylus.era and stylus.seen == self.match.version else None
        prompt = more.pop("prompt", self.match.version if era is None else era)
        return Message(
            "g1", gateway.epoch, gateway.highest + 1, 0, PEN, what, prompt=prompt, **more
        )

    def tap(self, what: str, **more: Any) -> TapDecision:
        def judge(acting: str, action: Any, taps: Taps) -> Any:
            del taps
            return act(self.match, acting, action, command_context())

        done = process_tap(
            DueTap(self.table, self.message(what, **more), self.match, command_context()),
            judge,
            stylus_view_of,
        )
        self.table, self.log = done.recorded.state, [*self.log, *done.recorded.events]
        if done.changeset is not None:
            self.match = done.changeset.state
        return done

    def wrote(self, kind: type[TableEvent], **fields: Any) -> None:
        """An earlier version recorded this."""
        ledger = TableLedger(self.table, self.table.id, command_context())
        ledger.record(kind, stylus=PEN, **fields)
        changeset = ledger.changeset()
        self.table, self.log = changeset.state, [*self.log, *changeset.events]

    def scanned(self, *actions: str, **fields: Any) -> None:
        """An earlier version recorded a scan, which selected these actions."""
        gateway = self.table.gateways["g1"]
        scan_fields = {
            "gateway": "g1",
            "epoch": gateway.epoch,
            "seq": gateway.highest + 1,
            "code": "scan",
        }
        stands = {"match": self.match.id, "match_version": self.match.version}
        spaces = {"b6": ("white",), "a6": ()}
        hand, version = Selection(scanned=actions), self.match.version
        scan_fields |= {"target": "scan", "outcome": "done", "hand": hand, "after": version}
        self.wrote(
            ScanTaken, **scan_fields, **stands, era=version, spaces=spaces, whole=True, **fields
        )

    def corrected(self, *actions: str) -> None:
        """An earlier version recorded a correction of a board, which selected these actions."""
        version, hand = self.match.version, Selection(scanned=actions)
        fields = {"gateway": "g1", "by": "referee", "spaces": {"a6": ()}, "why": "it lies there"}
        stands = {"match": self.match.id, "match_version": version, "era": version, "hand": hand}
        self.wrote(BoardCorrected, **fields, **stands, agrees=not actions)

    def sign(self, sign: StylusStatus, at: int = 0, percent: int = 0) -> None:
        self.do(lambda table, message, now: record_status(table, message, sign, now),
                self.message("", is_sign=True, percent=percent), at=at)  # fmt: skip


@pytest.fixture
def session() -> TableSession:
    return TableSession().ready()


def full(session: TableSession) -> TableSession:
    """Everything that can happen at a table has happened."""
    session.do(pair, PairingAttempt("g1", "AA:02", "1111", "0000"))
    session.do(pair, PairingAttempt("g1", "AA:03", "0000", "0000"))
    session.do(unpair, "AA:03")
    session.do(rename, NamingRequest("g1", PEN, "Pen", "4711", "pin-digest"))
    session.do(set_tap_map, "g1", {"figure/1": "piece unit-a6"})
    session.do(record_hello, "g1", GatewayHello("e2", 3, "test/1", "de-CH"))
    for code in ("figure/1", "space b6", "button confirm"):
        session.tap(code)
    session.sign("battery", percent=70)
    session.scanned("h3-g3", offered=(Offer(str(MATCH.id), "agog", "Round 2", ("white",)),))
    session.corrected()
    session.do(set_certificate, "g1", "digest")
    session.seat(PEN, MATCH.id, {"white": KEYS["white"]}, shared=False, grants={"white": "abc"})
    session.do(withdraw_grants, MATCH.id, "white", "abc")
    session.wrote(MatchAwaited, match=UUID(int=2), seats={"white": KEYS["white"]})
    session.wrote(WaitEnded, match=UUID(int=2), seats=("white",), why="withdrawn")
    session.do(register, "g2", "Lamp", "key")
    session.do(change_key, "g2", "another-key")
    session.do(revoke, "g2")
    session.do(pair, PairingAttempt("g1", "AA:04", "0000", "0000"))
    session.do(release, ReleaseRequest("AA:04"))
    session.do(unlock, "AA:04")
    return session


def test_a_table_is_the_fold_of_its_events(session: TableSession) -> None:
    table: Table | None = None
    mapper = EventMapper(transcoder=JSONTranscoder())
    for sealed in full(session).log:
        again: Any = mapper.to_domain_event(mapper.to_stored_event(sealed))
        assert again == sealed
        table = evolve(table, again)
    assert table == session.table
    assert session.match.version == 2


# --- what earlier versions recorded of boards that sensed their pieces ---------------------------


def test_a_scan_of_an_earlier_version_selects_and_counts_as_a_tap_does(
    session: TableSession,
) -> None:
    session.scanned("a6-b6")
    gateway, pen = session.table.gateways["g1"], session.table.stylus(PEN)
    assert (gateway.highest, gateway.recorded) == (1, (session.table.version,))
    assert (pen.hand.scanned, pen.taps) == (("a6-b6",), (session.table.version,))
    session.scanned("a6-b6")
    assert session.tap("button confirm", armed="c5-c6").outcome == "stale"
    named = session.table.stylus(PEN).taps
    done = session.tap("button confirm", armed="a6-b6")
    assert (done.outcome, done.notation, session.match.version) == ("acted", "a6-b6", 2)
    assert named == (session.table.version - 3, session.table.version - 2)
    assert session.table.stylus(PEN).hand == Selection()


def test_a_rune_chooses_among_several_actions_that_a_scan_selected(session: TableSession) -> None:
    session.scanned("a6-b6", "f1-g1")
    refusal = session.tap("button confirm").refusal
    assert refusal is not None
    assert refusal.rule == "stylus.unready"
    session.tap("cc rune 2")
    assert session.tap("button confirm").notation == "f1-g1"


def test_a_tap_starts_a_new_selection_after_a_scan(session: TableSession) -> None:
    session.scanned("f1-g1")
    session.tap("space a6")
    session.tap("space b6")
    assert session.tap("button confirm").notation == "a6-b6"


def test_a_correction_of_an_earlier_version_leaves_its_selection(session: TableSession) -> None:
    session.scanned("f1-g1")
    selecting = session.table.version
    session.corrected("a6-b6")
    pen = session.table.stylus(PEN)
    assert (pen.hand.scanned, pen.taps) == (("a6-b6",), (selecting,))
    assert session.table.gateways["g1"].highest == 1
    session.corrected()
    assert (session.table.stylus(PEN).hand, session.table.stylus(PEN).taps) == (Selection(), ())


def test_a_match_that_a_stylus_waited_for_changes_nothing(session: TableSession) -> None:
    before = session.table
    session.wrote(MatchAwaited, match=UUID(int=2), seats={"white": KEYS["white"]})
    session.wrote(WaitEnded, match=UUID(int=2), why="dropped")
    last = session.log[-1]
    assert session.table == replace(before, version=last.event.version, digest=last.digest)


def test_a_snapshot_gives_the_table_back(session: TableSession) -> None:
    table = full(session).table
    taken = take_table_snapshot(table)
    assert read_table_snapshot(taken) == table
    other = msgspec.json.decode(taken.state) | {"shape": "another"}
    object.__setattr__(taken, "state", canonical_bytes(other))
    assert read_table_snapshot(taken) is None


@pytest.mark.parametrize("sample", sorted(SHAPES.glob("table.*.json")), ids=lambda path: path.stem)
def test_every_shape_that_was_ever_stored_can_still_be_read(sample: Path) -> None:
    body = sample.read_bytes().strip()
    assert canonical_bytes(read_table_event(body)) == body


def test_there_is_a_frozen_sample_of_each_shape_stored_now(session: TableSession) -> None:
    full(session).do(close_table)
    stored = {type(sealed.event).__struct_config__.tag for sealed in session.log}
    tags = {each.__struct_config__.tag for each in get_args(Event)}
    # A third word in the name of a sample names the fields that it shows.
    samples = {".".join(path.stem.split(".")[:2]) for path in SHAPES.glob("table.*.json")}
    assert stored == tags == samples


def test_the_turn_of_a_message_follows_from_its_number(session: TableSession) -> None:
    session.tap("space a6")
    for seq, place in ((1, "done"), (2, "next"), (3, "early")):
        assert sequence_state(session.table, Message("g1", "e1", seq, 0, PEN, "x")) == place
    session.do(record_hello, "g1", GatewayHello("e2", 1))
    assert sequence_state(session.table, Message("g1", "e1", 2, 0, PEN, "x")) == "closed"
    assert sequence_state(session.table, Message("g1", "e2", 1, 0, PEN, "x")) == "next"


def test_a_closed_run_is_not_opened_again(session: TableSession) -> None:
    session.do(record_hello, "g1", GatewayHello("e2", 1))
    assert session.do(record_hello, "g1", GatewayHello("e1", 1)) is None
    assert session.table.gateways["g1"].epoch == "e2"


def test_what_a_gateway_has_lost_is_recorded_and_it_continues(session: TableSession) -> None:
    session.do(record_hello, "g1", GatewayHello("e1", 5))
    lost = session.log[-1].event
    assert (lost.first, lost.last) == (1, 4)
    assert session.table.gateways["g1"].highest == 4


def test_a_gateway_may_change_its_language_in_a_run(session: TableSession) -> None:
    assert session.do(record_hello, "g1", GatewayHello("e1", locale="de-CH")) is not None
    assert session.do(record_hello, "g1", GatewayHello("e1", locale="de-CH")) is None, (
        "nothing of it is new"
    )
    session.do(record_hello, "g1", GatewayHello("e2", locale="fr"))
    assert session.do(record_hello, "g1", GatewayHello("e1", locale="it")) is None, (
        "that run is closed"
    )
    assert session.table.gateways["g1"].locale == "fr"
    session.do(record_hello, "g1", GatewayHello("e2"))
    assert session.table.gateways["g1"].locale == ""


def test_a_tap_for_a_prompt_that_is_gone_is_recorded_and_does_not_act(
    session: TableSession,
) -> None:
    session.tap("space a6")
    others = act(session.match, "white", AGOG.read_action("b5-c5"), command_context())
    assert isinstance(others, Changeset)
    session.match = others.state
    done = session.tap("button confirm", prompt=1)
    assert done.outcome == "stale"
    assert done.refusal is not None
    assert done.refusal.rule == "stylus.stale"
    assert session.tap("cc map", prompt=1).outcome == "done"


def test_taps_of_one_prompt_carry_on_over_ones_own_action(session: TableSession) -> None:
    """A gateway whose line is down sends two moves later: nothing else has changed."""
    for code in ("space a6", "space b6", "button confirm", "space h3", "space g3"):
        assert session.tap(code, prompt=1).outcome in ("done", "acted")
    assert session.tap("button confirm", prompt=1).outcome == "acted"
    assert session.match.version == 3


def test_the_action_names_the_taps_since_the_one_before(session: TableSession) -> None:
    for code in ("space a6", "space a6", "space a6", "space b6"):
        session.tap(code)
    named: list[Taps] = []

    def judge(acting: str, action: Any, taps: Taps) -> Any:
        named.append(taps)
        return act(session.match, acting, action, command_context())

    table = session.table
    process_tap(
        DueTap(table, session.message("button confirm"), MATCH, command_context()),
        judge,
        stylus_view_of,
    )
    # The first two took each other back.
    assert named[0].versions == tuple(range(table.version - 1, table.version + 2))


def test_a_stylus_that_is_lost_for_long_forgets_what_it_had_selected(session: TableSession) -> None:
    for away, picked in ((30, ("space a6",)), (90, ())):
        session.seat(PEN, MATCH.id, {s: KEYS[s] for s in MATCH.seats}, shared=True)
        session.tap("space a6")
        session.sign("lost")
        session.sign("heard", at=away)
        assert session.table.stylus(PEN).hand.picked == picked
        assert session.table.stylus(PEN).lost is None


def test_a_stylus_that_another_table_hears_is_busy(session: TableSession) -> None:
    other = OtherTable("Other table", Stylus("g2", name="Pen", pin="own"), heard=True)
    busy = session.do(
        lambda *words: pair(*words, other), PairingAttempt("g1", "AA:02", "own", "0000")
    )
    assert isinstance(busy, Refused)
    assert busy.rule == "stylus.busy"
    assert "Other table" not in busy.why


@pytest.mark.parametrize(("called", "becomes"), [("Quill", "Quill"), ("PEN", "")])
def test_a_stylus_that_another_table_lost_brings_its_pin_and_its_name_if_nobody_has_it(
    session: TableSession, called: str, becomes: str
) -> None:
    session.do(rename, NamingRequest("g1", PEN, "Pen", "4711", "pin-digest"))
    other = OtherTable("Other table", Stylus("g2", name=called, pin="own"), heard=False)

    def from_there(*words: Any) -> Any:
        return pair(*words, other)

    session.do(from_there, PairingAttempt("g1", "AA:02", "0000", "0000"))
    assert not session.table.stylus("AA:02").gateway
    session.do(from_there, PairingAttempt("g1", "AA:02", "own", "0000"))
    brought = session.table.stylus("AA:02")
    assert (brought.gateway, brought.name, brought.pin) == ("g1", becomes, "own")


def test_a_stylus_that_left_for_another_table_acts_here_no_more_and_is_not_known(
    session: TableSession,
) -> None:
    session.do(rename, NamingRequest("g1", PEN, "Pen", "4711", "pin-digest"))
    session.tap("space a6")
    session.do(unpair, PEN)
    assert PEN not in session.table.styluses
    refusal = session.tap("space b6").refusal
    assert refusal is not None
    assert refusal.rule == "stylus.unpaired"
    assert session.do(unpair, PEN) is None


def test_five_wrong_pins_lock_a_stylus_for_a_minute(session: TableSession) -> None:
    for second in range(5):
        session.do(pair, PairingAttempt("g1", "AA:05", "1111", "0000"), at=second)
    locked = session.do(pair, PairingAttempt("g1", "AA:05", "0000", "0000"), at=30)
    assert isinstance(locked, Refused)
    assert locked.rule == "stylus.locked"
    assert isinstance(
        session.do(pair, PairingAttempt("g1", "AA:05", "0000", "0000"), at=65), Changeset
    )


def test_a_seat_whose_token_was_replaced_is_not_acted_for_any_more(session: TableSession) -> None:
    session.seat(PEN, MATCH.id, {"white": "an-older-key"}, shared=False)
    session.match = MATCH
    shown = session.tap("space a6", prompt=1)
    assert (shown.outcome, session.table.stylus(PEN).hand.view) == ("done", "info space a6")
    session.tap("button confirm", prompt=1)
    refusal = session.tap("button confirm", prompt=1).refusal
    assert refusal is not None
    assert refusal.rule == "stylus.seat"


def test_another_match_on_the_table_takes_all_seats_away(session: TableSession) -> None:
    session.do(pair, PairingAttempt("g1", "AA:02", "0000", "0000"))
    session.seat("AA:02", UUID(int=77), {"white": "x"}, shared=False)
    assert session.table.match == UUID(int=77)
    assert not session.table.stylus(PEN).seats


def test_a_table_has_bounds(session: TableSession) -> None:
    for number in range(7):
        session.do(register, f"h{number}", "More", "key")
    assert isinstance(session.do(register, "h9", "More", "key"), Rejection)
    for number in range(63):
        session.do(pair, PairingAttempt("g1", f"BB:{number}", "0000", "0000"), at=60 * number)
    one_more = PairingAttempt("g1", "BB:99", "0000", "0000")
    assert isinstance(session.do(pair, one_more, at=9000), Rejection)
    session.do(release, ReleaseRequest("BB:7", "g1"))
    assert isinstance(session.do(pair, one_more, at=9000), Changeset)
    session.do(revoke, "h3")
    assert isinstance(session.do(register, "h9", "More", "key"), Changeset)
    assert isinstance(
        session.do(set_tap_map, "g1", dict.fromkeys(map(str, range(5001)), "cc map")), Rejection
    )


def test_a_message_is_found_by_its_number_among_the_latest_of_its_run(
    session: TableSession,
) -> None:
    for _ in range(MAX_RECORDED_MESSAGES + 1):
        session.tap("cc map")
    first = session.table.version - MAX_RECORDED_MESSAGES

    def found(epoch: str, seq: int) -> int | None:
        return recorded_version(session.table, Message("g1", epoch, seq, 0, PEN, "x"))

    assert [
        found("e1", seq) for seq in (0, 1, 2, MAX_RECORDED_MESSAGES + 1, MAX_RECORDED_MESSAGES + 2)
    ] == [
        None,
        None,
        first + 1,
        session.table.version,
        None,
    ]
    session.do(record_hello, "g1", GatewayHello("e2", 1))
    assert found("e1", MAX_RECORDED_MESSAGES + 1) == first + MAX_RECORDED_MESSAGES
    assert found("e2", 1) is None
    assert found("e0", 1) is None


def test_the_match_card_arms_an_order_that_is_dropped_with_the_stylus(
    session: TableSession,
) -> None:
    order = CardOrder("resign", "white")
    ordered = OrderPreview(order, resign(MATCH, "white", command_context()))
    message = session.message("match resign")
    done = process_tap(
        DueTap(session.table, message, MATCH, command_context(), ordered), _never, stylus_view_of
    )
    session.table = done.recorded.state
    assert session.table.stylus(PEN).order == order
    session.sign("off")
    assert session.table.stylus(PEN).order is None


def _never(acting: str, action: Any, taps: Taps) -> Any:
    raise AssertionError(f"{acting} acts: {action}, {taps}")


def restarted(table: Table) -> Table:
    """The table as it is read from its snapshot, in which keys are sorted."""
    read = read_table_snapshot(take_table_snapshot(table))
    assert read is not None
    return read


def test_a_restarted_table_forgets_the_oldest_requests_and_runs() -> None:
    """As one does that went on: names whose order is not that in which they came."""
    went_on, began_again = TableSession().ready(), TableSession().ready()
    for session in (went_on, began_again):
        for number in reversed(range(MAX_REMEMBERED_REQUESTS + 20)):
            mapped = set_tap_map(session.table, "g1", {}, context_at(NOW, f"r{number:04} asked"))
            assert isinstance(mapped, Changeset)
            session.table = mapped.state
            session.do(record_hello, "g1", GatewayHello(f"run {number:04}"))
            if session is began_again:
                session.table = restarted(session.table)
    assert began_again.table == went_on.table
    assert went_on.table.requests.keys() == {
        f"r{number:04}" for number in range(MAX_REMEMBERED_REQUESTS)
    }
    kept = [run.epoch for run in went_on.table.gateways["g1"].closed]
    assert kept == [f"run {number:04}" for number in range(MAX_CLOSED_EPOCHS, 0, -1)]


def test_a_stylus_of_two_seats_looks_with_the_first_of_them_whatever_the_order_given() -> None:
    views = set()
    for order in (("white", "black"), ("black", "white")):
        session = TableSession().ready()
        session.seat(PEN, MATCH.id, {each: KEYS[each] for each in order}, shared=False)
        for table in (session.table, restarted(session.table)):
            views.add(seats_of(table.stylus(PEN), MATCH))
    assert views == {("white", "black")}


# --- whose is what -------------------------------------------------------------------------------


@pytest.fixture
def two_gateways(session: TableSession) -> TableSession:
    """Beside the tablet of the pen another gateway, which has a stylus too."""
    session.do(rename, NamingRequest("g1", PEN, "Pen", "4711", "pin-digest"))
    session.do(register, "g2", "Lamp", "key")
    session.do(pair, PairingAttempt("g2", "AA:02", "0000", "0000"))
    session.do(record_hello, "g2", GatewayHello("f1", 1, "test/1"))
    return session


def rule(answer: Any) -> str:
    assert isinstance(answer, Refused), answer
    return answer.rule


@pytest.mark.parametrize("sign", ["lost", "off", "reset", "battery"])
def test_a_sign_of_another_gateways_stylus_is_recorded_and_changes_nothing(
    two_gateways: TableSession, sign: StylusStatus
) -> None:
    two_gateways.tap("space a6")
    before = two_gateways.table.stylus(PEN)
    message = Message("g2", "f1", 1, 0, PEN, "", is_sign=True)
    two_gateways.do(lambda table, now: record_status(table, message, sign, now))
    assert two_gateways.log[-1].event.stray
    assert two_gateways.table.gateways["g2"].highest == 1
    assert two_gateways.table.stylus(PEN) == before
    two_gateways.sign(sign)
    assert two_gateways.table.stylus(PEN) != before


def test_a_gateway_names_and_seats_no_stylus_of_another(two_gateways: TableSession) -> None:
    before = two_gateways.table
    renamed = two_gateways.do(rename, NamingRequest("g2", PEN, "Mine", "1234", "x"))
    seated = two_gateways.seat(PEN, MATCH.id, {}, shared=False, gateway="g2")
    assert rule(renamed) == rule(seated) == "stylus.unpaired"
    assert two_gateways.table == before


def test_a_gateways_map_is_its_own(two_gateways: TableSession) -> None:
    two_gateways.do(set_tap_map, "", {"figure/1": "piece unit-a6"})
    two_gateways.do(set_tap_map, "g2", {"button page": "match resign", "figure/1": "space h3"})
    assert two_gateways.table.codes_of("g1") == {"figure/1": "piece unit-a6"}
    assert two_gateways.table.codes_of("g2")["figure/1"] == "space h3"
    assert two_gateways.tap("button page").outcome == "done"
    assert two_gateways.table.stylus(PEN).order is None


def test_a_match_that_others_play_is_not_taken_off_the_table(two_gateways: TableSession) -> None:
    before = two_gateways.table
    for seats in ({}, {"white": "x"}):
        moved = two_gateways.seat("AA:02", UUID(int=77), seats, shared=False, gateway="g2")
        assert rule(moved) == "stylus.table"
        assert two_gateways.table == before
    assert isinstance(
        two_gateways.seat("AA:02", MATCH.id, {}, shared=False, gateway="g2"), Changeset
    )
    over = resign(two_gateways.match, "white", command_context())
    assert isinstance(over, Changeset)
    two_gateways.match = over.state
    moved = two_gateways.seat("AA:02", UUID(int=77), {"white": "x"}, shared=False, gateway="g2")
    assert isinstance(moved, Changeset)


def test_a_stylus_is_taken_over_from_a_dead_gateway_with_its_own_pin_only(
    two_gateways: TableSession,
) -> None:
    def attempt(pin: str, *, heard: bool) -> Any:
        return two_gateways.do(pair, PairingAttempt("g2", PEN, pin, "0000", heard))

    assert rule(attempt("pin-digest", heard=True)) == "stylus.busy"
    attempt("0000", heard=False)
    assert two_gateways.table.stylus(PEN).gateway == "g1"
    attempt("pin-digest", heard=False)
    assert two_gateways.table.stylus(PEN).gateway == "g2"
    # One that has only the factory's PIN is nobody's to take.
    factory = PairingAttempt("g1", "AA:02", "0000", "0000", heard=False)
    assert rule(two_gateways.do(pair, factory)) == "stylus.busy"


def test_wrong_pins_count_whatever_gateway_and_table_they_were_tried_at(
    two_gateways: TableSession,
) -> None:
    elsewhere = tuple(WrongPin(NOW - timedelta(seconds=n), "g9") for n in range(3))
    for gateway in ("g1", "g2"):
        tried = PairingAttempt(gateway, "AA:09", "1111", "0000", wrong=elsewhere)
        assert isinstance(two_gateways.do(pair, tried), Changeset)
    right = PairingAttempt("g2", "AA:09", "0000", "0000", wrong=elsewhere)
    assert rule(two_gateways.do(pair, right, at=1)) == "stylus.locked"


def guess(session: TableSession, gateway: str, pin: str = "1111", *, at: int) -> Any:
    return session.do(pair, PairingAttempt(gateway, "AA:09", pin, "0000"), at=at)


def test_each_pause_for_wrong_pins_is_twice_the_one_before_up_to_an_hour(
    session: TableSession,
) -> None:
    now, pauses = 0, list[int]()
    for _ in range(5):
        guess(session, "g1", at=now)
    for _ in range(8):
        refused = guess(session, "g1", at=now)
        assert rule(refused) == "stylus.locked"
        pauses.append(refused.figures["seconds"])
        assert rule(guess(session, "g1", at=now + pauses[-1] - 1)) == "stylus.locked"
        now += pauses[-1]
        assert isinstance(guess(session, "g1", at=now), Changeset)
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600]


def test_a_gateway_that_guesses_locks_the_stylus_for_no_other(two_gateways: TableSession) -> None:
    two_gateways.do(change_key, "g2", "a key of its own")
    for second in range(5):
        guess(two_gateways, "g1", at=second)
    assert rule(guess(two_gateways, "g1", "0000", at=9)) == "stylus.locked"
    guess(two_gateways, "g2", "0000", at=9)
    assert two_gateways.table.stylus("AA:09").gateway == "g2"


def test_gateways_with_one_key_are_one_that_guesses(two_gateways: TableSession) -> None:
    two_gateways.do(register, "g3", "Third", two_gateways.table.gateways["g1"].key)
    for second in range(5):
        guess(two_gateways, "g1", at=second)
    assert rule(guess(two_gateways, "g3", "0000", at=9)) == "stylus.locked"


def test_the_owner_unlocks_a_stylus_and_the_gateways(session: TableSession) -> None:
    for second in range(5):
        guess(session, "g1", at=second)
    assert rule(guess(session, "g1", "0000", at=9)) == "stylus.locked"
    session.do(unlock, "AA:09")
    guess(session, "g1", "0000", at=9)
    assert session.table.stylus("AA:09").gateway == "g1"
    session.do(close_table)
    assert isinstance(session.do(unlock, "AA:09"), Rejection)


def test_a_stylus_is_released_by_no_more_guesses_than_it_is_paired_by(
    two_gateways: TableSession,
) -> None:
    two_gateways.do(rename, NamingRequest("g1", PEN, "Pen", "4711", "pin-digest"))
    elsewhere = tuple(WrongPin(NOW, "g9") for _ in range(4))
    assert isinstance(
        two_gateways.do(release, ReleaseRequest(PEN, "g2", "x", elsewhere)), Changeset
    )
    right = ReleaseRequest(PEN, "g2", "pin-digest", elsewhere)
    assert rule(two_gateways.do(release, right, at=1)) == "stylus.locked"
    assert isinstance(two_gateways.do(release, right, at=61), Changeset)


def test_a_gateway_that_guesses_at_many_styluses_is_locked_and_fills_no_table(
    session: TableSession,
) -> None:
    for number in range(20):
        session.do(pair, PairingAttempt("g1", f"CC:{number}", "1111", "0000"))
    guess = PairingAttempt("g1", "CC:20", "1111", "0000")
    assert rule(session.do(pair, guess)) == "stylus.locked"
    assert isinstance(session.do(pair, guess, at=3600), Changeset)
    assert len(session.table.styluses) == 22
    assert isinstance(session.do(pair, guess, at=24 * 3600), Changeset)
    assert set(session.table.styluses) == {PEN, "CC:20"}
    for number in range(300):
        guess = PairingAttempt("g1", f"DD:{number}", "1111", "0000")
        session.do(pair, guess, at=(25 + number) * 3600 // 4)
    assert len(session.table.styluses) <= 1 + MAX_UNPAIRED_STYLUSES


def test_a_gateway_that_pairs_whatever_it_hears_is_slowed_down(session: TableSession) -> None:
    answers = [
        session.do(pair, PairingAttempt("g1", f"CC:{number}", "0000", "0000"))
        for number in range(16)
    ]
    assert rule(answers[-1]) == "stylus.locked"
    assert isinstance(answers[-2], Changeset)


def test_a_stylus_is_released_by_its_gateway_its_pin_or_the_owner(
    two_gateways: TableSession,
) -> None:
    assert rule(two_gateways.do(release, ReleaseRequest("AA:02", "g1", "0000"))) == "stylus.pin"
    two_gateways.do(release, ReleaseRequest(PEN, "g2", "wrong"))
    assert two_gateways.table.gateways["g2"].wrong
    assert two_gateways.table.stylus(PEN).gateway == "g1"
    two_gateways.do(release, ReleaseRequest(PEN, "g2", "pin-digest"))
    assert PEN not in two_gateways.table.styluses
    two_gateways.do(release, ReleaseRequest("AA:02"))
    assert "AA:02" not in two_gateways.table.styluses
    assert rule(two_gateways.do(release, ReleaseRequest("AA:02"))) == "stylus.unpaired"


def test_a_revoked_gateway_leaves_its_styluses_free_with_their_names_and_pins(
    two_gateways: TableSession,
) -> None:
    two_gateways.do(revoke, "g1")
    assert two_gateways.table.gateways["g1"].key == ""
    assert two_gateways.table.stylus(PEN) == Stylus(name="Pen", pin="pin-digest")
    assert isinstance(two_gateways.do(revoke, "g1"), Rejection)
    assert isinstance(two_gateways.do(change_key, "g1", "x"), Rejection)
    two_gateways.do(pair, PairingAttempt("g2", PEN, "pin-digest", "0000"))
    assert two_gateways.table.stylus(PEN).gateway == "g2"


def test_a_closed_table_has_nothing_and_takes_nothing(two_gateways: TableSession) -> None:
    two_gateways.do(close_table)
    table = two_gateways.table
    assert (table.closed, table.match, table.styluses) == (True, None, {})
    assert not any(each.key for each in table.gateways.values())
    for command, *words in ((close_table,), (register, "g3", "x", "y"), (set_tap_map, "", {})):
        assert isinstance(two_gateways.do(command, *words), Rejection)


def test_a_stylus_that_was_lost_leaves_its_seats_behind_unless_its_own_pin_is_known(
    two_gateways: TableSession,
) -> None:
    two_gateways.seat("AA:02", MATCH.id, {"black": "x"}, shared=False, gateway="g2")
    for gateway, stylus, pin in (("g1", "AA:02", "0000"), ("g2", PEN, "pin-digest")):
        had = two_gateways.table.stylus(stylus).gateway
        attempt = PairingAttempt(gateway, stylus, pin, "0000", heard=False)
        message = Message(had, "", 1, 0, stylus, "", is_sign=True)
        two_gateways.do(
            lambda table, tap_message, now: record_status(table, tap_message, "lost", now), message
        )
        two_gateways.do(pair, attempt)
        assert two_gateways.table.stylus(stylus).gateway == gateway
        assert bool(two_gateways.table.stylus(stylus).seats) == (stylus == PEN)
