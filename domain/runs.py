"""The runs of the service on a log. `evolve` applies an event; `begin_run` decides which to record.

A log that is put back to what it was would give the same draws again, though players know them by
then. So each run brings entropy of its own, and says which secret it goes by.
"""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.log.ledger import Changeset, Ledger
from domain.log.origin import CommandContext
from domain.log.runs import Run
from domain.log.sealed_events import SealedEvent

SERVICE_ID: Final = UUID("5e41ce00-0000-4000-8000-000000000000")
"""The name under which the event store knows the service: the same in every log."""


class RunBegun(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    tag="service.RunBegun",
):
    """The service started on this log, and does not know who had it meanwhile."""

    service: UUID
    version: int
    """The number of the run."""
    at: datetime
    request: str
    entropy: str
    """As in `Run`."""
    secret: str
    """As in `Run`."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits, so that nobody finds out what the event says by trying
    which content has its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """The name under which the event store knows the service."""
        return self.service

    @property
    def run(self) -> Run:
        """As matches name it."""
        return Run(self.version, self.entropy, self.secret)


class Runs(Struct, frozen=True):
    """The runs up to the present one."""

    id: UUID
    version: int
    digest: str
    """Of the last event, to which the next is chained."""
    run: Run
    """The present one."""
    since: datetime
    secrets: tuple[tuple[int, str], ...]
    """The digest of each secret, with the number of the first run that went by it."""


class _RunsLedger(Ledger[Runs]):
    kind = "service"

    def _evolve(self, before: Runs | None, sealed: SealedEvent[Any]) -> Runs:
        return evolve(before, sealed)


def start_run(
    runs: Runs | None, entropy: str, secret: str, command_context: CommandContext
) -> Changeset[Runs]:
    """Begin the next run, or the first."""
    ledger = _RunsLedger(runs, SERVICE_ID, command_context)
    ledger.record(RunBegun, entropy=entropy, secret=secret)
    return ledger.changeset()


def evolve(runs: Runs | None, sealed: SealedEvent[RunBegun]) -> Runs:
    """The runs after an event."""
    event = sealed.event
    secrets = runs.secrets if runs else ()
    if not secrets or secrets[-1][1] != event.secret:
        secrets = (*secrets, (event.version, event.secret))
    if runs is None:
        return Runs(event.service, event.version, sealed.digest, event.run, event.at, secrets)
    return replace(
        runs,
        version=event.version,
        digest=sealed.digest,
        run=event.run,
        since=event.at,
        secrets=secrets,
    )
