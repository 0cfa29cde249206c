"""Backups of a service's folder, made while the service runs, and restored into a new folder.

A backup is a folder, or one tar file of it: the log, keys, content packs, attestations, and
`backup.json`. That manifest has the number of events, the root of their Merkle tree, and the digest
of each file. Later backups may contain only the events after an earlier one. Read models are not
included, since they are rebuilt from the log. Encrypted data stays encrypted. The keys of players
are kept in one separate file that each backup replaces, so that erasure applies to all backups.
"""

import shutil
import sqlite3
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from uuid import UUID

import msgspec
from eventsourcing.persistence import JSONTranscoder, StoredEvent
from msgspec import Struct

from domain.log.merkle import EMPTY_ROOT, Frontier
from domain.storage.mapper import EventMapper
from services.runtime.files import OWNER_ONLY, fsync_path, make_folder, restrict, write_atomically
from services.store.cipher_keys import NO_KEYS, CipherKeys
from services.store.errors import CipherKeyMissing
from services.store.log import FILE
from services.store.migrate import copy_log
from services.store.sqlite.format import APPLICATION_ID
from services.store.sqlite.read_only import open_read_only
from services.store.sqlite.side_store import FILES
from services.store.stores import open_log

MANIFEST: Final = "backup.json"
EVENTS: Final = "events.sqlite"
"""The file that an incremental backup has in place of the log."""
BACKED_UP_FILES: Final = (
    "secret.key",
    "signing.key",
    "admin.key",
    "people.sqlite",
    "webhooks.sqlite",
    "vouchers",
    "packs",
)
"""The files and folders of a service's folder, besides the log, that a backup includes."""
PLAYER_KEYS: Final = FILES["player_keys"]
FORMAT: Final = 1
PAGES_PER_STEP: Final = 4_096
"""Number of pages of the log that are copied before a writer is let in."""


COLUMNS: Final = "rowid, originator_id, originator_version, topic, state"
TABLE: Final = (
    "CREATE TABLE events (place INTEGER PRIMARY KEY, originator_id TEXT,"
    " originator_version INTEGER, topic TEXT, state BLOB)"
)


class BackupError(Exception):
    """A backup cannot be made or is invalid; `str()` says why, and what would help."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The description of a backup."""

    format: int
    made: datetime
    after: int
    """Number of events that precede those in the backup; 0 for a full backup."""
    after_root: str
    """Root of the Merkle tree over the preceding events, in hexadecimal."""
    events: int
    """Number of events in the log."""
    root: str
    """Root of the Merkle tree over them, as in a checkpoint of that size."""
    files: dict[str, str]
    """SHA-256 of each file, in hexadecimal, by its path in the backup."""


class BackupEncryption(Struct, frozen=True):
    """What the backup of an encrypted log needs in addition."""

    cipher: CipherKeys = NO_KEYS
    """Decrypts the events, so that they can be verified."""
    player_keys: Path | None = None
    """The file with the keys of players, separate from all backups."""


UNENCRYPTED: Final = BackupEncryption()


def back_up(
    folder: Path, to: Path, earlier: Path | None = None, sealing: BackupEncryption = UNENCRYPTED
) -> Manifest:
    """Back up a service's folder, whether the service runs or not.

    Args:
        folder: The data folder.
        to: A folder that is created, or a file that ends in `.tar`.
        earlier: An earlier backup; the new one contains only the events after it.
        sealing: The keys of an encrypted log.

    Raises:
        BackupError: The backup cannot be made; nothing is left behind.
    """
    if to.exists():
        raise BackupError(f"{to} already exists: choose another path")
    if not (folder / FILE).is_file():
        raise BackupError(f"{folder} has no {FILE}: it is not the data folder of a service")
    before = None if earlier is None else check(earlier)
    if sealing.player_keys is not None and not (folder / PLAYER_KEYS).is_file():
        raise BackupError(
            f"{folder} has no {PLAYER_KEYS}: this log does not encrypt players' data, so leave"
            " out --player-keys"
        )
    make_folder(to.parent)
    with TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as place:
        draft = Path(place) / to.name
        draft.mkdir(mode=0o700)
        try:
            manifest = _fill(draft, folder, before, sealing.cipher)
            _restrict_all(draft)
            if to.suffix == ".tar":
                draft = _packed(draft)
            draft.rename(to)
            if sealing.player_keys is not None:
                _put_player_keys(folder / PLAYER_KEYS, sealing.player_keys)
        except (OSError, sqlite3.Error) as error:
            raise BackupError(f"{to}: {error}") from error
    fsync_path(to.parent)
    return manifest


