"""Binds matches and armies to the `eventsourcing` library: how events and snapshots are stored.

A stored event's state is one line of JSON, `{"digest": ..., "event": {...}}`, where the event is
in its canonical bytes: those that the digest was made over. Its topic is the event's `type`.
This is the only module of `domain` that knows the event store.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final, cast, get_args, get_origin
from uuid import UUID

import msgspec
from eventsourcing.persistence import Mapper, MapperDeserialisationError, StoredEvent
from msgspec import Raw, Struct

from domain.army import army
from domain.log.digests import canonical, digest
from domain.match import (
    Affair,
    AnyMatch,
    Effects,
    Event,
    Folding,
    Match,
    Sealed,
    Step,
    replay,
)
from domain.match.recording import event_decoder, union, with_facts
from domain.registry import GAMES
from domain.table import Event as TableEvent
from domain.table import Table
from domain.table.events import Outcome

MATCH: Final = "match"
ARMY: Final = "army"
TABLE: Final = "table"
"""The first words of topics: what an event happened to."""
KINDS: Final = frozenset({MATCH, ARMY, TABLE})

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: Final[dict[str, Upcast]] = {}
"""From the tag of an old shape, of an event or a fact, to what makes the next newer one of it.

A stored event is never rewritten. Who changes a shape gives the new one a new tag, and adds here
how the old is read; a sample of the old stays in `tests/domain/stored_shapes` for ever.
"""


class _Envelope(Struct, frozen=True):
    digest: str
    event: Raw


class _Typed(Struct, frozen=True):
    type: str


@cache
def _step_decoder() -> msgspec.json.Decoder[Step[Any]]:
    """Decodes stored events of a match as folding needs them: a third of the work."""
    facts = union(game.facts for game in GAMES.values())
    # Types that are only known at run time.
    acted = cast(Any, Effects)[facts]
    plain = [each for each in get_args(Affair) if get_origin(each) is None]
    return msgspec.json.Decoder(cast(Any, Step)[union((*plain, acted, *with_facts(facts)))])


def prepare_decoders() -> None:
    """Have msgspec look into every type that there is. Call it before there is a second thread.

    It looks into a type when it is first decoded, and is not done at once: a thread that meanwhile
    decodes the same type kills the process. A service that starts under load does just that.
    """
    kinds: list[Any] = [Struct]
    for kind in kinds:
        kinds += kind.__subclasses__()
        with suppress(TypeError):  # some are never decoded, and could not be
            msgspec.json.Decoder(kind)
    event_decoder()
    _step_decoder()
    for game in GAMES:
        match_decoder(game)


def read_event(body: bytes | Raw) -> Event:
    """The event in these canonical bytes, brought up to the present shapes.

    Raises msgspec.ValidationError or DecodeError for bytes that are no event.
    """
    try:
        return event_decoder().decode(body)
    except msgspec.ValidationError:
        return event_decoder().decode(canonical(upcast(msgspec.json.decode(body))))


def read_army_event(body: bytes | Raw) -> army.Event:
    """The same for an event of a saved army."""
    try:
        return _ARMY.decode(body)
    except msgspec.ValidationError:
        return _ARMY.decode(canonical(upcast(msgspec.json.decode(body))))


_ARMY: Final[msgspec.json.Decoder[army.Event]] = msgspec.json.Decoder(army.Event)


def kind_of(stored_event: StoredEvent) -> str:
    """What an event happened to: `match`, `army`, `table`."""
    return str(stored_event.topic).partition(".")[0]


def envelope(sealed: Sealed[Any]) -> bytes:
    """An event as it is stored and exported: its digest and its canonical bytes, as one line."""
    return b'{"digest":"%b","event":%b}' % (sealed.digest.encode(), sealed.body)


def read_envelope(line: bytes) -> Sealed[Event]:
    """The event in a line that `envelope` made.

    Raises msgspec.ValidationError or DecodeError for a line that holds no event.
    """
    found = _ENVELOPE.decode(line)
    return Sealed(read_event(found.event), found.digest, bytes(found.event))


def _read_army_envelope(line: bytes) -> Sealed[army.Event]:
    found = _ENVELOPE.decode(line)
    return Sealed(read_army_event(found.event), found.digest, bytes(found.event))


def read_table_envelope(line: bytes | Raw) -> Sealed[TableEvent]:
    """The same for an event of a table."""
    found = _ENVELOPE.decode(line)
    return Sealed(read_table_event(found.event), found.digest, bytes(found.event))


def upcast(value: Any) -> Any:
    """What stands in a stored event, as JSON has it, in the present shapes."""
    if isinstance(value, list):
        return [upcast(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {name: upcast(item) for name, item in value.items()}
    while (newer := UPCASTS.get(str(value.get("type", "")))) is not None:
        value = newer(value)
    return value


_TABLE_EVENTS: Final[msgspec.json.Decoder[TableEvent]] = msgspec.json.Decoder(TableEvent)


def read_table_event(body: bytes | Raw) -> TableEvent:
    """The event of a table in these canonical bytes. Raises as `read_event` does."""
    try:
        return _TABLE_EVENTS.decode(body)
    except msgspec.ValidationError:
        return _TABLE_EVENTS.decode(canonical(upcast(msgspec.json.decode(body))))


TAP: Final = "table.TapTaken"


class TapNoted(Struct, frozen=True, tag_field="type", tag=TAP):
    """A tap without what was tapped and what it selected: most events of a busy service are taps,
    and this is a third of the decoding."""

    table: UUID
    version: int
    at: datetime
    gateway: str
    seq: int
    outcome: Outcome
    stylus: str = ""

    @property
    def aggregate(self) -> UUID:
        """What it happened to."""
        return self.table


class MatchMapper(Mapper[UUID]):
    """Maps sealed events to stored ones and back, through the compressor and cipher if set."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        """The stored form of a `Sealed` event."""
        sealed = cast(Sealed[Any], domain_event)
        state = envelope(sealed)
        if self.compressor:
            state = self.compressor.compress(state)
        if self.cipher:
            state = self.cipher.encrypt(state)
        topic = cast(str, type(sealed.event).__struct_config__.tag)
        return StoredEvent(sealed.originator_id, sealed.originator_version, topic, state)

    def to_domain_event(self, stored_event: StoredEvent) -> Sealed[Any]:
        """The `Sealed` event in a stored one; MapperDeserialisationError if it holds none."""
        kind = kind_of(stored_event)
        try:
            if kind not in KINDS:
                raise ValueError(f"there are no events such as {stored_event.topic!r}")
            line = self._opened(stored_event)
            if kind == TABLE:
                return read_table_envelope(line)
            return _read_army_envelope(line) if kind == ARMY else read_envelope(line)
        except (msgspec.MsgspecError, ValueError) as error:
            raise MapperDeserialisationError(
                f"event {stored_event.originator_version} of {kind} {stored_event.originator_id} "
                f"cannot be read: {error}"
            ) from error

    def to_step(self, stored_event: StoredEvent) -> Folding:
        """As much of a stored event of a match as folding it needs. Raises as `to_domain_event`."""
        try:
            return _step_decoder().decode(self._opened(stored_event))
        except msgspec.MsgspecError:  # of an old shape, or no event of a match at all
            sealed: Sealed[Event] = self.to_domain_event(stored_event)
            return sealed

    def to_tap(self, stored_event: StoredEvent) -> Sealed[TapNoted] | None:
        """As much of a stored tap as tells of devices; None for any other event."""
        if stored_event.topic != TAP:
            return None
        try:
            found = _ENVELOPE.decode(self._opened(stored_event))
            return Sealed(_TAP.decode(found.event), found.digest, bytes(found.event))
        except msgspec.MsgspecError:
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
            own = msgspec.json.decode(self.link(stored_event)[1], type=_Typed)
        except (msgspec.MsgspecError, ValueError):
            return MATCH
        kind = own.type.partition(".")[0]
        return kind if kind in KINDS else MATCH

    def leaf(self, stored_event: StoredEvent) -> bytes:
        """What stands for a stored event in the tree over the whole log: its digest, 32 bytes.

        For what is no event, a digest of its state: it too has its place in the log.
        """
        state = self._opened(stored_event)
        try:
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


_ENVELOPE: Final = msgspec.json.Decoder(_Envelope)
_TAP: Final = msgspec.json.Decoder(TapNoted)


def project(match: AnyMatch | None, events: Iterable[Folding]) -> AnyMatch | None:
    """The match after these events; the projector function that the library's repository wants."""
    return replay(match, events)


