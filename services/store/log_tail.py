"""Tails the log for versions only, in a service that keeps no read models."""

from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import Final
from uuid import UUID

import structlog
from eventsourcing.persistence import (
    ApplicationRecorder,
    ConnectionPoolClosedError,
    PersistenceError,
    Subscription,
)

_LOG: Final = structlog.get_logger(__name__)

PAUSE_SECONDS: Final = 0.5
"""Time between a failure of the log and the next attempt."""


class LogTail:
    """A thread that reports which aggregates have new events, until `close`."""

    def __init__(
        self, recorder: ApplicationRecorder, listener: Callable[[Mapping[UUID, int]], object]
    ) -> None:
        """Start at the end of the log. Raises PersistenceError if it is unreadable."""
        self._recorder = recorder
        self._listener = listener
        self._stopping = Event()
        self._position = recorder.max_notification_id() or 0
        self._subscription: Subscription[ApplicationRecorder] | None = None
        self._thread = Thread(target=self._run, name="log-tail", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop the thread. Close it before the log."""
        self._stopping.set()
        if (subscription := self._subscription) is not None:
            subscription.stop()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                with self._recorder.subscribe(gt=self._position) as subscription:
                    self._subscription = subscription
                    if not self._stopping.is_set():
                        self._follow(subscription)
            except (PersistenceError, ConnectionPoolClosedError) as error:
                _LOG.warning("log_not_followed", error=str(error))
                self._stopping.wait(PAUSE_SECONDS)

    def _follow(self, subscription: Subscription[ApplicationRecorder]) -> None:
        for each in subscription:
            self._position = each.id
            if isinstance(each.originator_id, UUID):
                self._listener({each.originator_id: each.originator_version})
