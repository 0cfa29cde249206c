"""What can go wrong with the log. Each error says what is wrong and what would be right."""

# ruff: noqa: N818  # the names say what is so (a conflict, a log that is locked), for any caller

from collections.abc import Mapping
from pathlib import Path
from uuid import UUID


class StoreError(Exception):
    """Whatever the store refuses or fails to do."""


class VersionConflict(StoreError):
    """Another event has the version that this job wanted: nothing of the job was written.

    `versions` has the first version that the job wanted of each aggregate; at least one of them is
    taken, or follows an event that was refused in the same batch.
    """

    def __init__(self, versions: Mapping[UUID | str, int]) -> None:
        self.versions = dict(versions)
        wanted = ", ".join(f"version {version} of {name}" for name, version in versions.items())
        super().__init__(
            f"the log has moved on and cannot take {wanted}: read what is new and decide again"
        )


class EventsUnstorable(StoreError):
    """The events of this job do not fit into the database; the fault lies with who made them."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(f"the events cannot be stored as they are: {why}")


class LogOverloaded(StoreError):
    """Too many jobs wait for the disk: nothing was written, and the same job may be tried later."""

    def __init__(self, waiting: int, most: int) -> None:
        self.waiting = waiting
        self.most = most
        super().__init__(f"{waiting} jobs wait to be written, and {most} may: try again later")


class LogUnavailable(StoreError):
    """The log cannot be written now. Nothing of the job was written, and later jobs are tried.

    `code` is the name that the database or the system has for what happened, such as
    "SQLITE_FULL" or "EROFS".
    """

    def __init__(self, why: str, code: str = "") -> None:
        self.why = why
        self.code = code
        super().__init__(f"the log cannot be written: {why}" + (f" ({code})" if code else ""))


class LogClosed(LogUnavailable):
    """The writer was closed before the job came."""

    def __init__(self) -> None:
        super().__init__("it was closed; the service is about to stop")


class LogFailed(LogUnavailable):
    """The disk failed, and this process will never write to the log again.

    A failed sync may have dropped data that a second sync would call safe. So whether the last jobs
    are on disk is known only to who opens the log afresh: stop the process and start it again.
    """


class LogUncertain(LogUnavailable):
    """The connection to the database broke in the middle of a commit, and could not be made again.

    So whether the job was written is known only to who asks the log later: a request that comes
    again gets its first answer, or is done then.
    """


class LogLocked(StoreError):
    """Another process writes to the log. `pid` is None if the holder has not said who it is."""

    def __init__(self, lock_file: Path, pid: int | None) -> None:
        self.lock_file = lock_file
        self.pid = pid
        holder = "another process" if pid is None else f"process {pid}"
        super().__init__(
            f"{holder} holds {lock_file}: a log has one writer; stop that one, or use another log"
        )


class LogTooNew(StoreError):
    """The log has a format of which this version of the service knows nothing."""

    def __init__(self, name: str, found: int, newest: int) -> None:
        self.name = name
        self.found = found
        self.newest = newest
        super().__init__(
            f"{name} has log format {found}, and this service reads formats up to {newest}: "
            "it was written by a newer version, which is needed to open it"
        )


class LogForeign(StoreError):
    """It is a database, but no log of ours."""

    def __init__(self, name: str, found: str) -> None:
        self.name = name
        super().__init__(
            f"{name} is the database of another program ({found}): "
            "name a log, or what does not exist yet or is empty"
        )


class KeysDiffer(StoreError):
    """A service that shares the log has other keys: what one signs, others would not know."""

    def __init__(self, name: str, keys: str) -> None:
        self.name = name
        super().__init__(
            f"{name} was written with another {keys}: give every service on it the same, by "
            "EMETH_SECRET and EMETH_SIGNING_KEY or their files "
            "(docs/operations.md says how a key is changed)"
        )


class CipherKeyMissing(StoreError):
    """The log is encrypted under a key that is not at hand. It was not changed."""

    def __init__(self, name: str, key: str) -> None:
        self.name = name
        self.key = key
        super().__init__(
            f"{name} is encrypted under the key {key}, which EMETH_CIPHER_KEYS does not have: give "
            "the file of keys that it was written with, as EMETH_CIPHER_KEYS_FILE"
        )


class LogsDiffer(StoreError):
    """The log to be moved into has other events than the one to be moved."""

    def __init__(self, source: str, target: str, number: int) -> None:
        self.number = number
        super().__init__(
            f"event {number} of {target} is not that of {source}: move a log into an empty place, "
            "or go on with a move that was begun"
        )


class StoreUnknown(StoreError):
    """The setting names no store that there is."""

    def __init__(self, why: str) -> None:
        super().__init__(
            f"{why}: name postgresql://USER@HOST/DATABASE, or leave it empty for a file in the "
            "folder of the data"
        )


class LogDamaged(StoreError):
    """The file of the log was changed where nobody can tell what was there."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"the log is damaged: {what}; put a backup in its place "
            "(docs/operations.md says what else can be done)"
        )


class LogNotDurable(StoreError):
    """The database will not keep what it acknowledges: a setting did not hold."""

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
    """Too many commands wait for one match, or other replicas were quicker again and again."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many commands wait for match {identity}")


class SeedMissing(StoreError):
    """The seed of the match's draws is not to be had: nothing more can be rolled in it."""

    def __init__(self, identity: UUID, why: str) -> None:
        self.identity = identity
        super().__init__(why)


class TableUnknown(StoreError):
    """The log has no such table."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no table {identity}")


class TableBusy(StoreError):
    """Others changed the table first, again and again."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many calls change table {identity}")


class ArmyUnknown(StoreError):
    """The log has no such army, or it was deleted."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"there is no saved army {identity}")


class ArmyBusy(StoreError):
    """Others changed the army first, again and again."""

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
    """Others changed the frontend or player first, again and again."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__(f"too many calls change account {identity}")


class ProfilesUnavailable(StoreError):
    """What tells who players are cannot be read or written now."""

    def __init__(self, why: str) -> None:
        super().__init__(f"players' names cannot be read or written: {why}")


class DeliveriesUnavailable(StoreError):
    """What tells which notices were posted cannot be read or written now."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the table of posted notices cannot be read or written: {why}")


class ConditionalMovesUnknown(StoreError):
    """The seat has never left a plan."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__("no plan of the seat waits for anything")


class ConditionalMovesBusy(StoreError):
    """Others changed the plan first, again and again."""

    def __init__(self, identity: UUID) -> None:
        self.identity = identity
        super().__init__("too many calls change this plan")


class RecordDamaged(StoreError):
    """What is stored of a match, army, table or account is not what was recorded."""

    def __init__(self, kind: str, identity: UUID, version: int, why: str) -> None:
        self.kind = kind
        self.identity = identity
        self.version = version
        super().__init__(
            f"event {version} of {kind} {identity} {why}; it is refused until the log is put right"
        )
