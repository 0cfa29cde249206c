"""Maps events of all that is in the log to those that `eventsourcing` stores, and back.

A stored event's state is one line of JSON, `{"digest": ..., "event": {...}}`, where the event is
in its canonical bytes: those that the digest was made over. Its topic is the event's `type`.
"""

from collections import OrderedDict
from contextlib import suppress
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final, cast, get_args, get_origin
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import Raw, Struct

from domain import army, frontend, player
from domain.conditional_moves import Event as PlanEvent
from domain.log.digests import canonical_bytes
from domain.log.sealed_events import SealedEvent
from domain.match import ActionEffects, AdministrativeEvent, Event, FoldInput, FoldStep
from domain.match.recording import event_decoder, event_types_with_facts, union
from domain.registry import GAMES
from domain.runs import RunBegun
from domain.storage.snapshots import match_decoder
from domain.storage.topics import (
    ARMY,
    FRONTEND,
    KINDS,
    MATCH,
    PLAN,
    PLAYER,
    SERVICE,
    TABLE,
    kind_of,
    topic_of,
)
from domain.storage.upcasts import upcast
from domain.table import Event as TableEvent
from domain.table.events import TapOutcome, TapTaken


class _Envelope(Struct, frozen=True):
    digest: str
    event: Raw


class _TaggedEvent(Struct, frozen=True):
    type: str


@cache
def _step_decoder() -> msgspec.json.Decoder[FoldStep[Any]]:
    """Decodes stored events of a match as folding needs them: a third of the work."""
    facts = union(game.facts for game in GAMES.values())
    # Types that are only known at run time.
    acted = cast(Any, ActionEffects)[facts]
    plain = [each for each in get_args(AdministrativeEvent) if get_origin(each) is None]
    return msgspec.json.Decoder(
        cast(Any, FoldStep)[union((*plain, acted, *event_types_with_facts(facts)))]
    )


def prepare_decoders() -> None:
    """Have msgspec look into every type that there is. Call it before there is a second thread.

    It looks into a type when it is first decoded, and is not done at once: a thread that meanwhile
    decodes the same type kills the process. A service that starts under load does just that.
    """
    games = [*GAMES.values()]  # loaded before the types are listed: theirs are among them
    kinds: list[Any] = [Struct]
    for kind in kinds:
        kinds += kind.__subclasses__()
        with suppress(TypeError):  # some are never decoded, and could not be
            msgspec.json.Decoder(kind)
    event_decoder()
    _step_decoder()
    for game in games:
        match_decoder(game.slug)


def read_event(body: bytes | Raw) -> Event:
    """The event in these canonical bytes, brought up to the present shapes.

    Raises msgspec.ValidationError or DecodeError for bytes that are no event.
    """
    try:
        return event_decoder().decode(body)
    except msgspec.ValidationError:
        return event_decoder().decode(canonical_bytes(upcast(msgspec.json.decode(body))))


def read_army_event(body: bytes | Raw) -> army.Event:
    """The same for an event of a saved army."""
    try:
        return _ARMY.decode(body)
    except msgspec.ValidationError:
        return _ARMY.decode(canonical_bytes(upcast(msgspec.json.decode(body))))


_ARMY: Final[msgspec.json.Decoder[army.Event]] = msgspec.json.Decoder(army.Event)


def envelope(sealed: SealedEvent[Any]) -> bytes:
    """An event as it is stored and exported: its digest and its canonical bytes, as one line."""
    return b'{"digest":"%b","event":%b}' % (sealed.digest.encode(), sealed.body)


def read_envelope(line: bytes) -> SealedEvent[Event]:
    """The event in a line that `envelope` made.

    Raises msgspec.ValidationError or DecodeError for a line that holds no event.
    """
    found = _ENVELOPE.decode(line)
    return SealedEvent(read_event(found.event), found.digest, bytes(found.event))


def _read_army_envelope(line: bytes) -> SealedEvent[army.Event]:
    found = _ENVELOPE.decode(line)
    return SealedEvent(read_army_event(found.event), found.digest, bytes(found.event))


