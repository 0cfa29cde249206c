"""A table as it stands, and how events change it.

Taps carry the hand that they left, so that folding them applies what happened and asks no rule.
"""

from datetime import datetime, timedelta
from typing import Final, assert_never
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.sealed_events import Sealed
from domain.stylus.taps import Hand
from domain.table.events import (
    EpochBegan,
    Event,
    GatewayCertified,
    GatewayKeyChanged,
    GatewayRegistered,
    GatewayRevoked,
    MatchAwaited,
    MatchPlaced,
    MessagesLost,
    Offer,
    PinRefused,
    ScanTaken,
    SeatsEnded,
    SignNoticed,
    StylusLeft,
    StylusNamed,
    StylusPaired,
    StylusReleased,
    StylusSeated,
    TableClosed,
    TableOpened,
    TapMapChanged,
    TapTaken,
    WaitEnded,
)
from domain.table.match_card import CardOrder

REPEATED: Final = 256
"""Messages of a run that can be answered again as they were answered first: the latest ones."""
CLOSED_EPOCHS: Final = 8
"""Earlier runs of a gateway whose late messages are known as such."""
KEPT: Final = timedelta(seconds=60)
"""How long what was selected outlives the loss of its stylus."""
WRONG_PINS: Final = 5
WRONG_WITHIN: Final = timedelta(minutes=10)
LOCKED: Final = timedelta(seconds=60)
"""So many wrong PINs within so long lock a stylus for so long."""
REQUESTS: Final = 256
"""Requests of clients that are remembered."""
NAMED_TAPS: Final = 64
"""Taps of one action that it names, at most: the last ones."""


class ClosedRun(Struct, frozen=True, array_like=True):
    """An earlier run of a gateway."""

    epoch: str
    highest: int
    """The number of its last message."""
    recorded: tuple[int, ...] = ()
    """As in `Gateway`."""


class Gateway(Struct, frozen=True):
    """A gateway of the table."""

    name: str
    key: str
    """The digest of its key."""
    epoch: str = ""
    highest: int = 0
    """The number of its last message that is recorded."""
    recorded: tuple[int, ...] = ()
    """The versions of its latest messages of this epoch, the last one last: what came of them can
    be told again."""
    closed: tuple[ClosedRun, ...] = ()
    """Its latest earlier runs, the last one last."""
    codes: dict[str, str] = {}
    """Its own tap map, in place of the table's."""
    map_version: int = 0
    """The version of the event that gave it; 0 if it has none."""
    revoked: bool = False
    """It may not connect any more."""
    pairings: tuple[datetime, ...] = ()
    """When it paired styluses lately that nobody had named."""
    wrong: tuple[datetime, ...] = ()
    """When it tried wrong PINs lately, of whatever styluses."""
    certificate: str = ""
    """The SHA-256 of the certificate that it may show in place of its key."""
    moving: int = 0
    moved: int = 0
    """From which version of the match to which its styluses alone moved it, lately."""

    def run(self, epoch: str) -> "Gateway | ClosedRun | None":
        """The present run, or an earlier one that is remembered."""
        if epoch == self.epoch:
            return self
        return next((run for run in self.closed if run.epoch == epoch), None)


class Wait(Struct, frozen=True, omit_defaults=True):
    """What a stylus will be seated with when its board shows the position of a match."""

    seats: dict[str, str] = {}
    shared: bool = False
    grants: dict[str, str] = {}
    """As in `StylusSeated`."""


