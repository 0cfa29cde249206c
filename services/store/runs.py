"""StartPolicy a run of the service on its log: fresh entropy, before anything is drawn.

A log can be put back to what it was, with all that lies beside it. So nothing that lies there tells
whether this service has closed it, and each start begins a run: `docs/decisions/0059`. Services
that share a log have a run together: the first of them begins it, and whoever comes while others
are there takes that one.
"""

import asyncio
import secrets
from functools import reduce
from typing import Final

import structlog

from domain.log.origin import SALT_BYTES, CommandContext
from domain.log.runs import Run
from domain.runs import SERVICE_ID, Runs, evolve, start_run
from services.runtime.clock import utc_now
from services.store.errors import LogUnavailable, RecordDamaged, VersionConflict
from services.store.log import Log
from services.store.opened_log import Downtime

_LOG: Final = structlog.get_logger(__name__)

ENTROPY_BYTES: Final = 32
NO_RUNS: Final[Runs | None] = None


async def join_or_start_run(log: Log, secret: str, downtime: Downtime | None) -> Run:
    """The run that this service is in: a new one, unless another service has begun it since the
    last outage. `secret` is the digest of the secret by which it goes.

    A run that cannot be written down is begun all the same: what is drawn in it names it.
    LogUnavailable if the log cannot be read.
    """
    while True:
        try:
            runs = await asyncio.to_thread(_read, log)
        except RecordDamaged as error:
            _LOG.error("runs_damaged", why=str(error))
            last = await asyncio.to_thread(log.newest_version, SERVICE_ID, 0)
            return Run(last, secrets.token_hex(ENTROPY_BYTES), secret)
        if runs and downtime and runs.since >= downtime.until:
            return runs.run
        now = utc_now()
        at = max(now, downtime.until) if downtime else now
        number = runs.version + 1 if runs else 1
        command_context = CommandContext(at, f"start {number}", secrets.token_bytes(SALT_BYTES))
        changeset = start_run(runs, secrets.token_hex(ENTROPY_BYTES), secret, command_context)
        try:
            await log.write(changeset.events)
        except VersionConflict:
            continue  # another service was quicker: its run may do
        except LogUnavailable as error:
            _LOG.warning("run_not_noted", why=str(error))
        _tell(runs, secret)
        return changeset.state.run


def _read(log: Log) -> Runs | None:
    return reduce(evolve, log.run_events(), NO_RUNS)


def _tell(before: Runs | None, secret: str) -> None:
    if before is not None and before.run.secret != secret:
        _LOG.warning(
            "secret_changed",
            was=before.run.secret,
            now=secret,
            last_run=before.version,
            why="matches that were promised draws from the other one can draw no more",
        )
