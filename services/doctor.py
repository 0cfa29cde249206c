"""Looks a service's folder over, whether the service runs or not: what is wrong, and what to do.

Nothing is written. The log is read as it stands; one in PostgreSQL is that server's to look after.
"""

import platform
import shlex
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from pathlib import Path
from random import SystemRandom
from typing import Final, Literal
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from msgspec import Struct

from domain.aggregates.mapper import EventMapper
from domain.aggregates.topics import kind_of
from domain.service import runs
from projections.following import schema
from services import keys
from services.files import OTHERS, open_to_others
from services.settings import Settings
from services.store.beside import Table, rows_of
from services.store.chain import Stretch, checked
from services.store.cipher_keys import HEAD, MARK, SETTING, VARIABLE, CipherKeys, key_id
from services.store.errors import RecordDamaged
from services.store.log import FILE
from services.store.person_rows import damaged_players
from services.store.player_keys import PlayerKeys
from services.store.sqlite.beside import FILES, BesideReader
from services.store.sqlite.read_only import open_read_only

LEAST_FREE: Final = 1 << 30
"""Bytes that ought to be free on the disk of the log."""
LARGE_AHEAD: Final = 64 << 20
"""Bytes of a write-ahead log that was not taken in for long."""
PEOPLE: Final = FILES["people"]
PLAYER_KEYS: Final = FILES["player_keys"]
MOST_NAMED: Final = 4
"""Files that one sign names."""
SAMPLE: Final = 200
"""Matches, armies and tables whose chains are checked, unless all are."""
SKEW: Final = timedelta(seconds=5)
KEYS: Final = {"secret.key": "secret", "signing.key": "signing_key", "admin.key": "admin_key"}
"""The files of keys, and the settings that stand for them."""

Weight = Literal["fine", "note", "bad"]


class Sign(Struct, frozen=True):
    """What was found of one thing."""

    weight: Weight
    about: str
    """What was looked at."""
    what: str
    """What was found."""
    remedy: str = ""
    """What to do; empty if nothing is to be done."""


def examine(settings: Settings, *, whole: bool = False) -> Iterator[Sign]:
    """All signs of a folder, one after another. With `whole` every chain is checked, not a sample,
    and every page of the log: that takes about ten seconds for a million events."""
    folder = settings.folder
    yield _versions()
    if not folder.is_dir():
        yield Sign("bad", "folder", f"{folder} is not there", "name another with --data")
        return
    yield _mode("folder", folder, OTHERS)
    yield _modes(settings)
    yield _space(folder)
    for name in KEYS:
        yield from _key(settings, folder / name)
    if settings.store:
        yield Sign("note", "log", "it lies in PostgreSQL", "look after it there: see operations.md")
    elif not (folder / FILE).is_file():
        why = (
            "beside keys: put it back"
            if (folder / next(iter(KEYS))).exists()
            else "a service makes one"
        )
        yield Sign("bad", "log", f"there is no {FILE}", why)
    else:
        yield from _opened(settings, folder, whole=whole)


def _opened(settings: Settings, folder: Path, *, whole: bool) -> Iterator[Sign]:
    try:
        cipher = CipherKeys({VARIABLE: settings.cipher_keys})
    except keys.BadKeyError as error:
        yield Sign("bad", "encryption", str(error), "give the file of keys that the service has")
        return
    mapper = EventMapper(JSONTranscoder(), cipher=cipher)
    can_read = True
    for sign in _guarded(lambda: _encryption(settings, folder, cipher)):
        can_read &= sign.weight != "bad"
        yield sign
    if can_read:
        yield from _guarded(lambda: _log(folder, mapper, whole=whole))
        yield from _guarded(lambda: _secrets(settings, folder, mapper))
    yield from _guarded(lambda: _players(folder, cipher))
    yield from _guarded(lambda: _reads(settings, folder))


def _encryption(settings: Settings, folder: Path, cipher: CipherKeys) -> Iterator[Sign]:
    """Under which keys the events are, and whether all of them are at hand."""
    with closing(open_read_only(folder / FILE)) as connection:
        counts: dict[str, int] = {}
        found = connection.execute(
            "SELECT substr(state, 1, ?), count(*) FROM stored_events GROUP BY 1", (HEAD,)
        )
        for head, count in found:
            raw = head if isinstance(head, bytes) else head.encode()
            counts[key_id(raw)] = counts.get(key_id(raw), 0) + count
    clear, total = counts.pop("", 0), sum(counts.values())
    for key in sorted(counts):
        if cipher.missing((MARK + bytes.fromhex(key),)):
            what = f"{counts[key]} events are encrypted under the key {key}, which is not given"
            yield Sign("bad", "encryption", what, f"put it into the file of {SETTING}_FILE")
    if cipher.encrypts and clear:
        what = f"{clear} of {clear + total} events are in clear, from before it began"
        yield Sign("note", "encryption", what, "emeth move-log copies the log and encrypts all")
    elif cipher.encrypts:
        yield Sign("fine", "encryption", f"all {total} events are encrypted")
    elif not cipher:
        told = "the log is not encrypted" if not total else f"{total} events are encrypted"
        yield Sign("fine", "encryption", told)
    for name, setting in KEYS.items():
        if cipher.encrypts and not getattr(settings, setting) and (folder / name).exists():
            remedy = f"give it as EMETH_{setting.upper()}_FILE, from where those of the log are"
            yield Sign("note", "encryption", f"{name} lies in clear beside the log", remedy)
    old = folder / "reads"
    if cipher.encrypts and settings.reads_folder != old and old.exists():
        what = f"read models in clear are left in {old}"
        yield Sign("note", "encryption", what, f"remove {old}: the service uses others")