_ACCOUNTS: Final[dict[str, msgspec.json.Decoder[Any]]] = {
    FRONTEND: msgspec.json.Decoder(frontend.Event),
    PLAYER: msgspec.json.Decoder(player.Event),
}


def read_account_event(kind: str, body: bytes | Raw) -> frontend.Event | player.Event:
    """The event of a frontend or player in these canonical bytes. Raises as `read_event` does."""
    decoder = _ACCOUNTS[kind]
    try:
        found = decoder.decode(body)
    except msgspec.ValidationError:
        found = decoder.decode(canonical_bytes(upcast(msgspec.json.decode(body))))
    return cast("frontend.Event | player.Event", found)


def _read_account_envelope(kind: str, line: bytes) -> SealedEvent[Any]:
    found = _ENVELOPE.decode(line)
    return SealedEvent(read_account_event(kind, found.event), found.digest, bytes(found.event))


def read_table_envelope(line: bytes | Raw) -> SealedEvent[TableEvent]:
    """The same for an event of a table."""
    found = _ENVELOPE.decode(line)
    return SealedEvent(read_table_event(found.event), found.digest, bytes(found.event))


_TABLE_EVENTS: Final[msgspec.json.Decoder[TableEvent]] = msgspec.json.Decoder(TableEvent)


def read_table_event(body: bytes | Raw) -> TableEvent:
    """The event of a table in these canonical bytes. Raises as `read_event` does."""
    try:
        return _TABLE_EVENTS.decode(body)
    except msgspec.ValidationError:
        return _TABLE_EVENTS.decode(canonical_bytes(upcast(msgspec.json.decode(body))))


def _read_plan_envelope(line: bytes) -> SealedEvent[PlanEvent]:
    found = _ENVELOPE.decode(line)
    return SealedEvent(_read_plan_event(found.event), found.digest, bytes(found.event))


def _read_plan_event(body: Raw) -> PlanEvent:
    try:
        return _PLAN_EVENTS.decode(body)
    except msgspec.ValidationError:
        return _PLAN_EVENTS.decode(canonical_bytes(upcast(msgspec.json.decode(body))))


_PLAN_EVENTS: Final[msgspec.json.Decoder[PlanEvent]] = msgspec.json.Decoder(PlanEvent)


TAP: Final = "table.TapTaken"


class TapSummary(Struct, frozen=True, tag_field="type", tag=TAP):
    """A tap without what was tapped and what it selected: most events of a busy service are taps,
    and this is a third of the decoding."""

    table: UUID
    version: int
    at: datetime
    gateway: str
    seq: int
    outcome: TapOutcome
    stylus: str = ""

    @property
    def aggregate(self) -> UUID:
        """What it happened to."""
        return self.table


def _read_run_envelope(line: bytes) -> SealedEvent[RunBegun]:
    found = _ENVELOPE.decode(line)
    return SealedEvent(_RUNS.decode(found.event), found.digest, bytes(found.event))


_RUNS: Final[msgspec.json.Decoder[RunBegun]] = msgspec.json.Decoder(RunBegun)


MAX_RECENT_EVENTS: Final = 2048
"""Events that this process has stored, and that are at hand for who follows the log."""


