"""Messages of gateways, each of which is processed exactly once.

A gateway numbers the messages of an epoch from 1. A repeated message is not processed again. A
message that comes too early is requested again, together with the missing ones before it. Each
processed message is recorded, whatever its outcome.
"""

from typing import Any, Literal

from msgspec import Struct

from domain.kernel.rulings import Refused
from domain.log.ledger import Changeset
from domain.log.origin import CommandContext
from domain.match.state import AnyMatch
from domain.table.commands import TableLedger
from domain.table.events import (
    MAX_STYLUS_ID_LENGTH,
    EpochBegan,
    LocaleChanged,
    MessagesLost,
    StylusStatus,
    StylusStatusReported,
    TapOutcome,
)
from domain.table.state import Table


class Message(Struct, frozen=True):
    """A message of a gateway: a tap, or a status of a stylus."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int
    stylus: str
    what: str
    """The code that was read, or the status."""
    is_sign: bool = False
    percent: int = 0
    """The battery level, for the status `battery`."""
    prompt: int = 0
    armed: str = ""
    """The label that the user saw armed, if the device reports it. Confirm executes nothing
    else."""
    offline: bool = False
    """Whether the connection was down, and the user had seen the table's earlier taps."""
    seat: str = ""
    """The seat that confirms, if the device reports it."""
    leads_to: str = ""
    """In a journal, the seat of the Confirm that follows, if the device reports it."""


class GatewayHello(Struct, frozen=True):
    """The data that a gateway sends when it connects."""

    epoch: str
    first_kept: int = 1
    """The number of the first message that the gateway still has."""
    software: str = ""
    locale: str = ""
    """The language of the gateway's users: a BCP 47 tag, or empty."""


class TapDecision(Struct, frozen=True):
    """The decision on a tap."""

    recorded: Changeset[Table]
    """The events of the table."""
    outcome: TapOutcome
    changeset: Changeset[AnyMatch] | None = None
    """The events of the match, recorded in the same transaction."""
    refusal: Refused | None = None
    notation: str = ""
    """The notation of the requested action."""


SequenceState = Literal["next", "done", "early", "closed"]


def sequence_state(table: Table, message: Message) -> SequenceState:
    """Return the place of a message: next in sequence, done, too early, or of a closed epoch."""
    gateway = table.gateways[message.gateway]
    if message.epoch != gateway.epoch:
        return "closed"
    if message.seq <= gateway.highest:
        return "done"
    return "next" if message.seq == gateway.highest + 1 else "early"


def recorded_version(table: Table, message: Message) -> int | None:
    """Return the version of the event that recorded a message.

    Returns None if the message is not recorded, or no longer among the remembered ones.
    """
    gateway = table.gateways[message.gateway]
    run = gateway.run(message.epoch)
    if run is None or not 0 <= run.highest - message.seq < len(run.recorded):
        return None
    return run.recorded[message.seq - run.highest - 1]


def record_hello(
    table: Table, gateway: str, hello: GatewayHello, command_context: CommandContext
) -> Changeset[Table] | None:
    """Record the news in a gateway's hello: a new epoch, lost messages or another language.

    Returns None if there is none.
    """
    ledger = TableLedger(table, table.id, command_context)
    known, epoch = table.gateways[gateway], hello.epoch
    if epoch != known.epoch and known.run(epoch) is not None:
        return None
    if epoch != known.epoch:
        ledger.record(EpochBegan, gateway=gateway, epoch=epoch, software=hello.software)
    if hello.locale != known.locale:
        ledger.record(LocaleChanged, gateway=gateway, locale=hello.locale)
    highest = ledger.state.gateways[gateway].highest
    if hello.first_kept > highest + 1:
        last = hello.first_kept - 1
        ledger.record(MessagesLost, gateway=gateway, epoch=epoch, first=highest + 1, last=last)
    return ledger.changeset() if ledger.state is not table else None


def record_status(
    table: Table, message: Message, sign: StylusStatus, command_context: CommandContext
) -> Changeset[Table]:
    """Record a status of a stylus that its gateway reported."""
    ledger = TableLedger(table, table.id, command_context)
    percent = min(max(message.percent, 0), 100)
    known = table.styluses.get(message.stylus)
    stray = known is not None and known.gateway != message.gateway
    ledger.record(
        StylusStatusReported, sign=sign, percent=percent, stray=stray, **message_fields(message)
    )
    return ledger.changeset()


def message_fields(message: Message) -> dict[str, Any]:
    """Return the event fields that all messages share."""
    return {
        "gateway": message.gateway,
        "epoch": message.epoch,
        "seq": message.seq,
        "device_ms": message.device_ms,
        "stylus": message.stylus[:MAX_STYLUS_ID_LENGTH],
    }
