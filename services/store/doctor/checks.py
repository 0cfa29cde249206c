"""Health checks of a service's folder and log, whether the service runs or not.

Each check reports what is wrong and what to do. Nothing is written. The log is read as it is, in a
file or in PostgreSQL.
"""

import platform
import shlex
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from pathlib import Path
from random import SystemRandom
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder
from msgspec import Struct

from domain import runs
from domain.storage.mapper import EventMapper
from domain.storage.topics import kind_of
from projections.projector import schema
from services.runtime import keys
from services.runtime.files import GROUP_AND_OTHERS, files_open_to_others
from services.runtime.settings import Settings
from services.store.chain import EventRange, verify_rows
from services.store.cipher_keys import MARK, SETTING, VARIABLE, CipherKeys, key_id
from services.store.doctor.report import FileRows, HealthCheck, LogRows
from services.store.doctor.tree import check_tree
from services.store.errors import RecordDamaged
from services.store.log import FILE
from services.store.player_keys import PlayerKeys
from services.store.profile_rows import damaged_players
from services.store.side_store import Table, Tables, rows_of
from services.store.sqlite.read_only import open_read_only
from services.store.sqlite.side_store import FILES, ReadOnlySideStore

MIN_FREE_BYTES: Final = 1 << 30
"""Bytes that should be free on the disk of the log."""
LARGE_WAL_BYTES: Final = 64 << 20
"""Size in bytes from which a write-ahead log counts as not checkpointed for long."""
PEOPLE: Final = FILES["people"]
PLAYER_KEYS: Final = FILES["player_keys"]
MAX_NAMED_FILES: Final = 4
"""Maximum number of files that one health check names."""
SAMPLE_SIZE: Final = 200
"""Number of aggregates whose chains are verified, unless all are."""
MAX_CLOCK_SKEW: Final = timedelta(seconds=5)
KEYS: Final = {"secret.key": "secret", "signing.key": "signing_key", "admin.key": "admin_key"}
"""Files of keys, and the settings that replace them."""


def run_checks(settings: Settings, *, whole: bool = False) -> Iterator[HealthCheck]:
    """Yield all health checks of a folder.

    Args:
        settings: The settings of the service.
        whole: Whether to verify all chains, not a sample, and every page of the log. That takes
            about
            ten seconds for a million events.
    """
    folder = settings.folder
    yield _versions()
    if not folder.is_dir():
        yield HealthCheck("bad", "folder", f"{folder} is not there", "name another with --data")
        return
    yield _mode("folder", folder, GROUP_AND_OTHERS)
    yield _modes(settings)
    yield _space(folder)
    for name in KEYS:
        yield from _key(settings, folder / name)
    try:
        cipher = CipherKeys({VARIABLE: settings.cipher_keys})
    except keys.BadKeyError as error:
        yield HealthCheck(
            "bad", "encryption", str(error), "give the file of keys that the service has"
        )
        return
    if settings.store:
        yield from _database(settings, folder, cipher, whole=whole)
    elif not (folder / FILE).is_file():
        why = (
            "beside keys: put it back"
            if (folder / next(iter(KEYS))).exists()
            else "a service makes one"
        )
        yield HealthCheck("bad", "log", f"there is no {FILE}", why)
    else:
        yield from _file(settings, folder, cipher, whole=whole)


def _file(
    settings: Settings, folder: Path, cipher: CipherKeys, *, whole: bool
) -> Iterator[HealthCheck]:
    """Check a log in an SQLite file, and the side store."""

    def check() -> Iterator[HealthCheck]:
        with closing(open_read_only(folder / FILE)) as connection:
            yield from _pages(folder / FILE, connection, whole=whole)
            rows, name = FileRows(connection), str(folder / FILE)
            yield from _log(settings, folder, rows, cipher, name, whole=whole)

    yield from _guarded("log", "restore a backup: emeth restore-backup", check)
    remedy = f"put back {PEOPLE} or {PLAYER_KEYS} of a backup"
    yield from _guarded("players", remedy, lambda: _players_in(folder, cipher))