class EventMapper(Mapper[UUID]):
    """Maps sealed events to stored ones and back, through the compressor and cipher if set.

    What it has stored lately it need not decode again: whoever reads the same bytes under the same
    topic is given the same event. That is who follows the log, once.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._lately: OrderedDict[bytes, tuple[str, SealedEvent[Any]]] = OrderedDict()

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The stored form of a `SealedEvent` event."""
        sealed = cast(
            "SealedEvent[Any]", domain_event
        )  # quoted, since it would be worked out each time
        state = envelope(sealed)
        if self.compressor:
            state = self.compressor.compress(state)
        if self.cipher:
            state = self.cipher.encrypt(state)
        topic = topic_of(type(sealed.event))
        self._lately[state] = topic, sealed
        if len(self._lately) > MAX_RECENT_EVENTS:  # nobody follows, or from far behind
            with suppress(KeyError):
                self._lately.popitem(last=False)
        return StoredEvent(sealed.originator_id, sealed.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> SealedEvent[Any]:
        """The `SealedEvent` event in a stored one; MapperDeserialisationError if it holds none."""
        topic, sealed = self._lately.pop(stored_event.state, _NONE)
        if topic == stored_event.topic:
            return cast("SealedEvent[Any]", sealed)
        kind = kind_of(stored_event)
        try:
            if kind not in KINDS:
                raise ValueError(f"there are no events such as {stored_event.topic!r}")
            line = self._opened(stored_event)
            if kind == TABLE:
                return read_table_envelope(line)
            if kind in _ACCOUNTS:
                return _read_account_envelope(kind, line)
            if kind == PLAN:
                return _read_plan_envelope(line)
            if kind == SERVICE:
                return _read_run_envelope(line)
            return _read_army_envelope(line) if kind == ARMY else read_envelope(line)
        except (msgspec.MsgspecError, ValueError) as error:
            raise MapperDeserialisationError(
                f"event {stored_event.originator_version} of {kind} {stored_event.originator_id} "
                f"cannot be read: {error}"
            ) from error

    def to_step(self, stored_event: StoredEvent) -> FoldInput:
        """As much of a stored event of a match as folding it needs. Raises as `to_domain_event`."""
        try:
            return _step_decoder().decode(self._opened(stored_event))
        except (msgspec.MsgspecError, ValueError):  # of an old shape, or none that can be read
            sealed: SealedEvent[Event] = self.to_domain_event(stored_event)
            return sealed

    def to_tap(
        self, stored_event: StoredEvent
    ) -> SealedEvent[TapTaken] | SealedEvent[TapSummary] | None:
        """A stored tap, or as much of it as tells of devices; None for any other event."""
        if stored_event.topic != TAP:
            return None
        topic, sealed = self._lately.pop(stored_event.state, _NONE)
        if topic == TAP:
            return cast("SealedEvent[TapTaken]", sealed)
        try:
            found = _ENVELOPE.decode(self._opened(stored_event))
            return SealedEvent(_TAP.decode(found.event), found.digest, bytes(found.event))
        except (msgspec.MsgspecError, ValueError):
            return None  # of an old shape, or no event at all

    def link(self, stored_event: StoredEvent) -> tuple[str, bytes]:
        """The digest of a stored event, and the bytes that it ought to be over; neither is
        believed. ValueError if it holds none."""
        found = _ENVELOPE.decode(self._opened(stored_event))
        return found.digest, bytes(found.event)

    def kind(self, stored_event: StoredEvent) -> str:
        """What an event happened to, even if its topic is none that anything has: then the event
        itself is asked, and one that cannot be read was most likely of a match."""
        if (kind := kind_of(stored_event)) in KINDS:
            return kind
        try:
            own = msgspec.json.decode(self.link(stored_event)[1], type=_TaggedEvent)
        except (msgspec.MsgspecError, ValueError):
            return MATCH
        kind = own.type.partition(".")[0]
        return kind if kind in KINDS else MATCH

    def leaf(self, stored_event: StoredEvent) -> bytes:
        """What stands for a stored event in the tree over the whole log: its digest, 32 bytes.

        For what is no event, a digest of its state: it too has its place in the log.
        """
        _, sealed = self._lately.get(stored_event.state, _NONE)
        if sealed is not None:
            return bytes.fromhex(sealed.digest)
        state = stored_event.state
        try:
            state = self._opened(stored_event)
            return bytes.fromhex(_ENVELOPE.decode(state).digest)
        except (msgspec.MsgspecError, ValueError):
            return sha256(state).digest()

    def _opened(self, stored_event: StoredEvent) -> bytes:
        state = stored_event.state
        if self.cipher:
            state = self.cipher.decrypt(state)
        if self.compressor:
            state = self.compressor.decompress(state)
        return state


_NONE: Final = ("", None)
_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)
_TAP: Final = msgspec.json.Decoder(TapSummary)