def _guarded(look: Callable[[], Iterator[Sign]]) -> Iterator[Sign]:
    try:
        yield from look()
    except sqlite3.Error as error:
        yield Sign("bad", "log", f"SQLite says: {error}", "restore a backup: emeth restore-backup")


def _versions() -> Sign:
    found = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return Sign("fine", "versions", found)


def _mode(about: str, path: Path, others: int) -> Sign:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & others:
        letters = stat.filemode(path.stat().st_mode)
        what = f"other users may use {path} ({letters})"
        return Sign("bad", about, what, f"chmod {mode & ~others:o} {path}")
    return Sign("fine", about, f"{path} is its owner's alone")


def _modes(settings: Settings) -> Sign:
    """Which files of the service others may use. Those of keys have signs of their own."""
    found = [
        path
        for path in open_to_others(settings.folder, settings.reads_folder)
        if path.name not in KEYS
    ]
    if not found:
        return Sign("fine", "files", "all files of the service are their owner's alone")
    named = ", ".join(map(str, found[:MOST_NAMED]))
    more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    remedy = f"chmod -R go= {shlex.join(sorted({str(path.parent) for path in found}))}"
    return Sign("bad", "files", f"other users may use {named}{more}", remedy)


def _space(folder: Path) -> Sign:
    free = shutil.disk_usage(folder).free
    told = f"{free / (1 << 30):.1f} GiB are free"
    if free < LEAST_FREE:
        return Sign("bad", "disk", told, "make room: on a full disk nothing can be recorded")
    return Sign("fine", "disk", told)


def _key(settings: Settings, path: Path) -> Iterator[Sign]:
    if getattr(settings, KEYS[path.name]):
        yield Sign("fine", path.name, "a setting gives it")
        return
    if not path.exists():
        yield Sign("note", path.name, "there is none", "the next start makes one")
        return
    try:
        keys.key_file(path)
    except keys.BadKeyError as error:
        yield Sign("bad", path.name, str(error), "put back the one from a backup")
        return
    yield _mode(path.name, path, OTHERS)