def back_up_database(
    store: str,
    folder: Path,
    to: Path,
    earlier: Path | None = None,
    sealing: BackupEncryption = UNENCRYPTED,
) -> Manifest:
    """Back up a log in a database, and the keys in a folder.

    The result is a backup like that of any other log. Services may run meanwhile.

    Raises:
        BackupError: The backup cannot be made.
        StoreError: The database cannot be read.
    """
    make_folder(to.parent)
    with TemporaryDirectory(prefix=f".{to.name}.", dir=to.parent) as place:
        copied = Path(place)
        with (
            closing(open_log(store, lambda failure: None, sealing.cipher)) as source,
            closing(
                open_log(f"sqlite:{copied / FILE}", lambda failure: None, sealing.cipher)
            ) as target,
        ):
            for _ in copy_log(source, target, sealing.cipher):
                pass
        for key in BACKED_UP_FILES:
            if key.endswith(".key") and (folder / key).is_file():
                shutil.copy2(folder / key, copied / key)
        return back_up(copied, to, earlier, sealing)


def check(backup: Path) -> Manifest:
    """Verify a backup and return its manifest. Raises BackupError if a file was changed."""
    with _open_archive(backup) as place:
        return _checked(backup, place)


def restore(
    backups: Sequence[Path], folder: Path, sealing: BackupEncryption = UNENCRYPTED
) -> Manifest:
    """Restore a full backup, and incremental ones that follow it, into a new or empty folder.

    The folder gets all of it or nothing. Raises BackupError if a backup is invalid or out of order.
    """
    if folder.exists() and any(folder.iterdir()):
        raise BackupError(f"{folder} is not empty: name a new folder, or move away what is there")
    make_folder(folder.parent)
    with TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as place:
        draft = Path(place) / folder.name
        draft.mkdir(mode=0o700)
        have: Manifest | None = None
        try:
            for backup in backups:
                have = _put_back(backup, draft, have, sealing.cipher)
            if sealing.player_keys is not None:
                _put_player_keys(sealing.player_keys, draft / PLAYER_KEYS)
            _restrict_all(draft)
            if folder.exists():
                folder.rmdir()
            draft.rename(folder)
        except (OSError, sqlite3.Error) as error:
            raise BackupError(f"{folder}: {error}") from error
    fsync_path(folder.parent)
    assert have is not None, "at least one backup"
    return have


def _restrict_all(draft: Path) -> None:
    """Remove the permissions of others from all copied files."""
    for path in draft.rglob("*"):
        restrict(path)


# --- making --------------------------------------------------------------------------------------


