"""Subscriptions to the log: woken by this process's commits, and polling for those of others."""

from collections.abc import Sequence
from threading import Event, Lock

from eventsourcing.persistence import (
    ApplicationRecorder,
    ConnectionPoolClosedError,
    Notification,
    PersistenceError,
    Subscription,
)

PAGE_SIZE = 500
"""Maximum number of notifications that are read at once."""


class LogSubscription(Subscription[ApplicationRecorder]):
    """An iterator over all notifications after a position, and new ones as they are committed.

    The iterating thread reads the log. The library's subscription uses two more threads, which
    contend with the event loop for the interpreter's global lock. Use it as a context manager, or
    call `stop`.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        gt: int | None,
        topics: Sequence[str],
        followers: "LogSubscriptions",
        poll_seconds: float,
    ) -> None:
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        self._followers = followers
        self._poll_seconds = poll_seconds
        self._wake_up = Event()
        self._page: Sequence[Notification] = ()
        self._place = 0
        followers.add(self)

    def wake(self) -> None:
        """Look for new events now."""
        self._wake_up.set()

    def stop(self) -> None:
        """End the iteration, wherever it waits."""
        super().stop()
        self._followers.remove(self)
        self._wake_up.set()

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._place < len(self._page):
                self._place += 1
                return self._page[self._place - 1]
            self._read()
        raise StopIteration

    def _read(self) -> None:
        """Read new notifications; if there are none, wait for a commit."""
        self._wake_up.clear()  # before reading, so that no commit is missed
        try:
            self._page, self._place = self._select(), 0
        except (PersistenceError, ConnectionPoolClosedError):
            if self._has_been_stopped:
                return  # the log was closed meanwhile
            self.stop()
            raise
        if self._page:
            self._last_notification_id = self._page[-1].id
        else:
            self._wake_up.wait(self._poll_seconds)

    def _select(self) -> Sequence[Notification]:
        return self._recorder.select_notifications(
            start=self._last_notification_id or 0,
            limit=PAGE_SIZE,
            topics=self._topics,
            inclusive_of_start=False,
        )


class LogSubscriptions:
    """The subscriptions of one process to one log."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: frozenset[LogSubscription] = frozenset()

    def add(self, subscription: LogSubscription) -> None:
        """Wake a subscription from now on."""
        with self._lock:
            self._all |= {subscription}

    def remove(self, subscription: LogSubscription) -> None:
        """Remove a subscription, if it is known."""
        with self._lock:
            self._all -= {subscription}

    def wake(self) -> None:
        """Wake all subscriptions after a commit."""
        for subscription in self._all:
            subscription.wake()

    def close(self) -> None:
        """Stop all subscriptions, which ends their iterations."""
        for subscription in self._all:
            subscription.stop()