# --- snapshots -----------------------------------------------------------------------------------

SNAPSHOT_TOPIC: Final = "match.Snapshot"
FOLD: Final = 2
"""Raise it when `evolve` of any game gives another state from the same facts: snapshots of the
older fold are then dropped and made anew."""


Requests = dict[str, int]
"""The version of the event that each request made, by request: repeating one records nothing."""


class _Head(Struct, frozen=True):
    shape: str
    game: str


class _Snapshot(Struct, frozen=True):
    shape: str
    game: str
    match: Raw
    requests: Raw
    digest: str = ""
    """Of the bytes of both: nothing else vouches for a snapshot. Older ones have none."""


@cache
def _match_type(game: str) -> Any:
    return cast(Any, Match)[GAMES[game].options, GAMES[game].state]


@cache
def match_decoder(game: str) -> msgspec.json.Decoder[AnyMatch]:
    """Decodes a match of this game, as it stands: what snapshots and read models keep as JSON."""
    return msgspec.json.Decoder(_match_type(game))


@cache
def shape(game: str) -> str:
    """A fingerprint of how a match of this game is snapshotted: it changes with the types."""
    schema = msgspec.json.schema(_match_type(game))
    return digest(canonical([FOLD, schema]))[:16]


def take_snapshot(match: AnyMatch, requests: Requests) -> StoredEvent:
    """The stored form of a match as it stands."""
    body, asked = canonical(match), canonical(requests)
    taken = _Snapshot(
        shape=shape(match.game),
        game=match.game,
        match=Raw(body),
        requests=Raw(asked),
        digest=digest(body + asked),
    )
    return StoredEvent(match.id, match.version, SNAPSHOT_TOPIC, canonical(taken))