def _fill(draft: Path, folder: Path, before: Manifest | None, cipher: CipherKeys) -> Manifest:
    """Create the files of a backup. The log is copied first, since all other files only grow."""
    copy = draft / (EVENTS if before else FILE)
    if before is None:
        _copy_log(folder / FILE, copy)
        events, (root_now,) = _roots(cipher, copy, None)
        after, after_root = 0, EMPTY_ROOT.hex()
    else:
        after, after_root = before.events, before.root
        _copy_events(folder / FILE, copy, after)
        events, (root_then, root_now) = _roots(cipher, folder / FILE, _last(copy, after), after)
        if root_then.hex() != after_root:
            raise BackupError(
                f"the log in {folder} does not continue the earlier backup of --since"
            )
    for name in BACKED_UP_FILES:
        _keep(folder / name, draft / name)
    files = {str(each.relative_to(draft)): _digest(each) for each in _files(draft)}
    manifest = Manifest(FORMAT, datetime.now(UTC), after, after_root, events, root_now.hex(), files)
    write_atomically(draft / MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    return manifest


def _copy_log(log: Path, copy: Path) -> None:
    """Copy a consistent state of the log, which may be written to meanwhile."""
    with closing(open_read_only(log)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target, pages=PAGES_PER_STEP)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, and nothing beside it
        (sound,) = target.execute("PRAGMA quick_check").fetchone()
    if sound != "ok":
        raise BackupError(f"{log} is damaged: {sound}")


def _copy_events(log: Path, copy: Path, after: int) -> None:
    """Copy the events after the first `after` ones."""
    with closing(open_read_only(log)) as source, closing(sqlite3.connect(copy)) as target:
        target.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        target.execute(TABLE)
        rows = source.execute(f"SELECT {COLUMNS} FROM stored_events WHERE rowid > ?", (after,))  # noqa: S608
        with target:
            target.executemany(f"INSERT INTO events ({COLUMNS}) VALUES (?, ?, ?, ?, ?)", rows)  # noqa: S608


def _keep(path: Path, copy: Path) -> None:
    if path.suffix == ".sqlite" and path.is_file():
        with closing(open_read_only(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode = DELETE")
    elif path.is_dir():
        shutil.copytree(path, copy, ignore=shutil.ignore_patterns("*.new"))
    elif path.is_file():
        shutil.copy2(path, copy)
    if copy.exists():
        _sync_all(copy)


def _put_player_keys(source: Path, target: Path) -> None:
    """Replace the file of player keys."""
    draft = target.with_name(f"{target.name}.new")
    draft.unlink(missing_ok=True)
    with closing(open_read_only(source)) as rows, closing(sqlite3.connect(draft)) as copy:
        rows.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    draft.chmod(OWNER_ONLY)
    fsync_path(draft)
    draft.replace(target)
    fsync_path(target.parent)


def _packed(draft: Path) -> Path:
    """Return a tar file of the backup."""
    packed = draft.with_name(f"{draft.name}.packed")
    with tarfile.open(packed, "w") as archive:
        for each in _files(draft):
            archive.add(each, str(each.relative_to(draft)))
    packed.chmod(OWNER_ONLY)
    fsync_path(packed)
    return packed


# --- restoring -----------------------------------------------------------------------------------


def _put_back(backup: Path, draft: Path, have: Manifest | None, cipher: CipherKeys) -> Manifest:
    """Add a backup to the restored ones, verify the result and return its manifest."""
    with _open_archive(backup) as place:
        found = _checked(backup, place)
        if have is None and found.after:
            raise BackupError(f"{backup} has only the events after the first {found.after}: name"
                              " the backup of those before it")  # fmt: skip
        if have is not None and (found.after, found.after_root) != (have.events, have.root):
            raise BackupError(
                f"{backup} follows {found.after} events, and those before it are {have.events}"
                + ("" if found.after != have.events else " others")
            )
        for name in BACKED_UP_FILES:
            if (draft / name).is_dir():
                shutil.rmtree(draft / name)
        for path in _files(place):
            inside = path.relative_to(place)
            if str(inside) not in (MANIFEST, EVENTS):
                (draft / inside).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, draft / inside)
        if found.after:
            _add_events(place / EVENTS, draft / FILE)
    events, (now,) = _roots(cipher, draft / FILE, None)
    if (events, now.hex()) != (found.events, found.root):
        raise BackupError(f"{backup} is damaged: its events are not those that were backed up")
    _sync_all(draft)
    return found


def _add_events(events: Path, log: Path) -> None:
    with closing(sqlite3.connect(log, isolation_level=None)) as target:
        target.execute("ATTACH ? AS later", (str(events),))
        target.execute(
            f"INSERT INTO stored_events ({COLUMNS}) SELECT {COLUMNS} FROM later.events"  # noqa: S608
            " ORDER BY place"
        )


def _checked(backup: Path, place: Path) -> Manifest:
    """Return the manifest of the backup in a folder. Raises BackupError if a file was changed."""
    try:
        found = msgspec.json.decode((place / MANIFEST).read_bytes(), type=Manifest)
    except OSError as error:
        raise BackupError(f"{backup} is not a backup: it has no {MANIFEST}") from error
    except msgspec.MsgspecError as error:
        raise BackupError(f"{backup} is not a backup: {MANIFEST}: {error}") from error
    if found.format > FORMAT:
        raise BackupError(
            f"{backup} was made by a newer version of Emeth: use that version or a later one"
        )
    there = {str(each.relative_to(place)): each for each in _files(place)}
    del there[MANIFEST]
    for name in sorted({*found.files, *there}):
        if name not in there:
            raise BackupError(f"{backup}: {name} is missing")
        if found.files.get(name) != _digest(there[name]):
            raise BackupError(f"{backup}: {name} has changed since the backup was made")
    return found


@contextmanager
def _open_archive(backup: Path) -> Iterator[Path]:
    """Open a backup as a folder, extracted if necessary."""
    if not backup.is_file():
        yield backup
        return
    with TemporaryDirectory(prefix=".backup.", dir=backup.parent) as place:
        try:
            with tarfile.open(backup) as archive:
                archive.extractall(place, filter="data")
        except tarfile.TarError as error:
            raise BackupError(f"{backup} is not a backup: {error}") from error
        yield Path(place)


# --- helpers -------------------------------------------------------------------------------------


def _roots(cipher: CipherKeys, log: Path, last: int | None, *sizes: int) -> tuple[int, list[bytes]]:
    """Return the number of events in a log, and the tree roots at the given sizes and at the end.

    Only events up to `last` count. Raises BackupError if events or their cipher key are missing.
    """
    mapper = EventMapper(JSONTranscoder(), cipher=cipher)
    edge = Frontier(0, lambda level, index: EMPTY_ROOT)
    found: list[bytes] = []

    with closing(open_read_only(log)) as connection:
        rows = connection.execute(
            f"SELECT {COLUMNS} FROM stored_events WHERE rowid <= ? ORDER BY rowid",  # noqa: S608
            (last if last is not None else 1 << 62,),
        )
        for place, identity, version, topic, state in rows:
            if edge.size in sizes:
                found.append(edge.root())
            if place != edge.size + 1:
                raise BackupError(f"{log}: event {edge.size + 1} is missing")
            if missing := cipher.missing((state,)):
                raise BackupError(str(CipherKeyMissing(str(log), missing)))
            stored = StoredEvent(
                originator_id=UUID(identity), originator_version=version, topic=topic, state=state
            )
            for _ in edge.add(mapper.leaf(stored)):
                pass
    if edge.size in sizes:
        found.append(edge.root())
    found.append(edge.root())
    if len(found) <= len(sizes):
        raise BackupError(
            f"{log} has {edge.size} events, fewer than the {max(sizes)} it had: it is an older copy"
        )
    return edge.size, found


def _last(events: Path, otherwise: int) -> int:
    with closing(open_read_only(events)) as connection:
        (last,) = connection.execute("SELECT max(place) FROM events").fetchone()
    return otherwise if last is None else int(last)


def _sync_all(path: Path) -> None:
    """Flush a file, or a folder with all its content and names, to disk."""
    for each in [path, *path.rglob("*")]:
        fsync_path(each)


def _files(folder: Path) -> Iterator[Path]:
    return (each for each in sorted(folder.rglob("*")) if each.is_file())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