def _database(
    settings: Settings, folder: Path, cipher: CipherKeys, *, whole: bool
) -> Iterator[HealthCheck]:
    """Check a log in PostgreSQL, and the side store."""
    from services.store.doctor import database  # loads the driver of the database

    try:
        with database.open_rows(settings.store) as (name, rows):
            yield from database.check_server(name, rows)
            if not rows.has_tables(name):
                yield HealthCheck(
                    "note", "database", "it has no tables", "the next start makes them"
                )
                return
            yield from _log(settings, folder, rows, cipher, name, whole=whole)
            yield from database.check_leases(rows)
            yield from _players(rows, cipher, "the tables people and player_keys")
    except database.FAULTS as error:
        yield HealthCheck("bad", "database", *database.explain_fault(error))


def _log(
    settings: Settings,
    folder: Path,
    log: LogRows,
    cipher: CipherKeys,
    name: str,
    *,
    whole: bool,
) -> Iterator[HealthCheck]:
    """Check the events: encryption, number, chains, times and secrets; then the read models."""
    mapper, can_read = EventMapper(JSONTranscoder(), cipher=cipher), True
    for sign in _encryption(settings, folder, cipher, log.heads()):
        can_read &= sign.weight != "bad"
        yield sign
    count, last = log.size()
    if can_read:
        if count != last:
            yield HealthCheck(
                "bad", "log", f"{last - count} of {last} events are missing", "restore"
            )
        yield HealthCheck("fine", "log", f"{count} events in {name}")
        yield from _chains(log, mapper, whole=whole)
        yield from _clock(log, mapper)
        yield from _secrets(settings, folder, log, mapper)
    is_whole = whole and can_read and count == last
    if settings.role != "play":
        yield from _read_models(settings, last, mapper, log if is_whole else None)


def _encryption(
    settings: Settings, folder: Path, cipher: CipherKeys, heads: Mapping[bytes, int]
) -> Iterator[HealthCheck]:
    """Check which keys encrypt the events, and whether all are available."""
    counts: dict[str, int] = {}
    for head, count in heads.items():
        counts[key_id(head)] = counts.get(key_id(head), 0) + count
    clear, total = counts.pop("", 0), sum(counts.values())
    for key in sorted(counts):
        if cipher.missing((MARK + bytes.fromhex(key),)):
            what = f"{counts[key]} events are encrypted under the key {key}, which is not given"
            yield HealthCheck("bad", "encryption", what, f"put it into the file of {SETTING}_FILE")
    if cipher.encrypts and clear:
        what = f"{clear} of {clear + total} events are in clear, from before it began"
        yield HealthCheck(
            "note", "encryption", what, "emeth move-log copies the log and encrypts all"
        )
    elif cipher.encrypts:
        yield HealthCheck("fine", "encryption", f"all {total} events are encrypted")
    elif not cipher:
        state = "the log is not encrypted" if not total else f"{total} events are encrypted"
        yield HealthCheck("fine", "encryption", state)
    for name, setting in KEYS.items():
        if cipher.encrypts and not getattr(settings, setting) and (folder / name).exists():
            remedy = f"give it as EMETH_{setting.upper()}_FILE, from where those of the log are"
            yield HealthCheck("note", "encryption", f"{name} lies in clear beside the log", remedy)
    old = folder / "reads"
    if cipher.encrypts and settings.reads_folder != old and old.exists():
        what = f"read models in clear are left in {old}"
        yield HealthCheck("note", "encryption", what, f"remove {old}: the service uses others")


def _guarded(
    about: str, remedy: str, check: Callable[[], Iterator[HealthCheck]]
) -> Iterator[HealthCheck]:
    """Run checks on a file that SQLite may be unable to read."""
    try:
        yield from check()
    except sqlite3.Error as error:
        yield HealthCheck("bad", about, f"SQLite says: {error}", remedy)


def _versions() -> HealthCheck:
    found = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return HealthCheck("fine", "versions", found)


def _mode(about: str, path: Path, others: int) -> HealthCheck:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & others:
        letters = stat.filemode(path.stat().st_mode)
        what = f"other users may use {path} ({letters})"
        return HealthCheck("bad", about, what, f"chmod {mode & ~others:o} {path}")
    return HealthCheck("fine", about, f"{path} is its owner's alone")