class Stylus(Struct, frozen=True):
    """A stylus that was paired with a gateway of the table, or with which that was tried."""

    gateway: str = ""
    """The gateway that it is paired with; empty for none."""
    lost: datetime | None = None
    """Since when it is not heard."""
    name: str = ""
    pin: str = ""
    """Keyed digest; empty for the factory's PIN."""
    battery: int | None = None
    """Percent, as it told last."""
    wrong: tuple[datetime, ...] = ()
    """When wrong PINs were tried lately."""
    seats: dict[str, str] = {}
    """As in `StylusSeated`."""
    shared: bool = False
    grants: dict[str, str] = {}
    """As in `StylusSeated`."""
    ended: tuple[str, ...] = ()
    """The seats that it has lost since it was seated."""
    hand: Hand = Hand()
    order: CardOrder | None = None
    """What Confirm would ask of the match itself."""
    taps: tuple[int, ...] = ()
    """The versions of the taps since its last action."""
    era: int = 0
    """The prompt that it shows: the version of the match when others changed it last."""
    seen: int = 0
    """The version of the match after its own last tap."""
    board: dict[str, tuple[str, ...]] = {}
    """What it sees, if it is a board that senses pieces: the signs on each space it watches."""
    touched: tuple[str, ...] = ()
    """The spaces on which anything changed since it showed a position of the match."""
    waits: dict[str, Wait] = {}
    """The matches that it waits for, by their ids, the one asked for first first."""
    offered: tuple[Offer, ...] = ()
    """Those of them that stand as its board does, if it was seen at no match."""


class Request(Struct, frozen=True, array_like=True):
    """A request of a client that was done."""

    digest: str
    """Of what was asked for."""
    done: bool
    """False for a PIN that was wrong."""
    version: int
    """Of its last event: the requests that were done longest ago are forgotten first."""


class Table(Struct, frozen=True):
    """A table as it stands."""

    id: UUID
    name: str
    version: int
    digest: str
    owner: str = ""
    """The digest of its owner's key; empty if only the admin looks after it."""
    closed: bool = False
    gateways: dict[str, Gateway] = {}
    styluses: dict[str, Stylus] = {}
    match: UUID | None = None
    codes: dict[str, str] = {}
    """The table's own tap map."""
    map_version: int = 0
    """The version of the event that gave it; 0 for the default map alone."""
    requests: dict[str, Request] = {}
    """The latest requests, by their ids: repeating one records nothing."""

    def codes_of(self, gateway: str) -> dict[str, str]:
        """The tap map for what this gateway sends: its own, or the table's."""
        own = self.gateways.get(gateway)
        return own.codes if own is not None and own.map_version else self.codes

    def stylus(self, name: str) -> Stylus:
        """A stylus; one that nobody knows yet is as it left the factory."""
        return self.styluses.get(name, Stylus())


def evolve(table: Table | None, sealed: Sealed[Event]) -> Table:
    """The table after this event."""
    event = sealed.event
    if isinstance(event, TableOpened):
        return Table(event.table, event.name, event.version, sealed.digest, event.owner)
    assert table is not None
    assert event.version == table.version + 1
    after = _changed(table, event)
    requests = _requested(after.requests, event)
    return replace(after, version=event.version, digest=sealed.digest, requests=requests)


def _requested(requests: dict[str, Request], event: Event) -> dict[str, Request]:
    """The requests that are remembered after an event."""
    identity, _, asked = event.request.partition(" ")
    if not asked:
        return requests
    done = not isinstance(event, PinRefused)
    requests = {**requests, identity: Request(asked, done, event.version)}
    if len(requests) > REQUESTS:
        del requests[min(requests, key=lambda each: requests[each].version)]
    return requests


