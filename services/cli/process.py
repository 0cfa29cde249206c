"""The service as a process: its event loop, signals and exit code."""

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

import click
import structlog
import uvloop

from services.cli.start_hints import hints
from services.main import Service
from services.runtime import logging, tracing
from services.runtime.files import set_private_umask
from services.runtime.limits import Limits
from services.runtime.settings import Settings, masked_settings
from services.store.errors import StoreError
from services.store.startup import StartError, allow_many_files

log = structlog.get_logger(__name__)

GC_THRESHOLDS: Final = (10_000, 20, 100)
"""Thresholds of the garbage collector, as for `gc.set_threshold`.

With 2,000 and 5 the longest collection with 5,000 watchers takes a third of the time, but unary
calls cost a quarter more.
"""


SHUTDOWN_SECONDS: Final = 12.0
"""Seconds that closing may take after the drain time of calls in flight.

With the default settings the process ends within the 30 seconds that Kubernetes allows.
"""


def prepare_interpreter() -> None:
    """Make Python's garbage collector run rarely, and full collections very rarely.

    States and events are many and have no cycles. A full collection stops the service for a tenth
    of a second, which a player notices when tapping.
    """
    gc.set_threshold(*GC_THRESHOLDS)


def run(settings: Settings, ready_file: Path | None = None, limits: Limits | None = None) -> int:
    """Run the service until a signal stops it; return the exit code: 0, or 3 if it failed."""
    logging.configure(settings.log_level)
    set_private_umask()
    prepare_interpreter()
    allow_many_files()
    if settings.traces:
        try:
            tracing.start_tracing(settings.traces)
        except tracing.TracesUnavailable as error:
            click.echo(f"emeth: {error}", err=True)
            return 3
    try:
        return uvloop.run(_run(settings, ready_file, limits))
    finally:
        tracing.stop_tracing()


async def _run(settings: Settings, ready_file: Path | None, limits: Limits | None) -> int:
    loop = asyncio.get_running_loop()
    try:
        async with Service(settings, limits) as service:
            for number in (signal.SIGTERM, signal.SIGINT):
                loop.add_signal_handler(number, service.stopping.set)
            loop.add_signal_handler(signal.SIGHUP, _on_hang_up(service))
            log.info(
                "started",
                address=service.address,
                http=service.http_address,
                settings=masked_settings(settings),
            )
            _announce(service, ready_file)
            await service.stopping.wait()
            log.info("stopping", why=str(service.failed or "told to"))
            _end_after(settings.drain_seconds + SHUTDOWN_SECONDS)
    except (StartError, StoreError) as error:
        click.echo(f"emeth: {error}", err=True)
        return 3
    if service.failed:
        click.echo(f"emeth: {service.failed}", err=True)
        return 3
    return 0


def _end_after(seconds: float) -> None:
    """End the process by force after some seconds, in case a hanging database blocks its threads.

    No acknowledged event is lost: it is on disk.
    """

    def end() -> None:
        log.error("stopped_by_force", why=f"it had not ended {seconds:g} s after it was told to")
        os._exit(3)

    ending = threading.Timer(seconds, end)
    ending.daemon = True
    ending.start()


def _on_hang_up(service: Service) -> Callable[[], object]:
    """Return the handler of SIGHUP.

    With TLS it reloads certificates. Without TLS it stops a service whose terminal was closed, and
    does nothing to a service in the background.
    """
    if service.settings.tls_certificate:
        return service.reload_certificates
    if sys.stdin is not None and sys.stdin.isatty():
        return service.stopping.set
    return lambda: log.info("nothing_to_reload")


def _announce(service: Service, ready_file: Path | None) -> None:
    """Print the service's address and hints, and write the address to the ready file.

    Raises:
        StartError: The ready file cannot be written.
    """
    click.echo(f"Emeth listens on {service.address}, and keeps its log in {service.log_name}")
    if service.http_address:
        click.echo(f"Address for browsers and curl: {service.http_address}")
    click.echo(hints(service.settings, service.address))
    if ready_file is not None:
        try:
            ready_file.write_text(service.address)
        except OSError as error:
            raise StartError(
                f"cannot write the ready file {ready_file}: {error.strerror}; name another with"
                " --ready-file"
            ) from None