def _log(folder: Path, mapper: EventMapper, *, whole: bool) -> Iterator[Sign]:
    path = folder / FILE
    ahead = path.with_name(f"{FILE}-wal")
    size = ahead.stat().st_size if ahead.exists() else 0
    if size > LARGE_AHEAD:
        what = f"{ahead.name} has {size >> 20} MiB"
        yield Sign("note", "log", what, "somebody has read the log for long: restart the service")
    with closing(open_read_only(path)) as connection:
        if whole:
            (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                yield Sign("bad", "log", f"a page is damaged: {sound}", "restore a backup")
                return
        count, last = connection.execute(
            "SELECT count(*), coalesce(max(rowid), 0) FROM stored_events"
        ).fetchone()
        if count != last:
            yield Sign("bad", "log", f"{last - count} of {last} events are missing", "restore")
        yield Sign("fine", "log", f"{count} events in {path}")
        yield from _chains(connection, mapper, whole=whole)
        yield from _clock(connection, mapper)


def _chains(connection: sqlite3.Connection, mapper: EventMapper, *, whole: bool) -> Iterator[Sign]:
    names = [
        name for (name,) in connection.execute("SELECT DISTINCT originator_id FROM stored_events")
    ]
    chosen = names if whole or len(names) <= SAMPLE else SystemRandom().sample(names, SAMPLE)
    link, damaged = mapper.link, 0
    for name in chosen:
        rows = _rows(connection, name)
        first = next(rows)
        stretch = Stretch(kind_of(first), UUID(name))
        try:
            for _ in checked(stretch, chain((first,), rows), link):
                pass
        except RecordDamaged as error:
            damaged += 1
            remedy = "see operations.md, What is checked on the disk"
            yield Sign("bad", "chain", str(error), remedy)
    sound = f"{len(chosen) - damaged} of {len(chosen)} chains are whole"
    if len(chosen) < len(names):
        sound += f" (a sample; --whole checks all {len(names)})"
    yield Sign("fine" if not damaged else "note", "chain", sound)


def _rows(connection: sqlite3.Connection, name: str) -> Iterator[StoredEvent]:
    found = connection.execute(
        "SELECT originator_version, topic, state FROM stored_events WHERE originator_id = ?"
        " ORDER BY originator_version",
        (name,),
    )
    for version, topic, state in found:
        yield _stored(name, version, topic, state)


def _stored(name: str, version: int, topic: str, state: bytes | str) -> StoredEvent:
    # Who edits a row by hand makes text of it, which the chain shows.
    raw = state if isinstance(state, bytes) else state.encode()
    return StoredEvent(UUID(name), version, topic, raw)


class _Begun(Struct):
    secret: str


def _secrets(settings: Settings, folder: Path, mapper: EventMapper) -> Iterator[Sign]:
    """Which secrets the log was written with, by what each start has said."""
    told = list[str]()
    with closing(open_read_only(folder / FILE)) as connection:
        for row in _rows(connection, runs.SERVICE.hex):
            try:
                told.append(msgspec.json.decode(mapper.link(row)[1], type=_Begun).secret)
            except (msgspec.MsgspecError, ValueError):
                return  # the chain tells
    changes = sum(one != other for one, other in pairwise(told))
    if changes:
        what = f"it was changed {changes} times in {len(told)} starts"
        remedy = "matches with draws by an earlier one can draw no more: see chance.md"
        yield Sign("note", "secret", what, remedy)
    try:
        path = folder / "secret.key"
        own = keys.key(settings.secret, "EMETH_SECRET", path) if _given(settings, path) else None
    except keys.BadKeyError:
        return  # told of the key itself
    if own and told and keys.fingerprint(own) != told[-1]:
        what = "it is not the one that the service went by when it started last"
        yield Sign("bad", "secret", what, "put that one back: no match with draws can go on")
    elif own and told:
        yield Sign("fine", "secret", "it is the one that the service went by last")


def _given(settings: Settings, path: Path) -> bool:
    return bool(settings.secret) or path.exists()


class _Timed(Struct):
    at: datetime


def _clock(connection: sqlite3.Connection, mapper: EventMapper) -> Iterator[Sign]:
    row = connection.execute(
        "SELECT originator_id, originator_version, topic, state FROM stored_events"
        " ORDER BY rowid DESC LIMIT 1"
    ).fetchone()
    if row is None:
        return
    try:
        _, body = mapper.link(_stored(*row))
        last = msgspec.json.decode(body, type=_Timed)
    except (msgspec.MsgspecError, ValueError):
        return  # the chain tells
    behind = last.at - datetime.now(UTC)
    if behind > SKEW:
        what = f"this machine's clock is {behind} behind the last event"
        yield Sign("bad", "clock", what, "set it: the times of events must not run backwards")
    else:
        yield Sign(
            "fine", "clock", f"the last event was recorded at {last.at:%Y-%m-%d %H:%M:%S} UTC"
        )


def _players(folder: Path, cipher: CipherKeys) -> Iterator[Sign]:
    """Whether the rows of players, and their keys, are as they were written."""
    if not (folder / PEOPLE).exists():
        return
    tables: tuple[Table, ...] = "people", "player_keys"
    with closing(BesideReader(folder)) as beside:
        rows = list(rows_of(beside, "people"))
        damaged = damaged_players(rows, PlayerKeys(beside, cipher))
        for table in tables:
            for (fault,) in beside.ask(table, "PRAGMA integrity_check(1)"):
                damaged += [str(fault).splitlines()[-1]] if fault != "ok" else []
    if damaged:
        what = f"what is kept of players is damaged: {', '.join(damaged[:10])}"
        yield Sign("bad", "players", what, f"put back {PEOPLE} or {PLAYER_KEYS} of a backup")
    else:
        yield Sign("fine", "players", f"the rows of {len(rows)} players are whole")


def _reads(settings: Settings, folder: Path) -> Iterator[Sign]:
    files = sorted(settings.reads_folder.glob("reads-*.sqlite"))
    if not files:
        yield Sign("note", "read models", "there are none", "the next start makes them")
        return
    with closing(open_read_only(folder / FILE)) as log:
        (has,) = log.execute("SELECT coalesce(max(rowid), 0) FROM stored_events").fetchone()
    try:
        with closing(open_read_only(files[-1])) as reads:
            if damage := schema.damage(reads):
                yield _damaged(files[-1], damage)
                return
            (had,) = reads.execute("SELECT leaves FROM tracking").fetchone()
    except sqlite3.DatabaseError as error:
        yield _damaged(files[-1], str(error))
        return
    if had > has:
        what = f"they know of {had} events, and the log has {has}"
        remedy = "put the right log back; if this one is meant, remove reads/"
        yield Sign("bad", "read models", what, remedy)
    else:
        yield Sign("fine", "read models", f"they have {had} of {has} events")


def _damaged(path: Path, damage: str) -> Sign:
    remedy = "restart the service: it makes them anew from the log; then check the disk"
    return Sign("bad", "read models", f"{path.name} is damaged: {damage}", remedy)
