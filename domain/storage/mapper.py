"""The mapper between sealed events and the stored events of `eventsourcing`.

The state of a stored event is one line of JSON, `{"digest": ..., "event": {...}}`. The event is in
canonical bytes, over which the digest was made. The topic is the event's `type`.
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
    """Return a decoder for the fields of match events that folding needs, three times as fast."""
    facts = union(game.facts for game in GAMES.values())
    # These types are known at run time only.
    acted = cast(Any, ActionEffects)[facts]
    plain = [each for each in get_args(AdministrativeEvent) if get_origin(each) is None]
    return msgspec.json.Decoder(
        cast(Any, FoldStep)[union((*plain, acted, *event_types_with_facts(facts)))]
    )


def prepare_decoders() -> None:
    """Build the msgspec decoders of all types. Call this before a second thread starts.

    msgspec inspects a type when it is first decoded, which is not atomic. A second thread that
    decodes the same type meanwhile crashes the process.
    """
    games = [*GAMES.values()]  # loads all games, which adds their types to the subclasses below
    kinds: list[Any] = [Struct]
    for kind in kinds:
        kinds += kind.__subclasses__()
        with suppress(TypeError):  # a few types cannot be decoded, and never are
            msgspec.json.Decoder(kind)
    event_decoder()
    _step_decoder()
    for game in games:
        match_decoder(game.slug)


def read_event(body: bytes | Raw) -> Event:
    """Return the match event in these canonical bytes, upcast to the current shapes.

    Raises msgspec.ValidationError or DecodeError if the bytes hold no event.
    """
    try:
        return event_decoder().decode(body)
    except msgspec.ValidationError:
        return event_decoder().decode(canonical_bytes(upcast(msgspec.json.decode(body))))


def read_army_event(body: bytes | Raw) -> army.Event:
    """Return the army event in these canonical bytes. Raises as `read_event` does."""
    try:
        return _ARMY.decode(body)
    except msgspec.ValidationError:
        return _ARMY.decode(canonical_bytes(upcast(msgspec.json.decode(body))))


_ARMY: Final[msgspec.json.Decoder[army.Event]] = msgspec.json.Decoder(army.Event)


def envelope(sealed: SealedEvent[Any]) -> bytes:
    """Return the line that is stored and exported for an event: its digest and canonical bytes."""
    return b'{"digest":"%b","event":%b}' % (sealed.digest.encode(), sealed.body)


def read_envelope(line: bytes) -> SealedEvent[Event]:
    """Return the match event in a line that `envelope` made.

    Raises msgspec.ValidationError or DecodeError if the line holds no event.
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
    """Return the frontend or player event in these canonical bytes. Raises as `read_event` does."""
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
    """Return the table event in a line that `envelope` made. Raises as `read_envelope` does."""
    found = _ENVELOPE.decode(line)
    return SealedEvent(read_table_event(found.event), found.digest, bytes(found.event))


_TABLE_EVENTS: Final[msgspec.json.Decoder[TableEvent]] = msgspec.json.Decoder(TableEvent)


def read_table_event(body: bytes | Raw) -> TableEvent:
    """Return the table event in these canonical bytes. Raises as `read_event` does."""
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
    """A tap without its code, target and selection.

    Most events of a busy service are taps. Decoding a summary takes a third of the time.
    """

    table: UUID
    version: int
    at: datetime
    gateway: str
    seq: int
    outcome: TapOutcome
    stylus: str = ""

    @property
    def aggregate(self) -> UUID:
        """Return the table's ID, as `TapTaken.aggregate` does."""
        return self.table


def _read_run_envelope(line: bytes) -> SealedEvent[RunBegun]:
    found = _ENVELOPE.decode(line)
    return SealedEvent(_RUNS.decode(found.event), found.digest, bytes(found.event))


_RUNS: Final[msgspec.json.Decoder[RunBegun]] = msgspec.json.Decoder(RunBegun)


MAX_RECENT_EVENTS: Final = 2048
"""The number of recently stored events that stay decoded for the subscribers of the log."""


