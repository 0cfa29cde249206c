"""Runs of the service on a log, each with entropy of its own.

A log restored from a backup would repeat draws that players have seen already. So each run adds
fresh entropy to the seeds, and names the secret that it derives seeds from. `evolve` applies an
event; `start_run` decides which event to record.
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
"""The originator ID of the service in the event store, the same in every log."""


class RunBegun(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag_field="type",
    tag="service.RunBegun",
):
    """The service started on a log that other processes may have used since its last run."""

    service: UUID
    version: int
    """The number of the run, counted from 1."""
    at: datetime
    request: str
    entropy: str
    """64 hexadecimal digits, drawn at the start, that enter all seeds drawn during the run."""
    secret: str
    """The digest of the secret that all seeds are derived from."""
    salt: str = ""
    """Secret bits, as 32 hexadecimal digits. They keep anybody from guessing the content of an
    event from its digest. Events of earlier versions have none."""

    @property
    def aggregate(self) -> UUID:
        """Return the service's ID, which is the originator ID in the event store."""
        return self.service

    @property
    def run(self) -> Run:
        """Return the run in the form that match events refer to."""
        return Run(self.version, self.entropy, self.secret)


class Runs(Struct, frozen=True):
    """The current run, and the secrets of all runs so far."""

    id: UUID
    version: int
    digest: str
    """The digest of the last event, to which the next event is chained."""
    run: Run
    """The current run of the service."""
    since: datetime
    secrets: tuple[tuple[int, str], ...]
    """The digest of each secret, with the number of the first run that used it."""


class _RunsLedger(Ledger[Runs]):
    kind = "service"

    def _evolve(self, before: Runs | None, sealed: SealedEvent[Any]) -> Runs:
        return evolve(before, sealed)


def start_run(
    runs: Runs | None, entropy: str, secret: str, command_context: CommandContext
) -> Changeset[Runs]:
    """Start the next run, or the first one if `runs` is None."""
    ledger = _RunsLedger(runs, SERVICE_ID, command_context)
    ledger.record(RunBegun, entropy=entropy, secret=secret)
    return ledger.changeset()


def evolve(runs: Runs | None, sealed: SealedEvent[RunBegun]) -> Runs:
    """Return the runs after an event."""
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
