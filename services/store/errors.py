"""Errors of the store. Each message says what is wrong and what to do."""

# ruff: noqa: N818  # named after the state (a conflict, a locked log), which is clear to any caller

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID


class StoreError(Exception):
    """Base class of all errors that the store raises."""


class VersionConflict(StoreError):
    """Another event has a version of this job: nothing of the job was written.

    `versions` has the first version in the job by aggregate. At least one of them exists already,
    or follows an event that was refused in the same batch.
    """

    def __init__(self, versions: Mapping[UUID | str, int]) -> None:
        self.versions = dict(versions)
        wanted = ", ".join(f"version {version} of {name}" for name, version in versions.items())
        super().__init__(
            f"the log has moved on and cannot take {wanted}: read what is new and decide again"
        )


class EventsUnstorable(StoreError):
    """The events of a job do not fit into the database, which is the caller's fault."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"the events cannot be stored as they are: {why}")


class LogOverloaded(StoreError):
    """Too many jobs wait for the disk. Nothing was written; the job may be retried later."""

    def __init__(self, waiting: int, limit: int) -> None:
        self.waiting = waiting
        self.limit = limit
        super().__init__(f"{waiting} jobs wait to be written, and {limit} may: try again later")


class LogUnavailable(StoreError):
    """The log is not writable now. Nothing of the job was written; later jobs are tried.

    `code` is the name that the database or the system has for the error, such as "SQLITE_FULL" or
    "EROFS".
    """

    def __init__(self, why: str, code: str = "") -> None:
        self.why = why
        self.code = code
        super().__init__(f"the log cannot be written: {why}" + (f" ({code})" if code else ""))


class LogClosed(LogUnavailable):
    """The writer was closed before the job was submitted."""

    def __init__(self) -> None:
        super().__init__("it was closed; the service is about to stop")


class LogFailed(LogUnavailable):
    """The disk failed, and this process will never write to the log again.

    A failed sync may have dropped data that a second sync would report as safe. Whether the last
    jobs are on disk is known only after the log is opened again: stop the process and start it
    again.
    """


class LogUncertain(LogUnavailable):
    """The connection broke in the middle of a commit and could not be restored.

    Whether the job was written is known only later. A repeated request gets its first response, or
    is executed then.
    """


class LogLocked(StoreError):
    """Another process writes to the log. `pid` is None if the process is unknown."""

    def __init__(self, lock_file: Path, pid: int | None) -> None:
        self.lock_file = lock_file
        self.pid = pid
        holder = "another process" if pid is None else f"process {pid}"
        super().__init__(
            f"{holder} holds {lock_file}: a log has one writer; stop that one, or use another log"
        )


class LogTooNew(StoreError):
    """The log has a format that only newer versions of the service support."""

    def __init__(self, name: str, found: int, newest: int) -> None:
        self.name = name
        self.found = found
        self.newest = newest
        super().__init__(
            f"{name} has log format {found}, and this service reads formats up to {newest}: "
            "it was written by a newer version, which is needed to open it"
        )


class LogForeign(StoreError):
    """The database exists, but is not a log of this service."""

    def __init__(self, name: str, found: str) -> None:
        self.name = name
        super().__init__(
            f"{name} is the database of another program ({found}): "
            "name a log, or what does not exist yet or is empty"
        )


class KeysDiffer(StoreError):
    """A service that shares the log has other keys."""

    def __init__(self, name: str, keys: str) -> None:
        self.name = name
        super().__init__(
            f"{name} was written with another {keys}: give every service on it the same, by "
            "EMETH_SECRET and EMETH_SIGNING_KEY or their files "
            "(docs/operations.md says how a key is changed)"
        )


class CipherKeyMissing(StoreError):
    """The log is encrypted under a key that is not configured. It was not changed."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        super().__init__(
            f"{name} is encrypted under the key {key}, which EMETH_CIPHER_KEYS does not have: give "
            "the file of keys that it was written with, as EMETH_CIPHER_KEYS_FILE"
        )


class LogsDiffer(StoreError):
    """The target of a migration has other events than the source."""

    def __init__(self, source: str, target: str, number: int) -> None:
        self.number = number
        super().__init__(
            f"event {number} of {target} is not that of {source}: move a log into an empty place, "
            "or go on with a move that was begun"
        )


class StoreUnknown(StoreError):
    """The setting does not name a supported store."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"{why}: name postgresql://USER@HOST/DATABASE, or leave it empty for a file in the "
            "folder of the data"
        )


class LogDamaged(StoreError):
    """The log is damaged and cannot be repaired."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the log is damaged: {what}; put a backup in its place "
            "(docs/operations.md says what else can be done)"
        )


class LogNotDurable(StoreError):
    """The database does not guarantee durability: a setting is not in effect."""

    def __init__(
        self,
        name: str,
        setting: str,
        found: str,
        wanted: str,
        remedy: str = "put the log on a local disk",
    ) -> None:
        self.name = name
        self.setting = setting
        self.found = found
        self.wanted = wanted
        super().__init__(
            f"{name}: {setting} is {found} where {wanted} is needed, so a power cut could lose "
            f"what was acknowledged; {remedy}"
        )


class MatchUnknown(StoreError):
    """The log has no such match."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no match {identity}")


class MatchBusy(StoreError):
    """Too many commands wait for a match, or it had repeated version conflicts."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many commands wait for match {identity}")


class SeedMissing(StoreError):
    """The seed of the match's draws is missing, so that nothing more can be rolled."""

    def __init__(self, identity: UUID, why: str) -> None:
        self.identity = identity
        super().__init__(why)


class TableUnknown(StoreError):
    """The log has no such table."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no table {identity}")


class TableBusy(StoreError):
    """The table had repeated version conflicts."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many calls change table {identity}")


class ArmyUnknown(StoreError):
    """The log has no such army, or it was deleted."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no saved army {identity}")


class ArmyBusy(StoreError):
    """The army had repeated version conflicts."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__("too many calls change this army")


class FrontendUnknown(StoreError):
    """The log has no such frontend."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no frontend {identity}")


class PlayerUnknown(StoreError):
    """The log has no such player."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no player {identity}")


class AccountBusy(StoreError):
    """The frontend or player had repeated version conflicts."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many calls change account {identity}")


class ProfilesUnavailable(StoreError):
    """Player profiles are not readable or writable now."""

    def __init__(self, why: str) -> None:
        super().__init__(f"players' names cannot be read or written: {why}")


class DeliveriesUnavailable(StoreError):
    """The delivery progress of webhooks is not readable or writable now."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the table of posted notices cannot be read or written: {why}")


class ConditionalMovesUnknown(StoreError):
    """The seat has never submitted conditional moves."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__("the seat has no conditional moves")


class ConditionalMovesBusy(StoreError):
    """The conditional moves had repeated version conflicts."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__("too many calls change these conditional moves")


class RecordDamaged(StoreError):
    """The stored events of an aggregate are not those that were recorded."""

    def __init__(self, kind: str, identity: UUID, version: int, why: str) -> None:
        self.kind = kind
        self.identity = identity
        self.version = version
        super().__init__(
            f"event {version} of {kind} {identity} {why}; it is refused until the log is put right"
        )