class EventMapper(Mapper[UUID]):
    """A mapper that also compresses and encrypts, if a compressor or cipher is set.

    Recently stored events stay in memory. The first read of their bytes returns them without
    decoding.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._recent: OrderedDict[bytes, tuple[str, SealedEvent[Any]]] = OrderedDict()

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """Return the stored form of a `SealedEvent`."""
        sealed = cast("SealedEvent[Any]", domain_event)  # quoted: evaluating it takes time
        state = envelope(sealed)
        if self.compressor:
            state = self.compressor.compress(state)
        if self.cipher:
            state = self.cipher.encrypt(state)
        topic = topic_of(type(sealed.event))
        self._recent[state] = topic, sealed
        if len(self._recent) > MAX_RECENT_EVENTS:  # there is no subscriber, or it is far behind
            with suppress(KeyError):
                self._recent.popitem(last=False)
        return StoredEvent(sealed.originator_id, sealed.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> SealedEvent[Any]:
        """Return the `SealedEvent` in a stored event.

        Raises MapperDeserialisationError if the state holds no event, or none of a known topic.
        """
        topic, sealed = self._recent.pop(stored_event.state, _NONE)
        if topic == stored_event.topic:
            return cast("SealedEvent[Any]", sealed)
        kind = kind_of(stored_event)
        try:
            if kind not in KINDS:
                raise ValueError(f"unknown topic {stored_event.topic!r}")
            line = self._decoded_state(stored_event)
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
        """Return what folding needs of a stored match event. Raises as `to_domain_event` does."""
        try:
            return _step_decoder().decode(self._decoded_state(stored_event))
        except (msgspec.MsgspecError, ValueError):  # an old shape, or not an event
            sealed: SealedEvent[Event] = self.to_domain_event(stored_event)
            return sealed

    def to_tap(
        self, stored_event: StoredEvent
    ) -> SealedEvent[TapTaken] | SealedEvent[TapSummary] | None:
        """Return a stored tap or its summary; None if the event is no tap or cannot be decoded."""
        if stored_event.topic != TAP:
            return None
        topic, sealed = self._recent.pop(stored_event.state, _NONE)
        if topic == TAP:
            return cast("SealedEvent[TapTaken]", sealed)
        try:
            found = _ENVELOPE.decode(self._decoded_state(stored_event))
            return SealedEvent(_TAP.decode(found.event), found.digest, bytes(found.event))
        except (msgspec.MsgspecError, ValueError):
            return None  # an old shape, or not an event

    def link(self, stored_event: StoredEvent) -> tuple[str, bytes]:
        """Return the digest and the bytes in a stored event, without checking either.

        Raises ValueError if the state holds no event.
        """
        found = _ENVELOPE.decode(self._decoded_state(stored_event))
        return found.digest, bytes(found.event)

    def kind(self, stored_event: StoredEvent) -> str:
        """Return the kind of aggregate a stored event belongs to, even if its topic is unknown.

        An unknown topic is ignored in favor of the event's own `type`. An event that cannot be
        decoded counts as one of a match.
        """
        if (kind := kind_of(stored_event)) in KINDS:
            return kind
        try:
            own = msgspec.json.decode(self.link(stored_event)[1], type=_TaggedEvent)
        except (msgspec.MsgspecError, ValueError):
            return MATCH
        kind = own.type.partition(".")[0]
        return kind if kind in KINDS else MATCH

    def leaf(self, stored_event: StoredEvent) -> bytes:
        """Return the leaf of a stored event in the Merkle tree over the log: its digest, 32 bytes.

        If the state holds no event, the leaf is the SHA-256 of the state.
        """
        _, sealed = self._recent.get(stored_event.state, _NONE)
        if sealed is not None:
            return bytes.fromhex(sealed.digest)
        state = stored_event.state
        try:
            state = self._decoded_state(stored_event)
            return bytes.fromhex(_ENVELOPE.decode(state).digest)
        except (msgspec.MsgspecError, ValueError):
            return sha256(state).digest()

    def _decoded_state(self, stored_event: StoredEvent) -> bytes:
        state = stored_event.state
        if self.cipher:
            state = self.cipher.decrypt(state)
        if self.compressor:
            state = self.compressor.decompress(state)
        return state


_NONE: Final = ("", None)
_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)
_TAP: Final = msgspec.json.Decoder(TapSummary)