def _changed(table: Table, event: Event) -> Table:
    match event:
        case TableOpened():
            raise AssertionError("a table is opened once")
        case GatewayRegistered(gateway=name):
            return _with_gateway(table, name, Gateway(event.name, event.key))
        case GatewayKeyChanged(gateway=name):
            return _with_gateway(table, name, replace(table.gateways[name], key=event.key))
        case GatewayRevoked(gateway=name):
            revoked = replace(table.gateways[name], key="", certificate="", revoked=True)
            return _freed(_with_gateway(table, name, revoked), name)
        case GatewayCertified(gateway=name):
            certified = replace(table.gateways[name], certificate=event.certificate)
            return _with_gateway(table, name, certified)
        case EpochBegan(gateway=name):
            return _with_gateway(table, name, _run_anew(table.gateways[name], event.epoch))
        case MessagesLost(gateway=name):
            after = replace(table.gateways[name], highest=event.last, recorded=())
            return _with_gateway(table, name, after)
        case StylusPaired(stylus=name):
            before = table.stylus(name)
            paired = replace(
                before,
                gateway=event.gateway,
                lost=None,
                wrong=(),
                name=event.name or before.name,
                pin=event.pin or before.pin,
            )
            if event.unseated:
                paired = replace(_unseated(paired), waits={})
            if not paired.pin:
                table = _noted(table, event.gateway, "pairings", event.at)
            return _with_stylus(table, name, paired)
        case StylusLeft(stylus=name) | StylusReleased(stylus=name):
            stayed = {each: stylus for each, stylus in table.styluses.items() if each != name}
            return replace(table, styluses=stayed)
        case PinRefused(stylus=name):
            stylus = table.stylus(name)
            table = _noted(_without_strangers(table, event.at), event.gateway, "wrong", event.at)
            return _with_stylus(table, name, replace(stylus, wrong=_lately(stylus.wrong, event.at)))
        case StylusNamed(stylus=name):
            named = replace(table.stylus(name), name=event.name, pin=event.pin)
            return _with_stylus(table, name, named)
        case MatchPlaced():
            still = {n: replace(g, moving=0, moved=0) for n, g in table.gateways.items()}
            cleared = {name: _unseated(each) for name, each in table.styluses.items()}
            return replace(table, match=event.match, styluses=cleared, gateways=still)
        case StylusSeated(stylus=name):
            before = table.stylus(name)
            seated = replace(
                _unseated(before),
                seats=event.seats,
                shared=event.shared,
                grants=event.grants,
                waits=_without(before.waits, str(table.match)),
            )
            return _with_stylus(table, name, seated)
        case MatchAwaited(stylus=name):
            before, wait = table.stylus(name), Wait(event.seats, event.shared, event.grants)
            waits = {**_without(before.waits, str(event.match)), str(event.match): wait}
            return _with_stylus(table, name, replace(before, waits=waits))
        case WaitEnded(stylus=name):
            return _with_stylus(table, name, _waits_less(table.stylus(name), event))
        case SeatsEnded(stylus=name):
            before = _let_go(table.stylus(name))
            seats, grants = (
                {seat: held for seat, held in each.items() if seat not in event.seats}
                for each in (before.seats, before.grants)
            )
            ended = (*before.ended, *event.seats)
            left = replace(before, seats=seats, grants=grants, ended=ended, shared=False)
            return _with_stylus(table, name, left)
        case TapMapChanged(gateway=name) if name:
            own = replace(table.gateways[name], codes=event.codes, map_version=event.version)
            return _with_gateway(table, name, own)
        case TapMapChanged():
            return replace(table, codes=event.codes, map_version=event.version)
        case TableClosed():
            gateways = {
                name: replace(each, key="", certificate="", revoked=True)
                for name, each in table.gateways.items()
            }
            return replace(table, closed=True, match=None, gateways=gateways, styluses={})
        case ScanTaken():
            return _tapped(_scanned(_counted(table, event), event), event)
        case TapTaken():
            return _tapped(_counted(table, event), event)
        case SignNoticed():
            counted = _counted(table, event)
            return counted if event.stray else _noticed(counted, event)
        case unreachable:
            assert_never(unreachable)


def _without(waits: dict[str, Wait], match: str) -> dict[str, Wait]:
    return {each: wait for each, wait in waits.items() if each != match}


def _waits_less(stylus: Stylus, event: WaitEnded) -> Stylus:
    match = str(event.match)
    waits, left = _without(stylus.waits, match), stylus.waits.get(match, Wait())
    seats, grants = (
        {seat: held for seat, held in each.items() if event.seats and seat not in event.seats}
        for each in (left.seats, left.grants)
    )
    if seats:
        waits[match] = Wait(seats, grants=grants)
    return replace(stylus, waits=waits, offered=())


def _with_gateway(table: Table, name: str, gateway: Gateway) -> Table:
    return replace(table, gateways={**table.gateways, name: gateway})


def _freed(table: Table, gateway: str) -> Table:
    """The table without the pairings of a gateway: its styluses keep only what they are called."""
    styluses = {
        name: Stylus(name=each.name, pin=each.pin, battery=each.battery)
        if each.gateway == gateway
        else each
        for name, each in table.styluses.items()
    }
    return replace(table, styluses=styluses)


