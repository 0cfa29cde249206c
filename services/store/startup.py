"""Startup checks and preparations; each failure is reported in one line."""

import errno
import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final
from uuid import UUID

import structlog
from eventsourcing.persistence import PersistenceError

from domain import player
from domain.kernel.packs import BUILT_IN_PACKS, Library
from domain.player import Player
from domain.registry import GAMES
from projections.queries import log_tree
from projections.queries.read_files import ReadModels
from services.runtime import keys
from services.runtime.files import GROUP_AND_OTHERS, files_open_to_others, make_folder, restrict
from services.runtime.settings import Settings
from services.store import pack_folder
from services.store.cipher_keys import VARIABLE, CipherKeys
from services.store.errors import (
    DeliveriesUnavailable,
    LogDamaged,
    LogUnavailable,
    ProfilesUnavailable,
)
from services.store.faults import diagnose
from services.store.log import Log
from services.store.side_store_copy import copy_missing, copy_side_store
from services.store.sqlite.side_store import FileSideStore

log = structlog.get_logger(__name__)

REMEDIES: Final = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "make room on the disk"),
    **dict.fromkeys(
        (errno.EEXIST, errno.ENOTDIR, errno.EISDIR), "move away what is there in its place"
    ),
    errno.EROFS: "the disk is read-only: have it mounted for writing",
}
"""Remedies by system error code."""


class StartError(Exception):
    """The service cannot start; the text says why, and what would help."""


@contextmanager
def report_start_errors(what: str) -> Iterator[None]:
    """Raise StartError in place of errors of a disk, a database or a key."""
    try:
        yield
    except keys.BadKeyError as error:
        raise StartError(str(error)) from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        remedy = REMEDIES.get(error.errno or 0, "this user must be able to read and write there")
        raise StartError(f"{what}: {where}{error.strerror}; {remedy}") from error
    except LogUnavailable as error:
        raise StartError(f"{what}: {error}") from error
    except (ProfilesUnavailable, DeliveriesUnavailable) as error:
        raise StartError(f"{what}: {diagnose(error.__cause__ or error).why}") from error
    except (sqlite3.Error, PersistenceError) as error:
        raise StartError(f"{what}: {diagnose(error).why}") from error


def check_log_end(log: Log, models: ReadModels) -> None:
    """Raise LogDamaged if the read models have more events than the log.

    Then the end of the log was lost, or an older log was put in its place.
    """
    with models.reading() as connection:
        had, has = log_tree.tree_size(connection), log.newest()
    if had <= has:
        return
    if log.torn:
        raise LogDamaged(f"its last commit was changed: it has {has} events, and had {had}")
    raise LogDamaged(
        f"{log.name} has {has} events, and had {had} when the service ran last: it was lost, or an"
        " older one lies in its place. Put the right one back; if this is meant, remove reads/ and"
        " start again"
    )


def load_cipher_keys(settings: Settings) -> CipherKeys:
    """Return the cipher keys of the log.

    Raises:
        BadKeyError: A key is invalid.
        StartError: The read models of an encrypted log would be stored in clear by default.
    """
    cipher = CipherKeys({VARIABLE: settings.cipher_keys})
    if cipher.encrypts and not settings.reads and settings.role != "play":
        raise StartError(
            f"the log is encrypted, and the read models in {settings.reads_folder} would not be:"
            " EMETH_READS names their folder, which may be in memory, as /dev/shm/emeth, or this"
            " one, if its disk is encrypted"
        )
    return cipher


def prepare_folder(settings: Settings) -> Path:
    """Create the data folder, and remove the permissions of others from its files.

    Permissions of others on the folder itself are only warned about: it may be a mounted volume.
    Raises StartError.
    """
    folder = settings.folder
    with report_start_errors(f"cannot make the folder {folder}"):
        make_folder(folder)
        for path in files_open_to_others(folder, settings.reads_folder):
            restrict(path)
        if folder.stat().st_mode & GROUP_AND_OTHERS:
            log.warning("folder_open_to_others", folder=str(folder), remedy="chmod 700")
    return folder


def import_side_files(log: Log, folder: Path) -> None:
    """Move the side store in the folder to the database, if the log is shared."""

    def is_erased(identity: UUID) -> bool:
        state: Player | None = None
        for sealed in log.account_events("player", identity):
            state = player.evolve(state, sealed)
        return state is not None and state.deleted is not None

    if log.shared:
        with closing(FileSideStore(folder)) as own:
            copy_side_store(own, log.side_store, is_erased)


def allow_many_files() -> None:
    """Raise the limit of open files and connections to the system's maximum."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):  # some systems name a limit that they do not allow
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def load_library(settings: Settings, log: Log) -> Library:
    """Return the library with added content packs, and those of earlier starts.

    Packs are loaded from the folder. Those in a database are copied there first, and new ones back.
    """
    here = FileSideStore(settings.folder)
    copy_missing("packs", log.side_store, here)
    library = _library(settings)
    copy_missing("packs", here, log.side_store)
    return library


def _library(settings: Settings) -> Library:
    kept, library = settings.folder / "packs", BUILT_IN_PACKS
    try:
        if kept.is_dir():
            library = pack_folder.load_stored_packs(kept)
        if settings.packs:
            library = pack_folder.add_folder(Path(settings.packs), library, kept)
    except pack_folder.PacksError as error:
        raise StartError(f"content packs: {error}") from error
    for game in GAMES.values():
        if game.packs is not None:
            for pack in library.packs_of(game.packs)[len(game.packs.built_in) :]:
                found = game.packs.info(pack)
                log.info("content pack added", pack=found.id, digest=found.digest)
    return library
