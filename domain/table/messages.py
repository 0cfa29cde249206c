"""What gateways send: the beginning of a run, and messages, each done exactly once.

A gateway numbers the messages of a run (an *epoch*) from 1. One that was done is not done again;
one that comes too early is asked for again with those before it. Whatever comes of a message, it
is recorded.
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
    """A message of a gateway: a tap, or a sign of a stylus."""

    gateway: str
    epoch: str
    seq: int
    device_ms: int
    stylus: str
    what: str
    """The code that was read, or the sign."""
    is_sign: bool = False
    percent: int = 0
    """For the sign `battery`."""
    prompt: int = 0
    armed: str = ""
    """What its user saw armed, if the device says so: Confirm takes nothing else."""
    offline: bool = False
    """It was made while the line was down, by somebody who saw what the table had done before."""
    seat: str = ""
    """Whose Confirm it is, if the device says so."""
    leads_to: str = ""
    """In a journal: whose Confirm it leads to, if the device says so."""


class GatewayHello(Struct, frozen=True):
    """What a gateway says when it connects."""

    epoch: str
    first_kept: int = 1
    """The number of the first message that it has kept."""
    software: str = ""
    locale: str = ""
    """The language in which its users read: BCP 47, or empty."""


class TapDecision(Struct, frozen=True):
    """What came of a tap."""

    recorded: Changeset[Table]
    """What the table records of it."""
    outcome: TapOutcome
    changeset: Changeset[AnyMatch] | None = None
    """What the match records beside it, in the same transaction."""
    refusal: Refused | None = None
    notation: str = ""
    """The action that was asked for."""


SequenceState = Literal["next", "done", "early", "closed"]


def sequence_state(table: Table, message: Message) -> SequenceState:
    """Is it this message's turn, was it done, does it come too early, or from a closed run?"""
    gateway = table.gateways[message.gateway]
    if message.epoch != gateway.epoch:
        return "closed"
    if message.seq <= gateway.highest:
        return "done"
    return "next" if message.seq == gateway.highest + 1 else "early"


def recorded_version(table: Table, message: Message) -> int | None:
    """The version of the event that recorded a message with this number; None if it was not done,
    or too long ago."""
    gateway = table.gateways[message.gateway]
    run = gateway.run(message.epoch)
    if run is None or not 0 <= run.highest - message.seq < len(run.recorded):
        return None
    return run.recorded[message.seq - run.highest - 1]


def record_hello(
    table: Table, gateway: str, said: GatewayHello, command_context: CommandContext
) -> Changeset[Table] | None:
    """A gateway connects: perhaps it runs anew, has lost messages, or has another language. None if
    nothing of it is new."""
    ledger = TableLedger(table, table.id, command_context)
    known, epoch = table.gateways[gateway], said.epoch
    if epoch != known.epoch and known.run(epoch) is not None:
        return None
    if epoch != known.epoch:
        ledger.record(EpochBegan, gateway=gateway, epoch=epoch, software=said.software)
    if said.locale != known.locale:
        ledger.record(LocaleChanged, gateway=gateway, locale=said.locale)
    highest = ledger.state.gateways[gateway].highest
    if said.first_kept > highest + 1:
        last = said.first_kept - 1
        ledger.record(MessagesLost, gateway=gateway, epoch=epoch, first=highest + 1, last=last)
    return ledger.changeset() if ledger.state is not table else None


def record_status(
    table: Table, message: Message, sign: StylusStatus, command_context: CommandContext
) -> Changeset[Table]:
    """Record what a gateway noticed of a stylus."""
    ledger = TableLedger(table, table.id, command_context)
    percent = min(max(message.percent, 0), 100)
    known = table.styluses.get(message.stylus)
    stray = known is not None and known.gateway != message.gateway
    ledger.record(
        StylusStatusReported, sign=sign, percent=percent, stray=stray, **message_fields(message)
    )
    return ledger.changeset()


def message_fields(message: Message) -> dict[str, Any]:
    """The fields that every recorded message has."""
    return {
        "gateway": message.gateway,
        "epoch": message.epoch,
        "seq": message.seq,
        "device_ms": message.device_ms,
        "stylus": message.stylus[:MAX_STYLUS_ID_LENGTH],
    }