def _noted(table: Table, gateway: str, what: str, at: datetime) -> Table:
    """The gateway has done once more what is limited."""
    known = table.gateways[gateway]
    return _with_gateway(
        table, gateway, replace(known, **{what: _lately(getattr(known, what), at)})
    )


def _lately(times: tuple[datetime, ...], now: datetime) -> tuple[datetime, ...]:
    return (*(at for at in times if now - at < WRONG_WITHIN), now)


def _without_strangers(table: Table, now: datetime) -> Table:
    """The table without styluses of which it knows only that somebody guessed at their PINs, long
    ago: else guessing would fill it."""
    known = {
        name: each
        for name, each in table.styluses.items()
        if each.gateway or each.pin or any(now - at < WRONG_WITHIN for at in each.wrong)
    }
    return replace(table, styluses=known)


def _with_stylus(table: Table, name: str, stylus: Stylus) -> Table:
    return replace(table, styluses={**table.styluses, name: stylus})


def _run_anew(gateway: Gateway, epoch: str) -> Gateway:
    closed = gateway.closed
    if gateway.epoch:
        run = ClosedRun(gateway.epoch, gateway.highest, gateway.recorded)
        closed = (*closed, run)[-CLOSED_EPOCHS:]
    return replace(gateway, epoch=epoch, highest=0, recorded=(), closed=closed)


def _counted(table: Table, event: TapTaken | SignNoticed) -> Table:
    before = table.gateways[event.gateway]
    recorded = (*before.recorded[1 - REPEATED :], event.version)
    gateway = replace(before, highest=event.seq, recorded=recorded)
    if isinstance(event, TapTaken) and event.outcome == "acted":
        alone = gateway.moved == event.match_version
        moving = gateway.moving if alone else event.match_version
        gateway = replace(gateway, moving=moving, moved=event.after)
    return _with_gateway(table, event.gateway, gateway)


def _scanned(table: Table, event: ScanTaken) -> Table:
    """The board as it stands after a scan of the gateway that it is paired with."""
    if event.outcome == "unknown-stylus" or event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    board = event.spaces if event.whole else {**stylus.board, **event.spaces}
    before = stylus.touched if event.era == stylus.era else ()
    moved = {space for space in board if board[space] != stylus.board.get(space, ())}
    touched = () if event.agrees else tuple(sorted({*before, *moved}))
    seen = replace(stylus, board=board, touched=touched, offered=event.offered)
    return _with_stylus(table, event.stylus, seen)


def _tapped(table: Table, event: TapTaken) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    hand = event.hand
    selected = hand.picked or hand.digits or hand.chosen or hand.scanned or event.order
    counts = event.outcome in ("done", "refused")
    taps = (*stylus.taps, event.version)[-NAMED_TAPS:] if counts else stylus.taps
    moved = replace(
        stylus,
        hand=hand,
        order=event.order,
        era=event.era,
        seen=event.after,
        taps=taps if selected else (),
        touched=() if event.outcome == "acted" else stylus.touched,
    )
    return _with_stylus(table, event.stylus, moved)


def _noticed(table: Table, event: SignNoticed) -> Table:
    if event.stylus not in table.styluses:
        return table
    stylus = table.styluses[event.stylus]
    match event.sign:
        case "lost":
            stylus = replace(stylus, lost=stylus.lost or event.at)
        case "heard" | "on":
            late = stylus.lost is not None and event.at - stylus.lost > KEPT
            stylus = replace(_let_go(stylus) if late else stylus, lost=None)
        case "off":
            stylus = replace(_let_go(stylus), lost=event.at)
        case "reset":
            stylus = Stylus()
        case "battery":
            stylus = replace(stylus, battery=event.percent)
        case unreachable:
            assert_never(unreachable)
    return _with_stylus(table, event.stylus, stylus)


def _unseated(stylus: Stylus) -> Stylus:
    stood = replace(_let_go(stylus), era=0, seen=0, offered=())
    return replace(stood, seats={}, shared=False, grants={}, ended=())


def _let_go(stylus: Stylus) -> Stylus:
    return replace(stylus, hand=Hand(), order=None, taps=())
