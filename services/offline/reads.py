"""The read models of a page: in memory, and never behind the log."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from domain.kernel.packs import OWN
from projections.following import schema
from projections.following.projector import Projector
from projections.following.runner import Follower, FollowerStatus, events_between
from projections.read_files import ReadModels
from services.callers import Call
from services.offline.log import PageLog
from services.reads import Reads

BATCH: Final = 500
"""Events in one transaction, at most."""


class PageModels(ReadModels):
    """One database, which nobody else can have damaged."""

    def __init__(self) -> None:
        self.library = OWN
        self.names = schema.nameless
        self.connection = sqlite3.connect(
            ":memory:",
            isolation_level=None,
            check_same_thread=False,
            factory=schema.ReadsConnection,
        )
        schema.create(self.connection, ready=True)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection."""
        yield self.connection

    def close(self) -> None:
        """Give the memory back."""
        self.connection.close()


class PageFollower(Follower):
    """Follows the log whenever it is told to, before anybody else goes on."""

    def __init__(
        self,
        log: PageLog,
        models: PageModels,
        listener: Callable[[Mapping[UUID, int]], object],
    ) -> None:
        self._recorder = log.recorder
        self._projector = Projector(models.connection, log.mapper)
        self._listener = listener

    @property
    def whole(self) -> bool:
        """Always."""
        return True

    def follow(self) -> None:
        """Take in what is new."""
        while (newest := self._recorder.max_notification_id() or 0) > self.position:
            batch = events_between(self._recorder, self.position, newest, BATCH)
            versions = self._projector.apply(batch)
            if versions and self._listener is not None:
                self._listener(versions)

    def tell(self, seconds: float) -> None:
        """Put all that is new into the index."""
        while self._projector.tell(BATCH):
            pass

    def catch_up(self, timeout: float) -> bool:
        """It has."""
        return True

    def status(self) -> FollowerStatus:
        """How it is doing."""
        newest = self._recorder.max_notification_id() or 0
        return FollowerStatus(self.position, newest, self._projector.troubles, 0, "")


class PageReads(Reads):
    """The read models, asked by whoever may act in any role."""

    async def role(self, identity: UUID, call: Call) -> str:
        """The role that the caller looks in."""
        return call.trusted_as or await super().role(identity, call)