def _modes(settings: Settings) -> HealthCheck:
    """Check which files others may access. Key files have their own checks."""
    found = [
        path
        for path in files_open_to_others(settings.folder, settings.reads_folder)
        if path.name not in KEYS
    ]
    if not found:
        return HealthCheck("fine", "files", "all files of the service are their owner's alone")
    named = ", ".join(map(str, found[:MAX_NAMED_FILES]))
    more = f" and {len(found) - MAX_NAMED_FILES} more" if len(found) > MAX_NAMED_FILES else ""
    remedy = f"chmod -R go= {shlex.join(sorted({str(path.parent) for path in found}))}"
    return HealthCheck("bad", "files", f"other users may use {named}{more}", remedy)


def _space(folder: Path) -> HealthCheck:
    free = shutil.disk_usage(folder).free
    free_space = f"{free / (1 << 30):.1f} GiB are free"
    if free < MIN_FREE_BYTES:
        return HealthCheck(
            "bad", "disk", free_space, "make room: on a full disk nothing can be recorded"
        )
    return HealthCheck("fine", "disk", free_space)


def _key(settings: Settings, path: Path) -> Iterator[HealthCheck]:
    if getattr(settings, KEYS[path.name]):
        yield HealthCheck("fine", path.name, "a setting gives it")
        return
    if not path.exists():
        yield HealthCheck("note", path.name, "there is none", "the next start makes one")
        return
    try:
        keys.load_key_file(path)
    except keys.BadKeyError as error:
        yield HealthCheck("bad", path.name, str(error), "put back the one from a backup")
        return
    yield _mode(path.name, path, GROUP_AND_OTHERS)


