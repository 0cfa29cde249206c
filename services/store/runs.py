"""Runs of the service: each start records fresh entropy before anything is drawn.

A log and its folder can be restored to an earlier state. Nothing in them therefore shows whether
this service closed it, and each start begins a run: `docs/decisions/0059`. Services that share a
log share a run: the first one starts it, and later ones join it.
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
    """Return the run of this service: a new one, unless another service started it.

    A run that cannot be written is used all the same, since draws name their run.

    Args:
        log: The log.
        secret: Digest of the service's secret.
        downtime: The last downtime of a shared log. Runs that started after it are joined.

    Raises:
        LogUnavailable: The log is unreadable.
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
            continue  # another service was quicker: join its run
        except LogUnavailable as error:
            _LOG.warning("run_not_noted", why=str(error))
        _log_new_secret(runs, secret)
        return changeset.state.run


def _read(log: Log) -> Runs | None:
    return reduce(evolve, log.run_events(), NO_RUNS)


def _log_new_secret(before: Runs | None, secret: str) -> None:
    if before is not None and before.run.secret != secret:
        _LOG.warning(
            "secret_changed",
            was=before.run.secret,
            now=secret,
            last_run=before.version,
            why="matches with draws by the previous secret cannot draw any more",
        )