def read_snapshot(stored: StoredEvent) -> tuple[AnyMatch, Requests] | None:
    """What a snapshot holds; None for one of another shape, or that is not as it was taken: the
    events tell the same, and it is made anew."""
    try:
        head = msgspec.json.decode(stored.state, type=_Head)
        if head.game not in GAMES or head.shape != shape(head.game):
            return None
        taken = msgspec.json.decode(stored.state, type=_Snapshot)
        if taken.digest != digest(bytes(taken.match) + bytes(taken.requests)):
            return None
        match = match_decoder(head.game).decode(taken.match)
        return match, msgspec.json.decode(taken.requests, type=Requests)
    except (msgspec.MsgspecError, ValueError):
        return None


TABLE_SNAPSHOT_TOPIC: Final = "table.Snapshot"
TABLE_FOLD: Final = 1
"""Raise it when `evolve` of the Table gives another state from the same events."""


class _TableSnapshot(Struct, frozen=True):
    shape: str
    table: Raw
    digest: str = ""


@cache
def table_shape() -> str:
    """A fingerprint of how a table is snapshotted: it changes with the types."""
    return digest(canonical([TABLE_FOLD, msgspec.json.schema(Table)]))[:16]


def take_table_snapshot(table: Table) -> StoredEvent:
    """The stored form of a table as it stands."""
    body = canonical(table)
    taken = _TableSnapshot(table_shape(), Raw(body), digest(body))
    return StoredEvent(table.id, table.version, TABLE_SNAPSHOT_TOPIC, canonical(taken))


def read_table_snapshot(stored: StoredEvent) -> Table | None:
    """What a snapshot holds; None as for `read_snapshot`."""
    try:
        taken = msgspec.json.decode(stored.state, type=_TableSnapshot)
        if taken.shape != table_shape() or taken.digest != digest(bytes(taken.table)):
            return None
        return msgspec.json.decode(taken.table, type=Table)
    except (msgspec.MsgspecError, ValueError):
        return None