def _pages(path: Path, connection: sqlite3.Connection, *, whole: bool) -> Iterator[HealthCheck]:
    """Check the file of a log with SQLite. Raises sqlite3.DatabaseError for a damaged page."""
    ahead = path.with_name(f"{FILE}-wal")
    size = ahead.stat().st_size if ahead.exists() else 0
    if size > LARGE_WAL_BYTES:
        what = f"{ahead.name} has {size >> 20} MiB"
        yield HealthCheck(
            "note", "log", what, "somebody has read the log for long: restart the service"
        )
    if whole:
        (sound,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if sound != "ok":
            raise sqlite3.DatabaseError(f"a page is damaged: {sound}")


def _chains(log: LogRows, mapper: EventMapper, *, whole: bool) -> Iterator[HealthCheck]:
    names = log.names()
    chosen = (
        names if whole or len(names) <= SAMPLE_SIZE else SystemRandom().sample(names, SAMPLE_SIZE)
    )
    link, damaged = mapper.link, 0
    for name in chosen:
        rows = log.rows(name)
        first = next(rows)
        event_range = EventRange(kind_of(first), UUID(name))
        try:
            for _ in verify_rows(event_range, chain((first,), rows), link):
                pass
        except RecordDamaged as error:
            damaged += 1
            remedy = "see operations.md, What is checked on the disk"
            yield HealthCheck("bad", "chain", str(error), remedy)
    sound = f"{len(chosen) - damaged} of {len(chosen)} chains are whole"
    if len(chosen) < len(names):
        sound += f" (a sample; --whole checks all {len(names)})"
    yield HealthCheck("fine" if not damaged else "note", "chain", sound)


class _Begun(Struct):
    secret: str


def _secrets(
    settings: Settings, folder: Path, log: LogRows, mapper: EventMapper
) -> Iterator[HealthCheck]:
    """Check which secrets the log was written with, by the start event of each run."""
    secrets = list[str]()
    for row in log.rows(runs.SERVICE_ID.hex):
        try:
            secrets.append(msgspec.json.decode(mapper.link(row)[1], type=_Begun).secret)
        except (msgspec.MsgspecError, ValueError):
            return  # reported by the chain check
    changes = sum(one != other for one, other in pairwise(secrets))
    if changes:
        what = f"it was changed {changes} times in {len(secrets)} starts"
        remedy = "matches with draws by an earlier one can draw no more: see chance.md"
        yield HealthCheck("note", "secret", what, remedy)
    try:
        path = folder / "secret.key"
        own = (
            keys.load_key(settings.secret, "EMETH_SECRET", path)
            if _is_configured(settings, path)
            else None
        )
    except keys.BadKeyError:
        return  # reported by the check of the key
    if own and secrets and keys.fingerprint(own) != secrets[-1]:
        what = "it is not the one that the service went by when it started last"
        yield HealthCheck("bad", "secret", what, "put that one back: no match with draws can go on")
    elif own and secrets:
        yield HealthCheck("fine", "secret", "it is the one that the service went by last")


def _is_configured(settings: Settings, path: Path) -> bool:
    return bool(settings.secret) or path.exists()


class _Timed(Struct):
    at: datetime


def _clock(log: LogRows, mapper: EventMapper) -> Iterator[HealthCheck]:
    if (row := log.last()) is None:
        return
    try:
        last = msgspec.json.decode(mapper.link(row)[1], type=_Timed)
    except (msgspec.MsgspecError, ValueError):
        return  # reported by the chain check
    behind = last.at - datetime.now(UTC)
    if behind > MAX_CLOCK_SKEW:
        what = f"this machine's clock is {behind} behind the last event"
        yield HealthCheck(
            "bad", "clock", what, "set it: the times of events must not run backwards"
        )
    else:
        yield HealthCheck(
            "fine", "clock", f"the last event was recorded at {last.at:%Y-%m-%d %H:%M:%S} UTC"
        )


def _players_in(folder: Path, cipher: CipherKeys) -> Iterator[HealthCheck]:
    """Check the files of player profiles, and their keys."""
    if not (folder / PEOPLE).exists():
        return
    tables: tuple[Table, ...] = "people", "player_keys"
    with closing(ReadOnlySideStore(folder)) as side_store:
        for table in tables:
            for (fault,) in side_store.ask(table, "PRAGMA integrity_check(1)"):
                if fault != "ok":
                    raise sqlite3.DatabaseError(f"{FILES[table]}: {str(fault).splitlines()[-1]}")
        yield from _players(side_store, cipher, f"{PEOPLE} or {PLAYER_KEYS}")


def _players(side_store: Tables, cipher: CipherKeys, places: str) -> Iterator[HealthCheck]:
    """Check that the rows of player profiles, and their keys, are undamaged."""
    rows = list(rows_of(side_store, "people"))
    if damaged := damaged_players(rows, PlayerKeys(side_store, cipher)):
        what = f"what is kept of players is damaged: {', '.join(damaged[:10])}"
        yield HealthCheck("bad", "players", what, f"put back {places} of a backup")
    else:
        yield HealthCheck("fine", "players", f"the rows of {len(rows)} players are whole")


def _read_models(
    settings: Settings, has: int, mapper: EventMapper, log: LogRows | None
) -> Iterator[HealthCheck]:
    """Check the read models of a log, and their tree if the log is given.

    Read models can always be rebuilt.
    """
    files = sorted(settings.reads_folder.glob("reads-*.sqlite"))
    if not files:
        yield HealthCheck("note", "read models", "there are none", "the next start makes them")
        return
    try:
        with closing(open_read_only(files[-1])) as reads:
            if damage := schema.find_damage(reads):
                yield _damaged(files[-1], damage)
                return
            row = reads.execute("SELECT leaves FROM tracking").fetchone()
            if log is not None and row is not None and row[0] <= has:
                yield check_tree(reads, row[0], log, mapper.leaf)
    except sqlite3.Error as error:
        yield _damaged(files[-1], str(error))
        return
    if row is None:
        yield _damaged(files[-1], "it does not say which events it has")
        return
    if (had := row[0]) > has:
        what = f"they know of {had} events, and the log has {has}"
        remedy = "put the right log back; if this one is meant, remove reads/"
        yield HealthCheck("bad", "read models", what, remedy)
    else:
        yield HealthCheck("fine", "read models", f"they have {had} of {has} events")


def _damaged(path: Path, damage: str) -> HealthCheck:
    remedy = (
        "restart the service: it rebuilds them from the log, nothing is lost, and no backup is"
        " needed; then check the disk"
    )
    return HealthCheck("bad", "read models", f"{path.name} is damaged: {damage}", remedy)
