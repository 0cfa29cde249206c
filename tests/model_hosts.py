"""Where the service runs that the model stands beside: in this process, or in one of its own."""

import asyncio
import shutil
from pathlib import Path
from signal import SIGKILL, SIGTERM
from typing import Protocol

from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from tests.services.cli.conftest import RunningService


def admin_key(place: Path) -> str:
    """The key of a service that has made it in its folder."""
    return (place / "data" / "admin.key").read_text().strip()


class Host(Protocol):
    """Runs a service on a folder, again and again."""

    address: str

    async def start(self) -> None:
        """Have it serve."""

    async def stop(self, *, killed: bool) -> None:
        """End it, as an operator does, or as a power cut or a kill does."""


class InProcessHost:
    """In this process: quick. A kill leaves the folder as it was before the service was stopped."""

    def __init__(self, place: Path) -> None:
        self.address = ""
        self._killed = place / "killed"
        self._settings = Settings(
            data=str(place / "data"), listen="127.0.0.1:0", http="no", drain_seconds=0
        )

    async def start(self) -> None:
        self._service = Service(self._settings, Limits(snapshot_every=7, cached_matches=2))
        await self._service.__aenter__()
        self.address = self._service.address

    async def stop(self, *, killed: bool) -> None:
        folder = self._settings.folder
        if killed:
            shutil.copytree(folder, self._killed)
        await self._service.__aexit__(None, None, None)
        if killed:
            shutil.rmtree(folder)
            self._killed.rename(folder)


class ProcessHost:
    """In a process of its own, which is really killed."""

    def __init__(self, place: Path) -> None:
        limits = Limits(snapshot_every=10, cached_matches=2)
        self._running = RunningService(place, "--http", "no", "--drain-seconds", "0", limits=limits)

    @property
    def address(self) -> str:
        return self._running.address

    async def start(self) -> None:
        await asyncio.to_thread(self._running.start)

    async def stop(self, *, killed: bool) -> None:
        await asyncio.to_thread(self._running.stop, SIGKILL if killed else SIGTERM)
