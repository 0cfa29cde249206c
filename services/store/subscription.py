"""Following the log: each commit of this process wakes those who follow; others' are polled for."""

from collections.abc import Sequence
from threading import Lock

from eventsourcing.persistence import ApplicationRecorder, ListenNotifySubscription


class LogSubscription(ListenNotifySubscription[ApplicationRecorder]):
    """Every notification after a position, once, in order; then each new one as it is committed.

    A thread of its own reads ahead. Use it as a context manager, or call `close`.
    """

    def __init__(
        self,
        recorder: ApplicationRecorder,
        gt: int | None,
        topics: Sequence[str],
        followers: "Followers",
        poll_seconds: float,
    ) -> None:
        self._followers = followers
        self._poll_seconds = poll_seconds
        super().__init__(recorder=recorder, gt=gt, topics=topics)
        followers.add(self)
        if self._has_been_stopped:  # the thread has met an error already
            followers.remove(self)
        self.wake()  # the thread may have looked before a commit that came before `add`

    def wake(self) -> None:
        """Look for new events now."""
        self._has_been_notified.set()

    def stop(self) -> None:
        """End the iteration, wherever it waits."""
        super().stop()
        self._followers.remove(self)  # after that flag, which `__init__` looks at after adding

    def close(self) -> None:
        """Stop, and wait until the thread has let go of the database."""
        self.stop()
        self._pull_thread.join()

    def _pull(self) -> None:
        super()._pull()
        # The library waits for a signal without limit, as soon as this returns; another process's
        # commit gives none. So the waiting is done here, and this returns when there is a signal.
        while not self._has_been_stopped and not self._has_been_notified.wait(self._poll_seconds):
            super()._pull()


class Followers:
    """The subscriptions of one process to one log."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._all: frozenset[LogSubscription] = frozenset()

    def add(self, subscription: LogSubscription) -> None:
        """Wake it from now on."""
        with self._lock:
            self._all |= {subscription}

    def remove(self, subscription: LogSubscription) -> None:
        """Wake it no more; nothing happens if it is unknown."""
        with self._lock:
            self._all -= {subscription}

    def wake(self) -> None:
        """Tell all that something was committed."""
        for subscription in self._all:
            subscription.wake()

    def close(self) -> None:
        """Close all; their iterations end."""
        for subscription in self._all:
            subscription.close()
