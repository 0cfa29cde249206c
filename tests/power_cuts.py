"""Power cuts: what a disk may hold when the power fails at some instant, and what must be there.

A service plays while all that it writes and syncs is noted (`tests.disk`), and so is what it has
acknowledged by then. A power cut keeps all that was synced. Of the rest each write is kept, dropped
or torn, sector by sector, and so is each new, changed or removed name in a folder that was not
synced. A test makes some such images; for more:

    python -m tests.power_cuts --images 10000 --seed 1
"""

import argparse
import asyncio
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import grpc
from msgspec.structs import replace

from services.client import Client, ServiceError
from services.main import Service
from services.runtime import logging
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.store import backup
from services.store.backup import BackupError, back_up, restore
from services.store.errors import StoreError
from services.store.log import Log
from services.store.player_profiles import PlayerProfiles
from services.wire.emeth.v1 import matches_pb2 as matches
from tests.disk import Disk, Op
from tests.services.conftest import CreatedMatch, advance, create_match, newest_version

SECTOR: Final = 512
"""Bytes that a disk writes whole or not at all."""
KEYS: Final = ("secret.key", "signing.key", "admin.key")
READS: Final = "/reads/"
PATIENCE_SECONDS: Final = 30.0
LIMITS = Limits(snapshot_every=10)
PACKS: Final = Path(__file__).parent / "games" / "golem_arcana" / "packs"

Kind = Literal["file", "match", "player", "voucher", "backup", "restored"]


class Acknowledged(NamedTuple):
    """What must be there after a power cut later than this."""

    ops: int
    """How many of the disk's calls had been made."""
    kind: Kind
    name: str
    value: Any


# --- what happens --------------------------------------------------------------------------------


class Workload:
    """A service that plays, takes in files and players, and is started again."""

    def __init__(self, base: Path, seed: int = 1) -> None:
        self.chance = Random(seed)
        packs = base / "packs"
        packs.mkdir()
        for path in PACKS.glob("duel.*"):
            shutil.copy(path, packs)
        self.settings = Settings(
            data=str(base / "watched" / "data"),
            packs=str(packs),
            listen="127.0.0.1:0",
            http="no",
            drain_seconds=0,
        )
        self.elsewhere = replace(self.settings, data=str(base / "elsewhere"))
        self.disk = Disk(base / "watched")
        self.kept = base / "watched" / "kept"
        """Where backups are."""
        self.disk.by_others = str(self.kept)
        self.acknowledged: list[Acknowledged] = []
        self.matches: list[CreatedMatch] = []
        self.file = b""

    async def happen(self, starts: int = 3, actions: int = 12) -> "Workload":
        """All of it, and then the power fails while the service runs."""
        await self.prepare()
        with self.disk.watched():
            for start in range(starts):
                await self.start(start, actions, backed_up=True)
        return self

    async def prepare(self) -> None:
        """What comes before: a match that was played elsewhere."""
        self.settings.folder.parent.mkdir()
        async with Service(self.elsewhere, LIMITS) as service, Client(service.address) as client:
            match = await create_match(client)
            await advance(client, match, 4)
            pieces = client.export_match(match.tokens["referee"], match.id)
            self.file = b"".join([piece.data async for piece in pieces])

    async def start(
        self, number: int, actions: int, patience_seconds: float = 2.0, *, backed_up: bool = False
    ) -> None:
        """Start a service, play, and stop it."""
        async with (
            Service(self.settings, LIMITS) as service,
            Client(service.address, patience_seconds=patience_seconds) as client,
        ):
            self._started()
            await self._play(service, client, number, actions)
            if backed_up:
                await asyncio.to_thread(self._back_up, number)

    def _note(self, kind: Kind, name: str, value: Any) -> None:
        self.acknowledged.append(Acknowledged(len(self.disk.ops), kind, name, value))

    def _started(self) -> None:
        folder = self.settings.folder
        for path in [*(folder / name for name in KEYS), *(folder / "packs").iterdir()]:
            self._note("file", str(path.relative_to(folder)), path.read_bytes())

    def _back_up(self, start: int) -> None:
        """Into a folder or a file, and back again."""
        place = self.kept / (f"{start}" if start % 2 else f"{start}.tar")
        made = back_up(self.settings.folder, place)
        self._note("backup", place.name, made)
        restored = self.kept / f"restored {start}"
        restore([place], restored)
        self._note("restored", restored.name, made.events)

    async def _play(self, service: Service, client: Client, start: int, actions: int) -> None:
        admin = service.admin_key
        for game in ("agog", "earthen-war"):
            rolled = game != "agog"
            terms = {"chance": matches.CHANCE_ROLLED} if rolled else {}
            self.matches.append(await create_match(client, game, **terms))
        made = await client.create_frontend(admin, frontend={"name": f"Site {start}"})
        for _ in range(actions):
            match = self.chance.choice(self.matches)
            await advance(client, match, 1)
            self._note("match", match.id, await newest_version(client, match))
        async with Client(service.address, frontend_key=made.key) as site:
            for number in range(3):
                name = f"Player {start} {number}"
                updated = await site.update_player(
                    player={"external_id": str(number), "name": name}, allow_missing=True
                )
                self._note("player", updated.player.player_id, name)
        if start == 0:
            taken = await client.import_file(admin, self.file)
            attestation = self.settings.folder / "vouchers" / f"{taken.match_id}.json"
            self._note("voucher", attestation.name, attestation.read_bytes())


# --- what a disk may hold ------------------------------------------------------------------------


class _File:
    """What is in a file: for sure, and perhaps."""

    def __init__(self) -> None:
        self.kept = bytearray()
        self.proposal: list[Op] = []

    def sync(self) -> None:
        for op in self.proposal:
            _do(self.kept, op, op.data and [(0, len(op.data))])
        self.proposal.clear()

    def image(self, chance: Random) -> bytes:
        content = bytearray(self.kept)
        for op in self.proposal:
            fate = chance.choice(("kept", "dropped", "torn"))
            if fate == "kept":
                _do(content, op, [(0, len(op.data))])
            elif fate == "torn" and op.data:
                _do(content, op, [each for each in _sectors(op) if chance.random() < 0.5])
        return bytes(content)


def _sectors(op: Op) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(op.data):
        end = min(len(op.data), at + SECTOR - (op.at + at) % SECTOR)
        yield at, end
        at = end


def _do(content: bytearray, op: Op, pieces: Any) -> None:
    if op.call == "truncate":
        del content[op.at :]
        content.extend(bytes(op.at - len(content)))
        return
    for begin, end in pieces or ():
        at = op.at + begin
        content.extend(bytes(max(0, at - len(content))))
        content[at : at + end - begin] = op.data[begin:end]


class FileOperation(dict[str, "_File | None"]):
    """The names below a folder: each with its file, or None for a folder."""

    def change(self, op: Op, file: "_File | None") -> None:
        if op.call == "create":
            self[op.path] = file
        elif op.call == "delete":
            self.pop(op.path, None)
        else:  # a folder is renamed with what is known to be in it
            below = [name for name in self if name.startswith(f"{op.path}/")]
            self.pop(op.path, None)
            self[op.to] = file
            for name in below:
                self[op.to + name.removeprefix(op.path)] = self.pop(name)


class DiskImages:
    """The disk, call after call."""

    def __init__(self) -> None:
        self._kept = FileOperation()
        self._now = FileOperation()
        self._pending: dict[str, list[tuple[Op, _File | None]]] = {}

    def take(self, op: Op) -> None:
        """The next call."""
        match op.call:
            case "create":
                file = None if op.path.endswith("/") else _File()
                self._name(op._replace(path=op.path.rstrip("/")), file)
            case "delete" | "rename":
                if op.path in self._now:
                    self._name(op, self._now[op.path])
            case "write" | "truncate":
                if (file := self._now.get(op.path)) is not None:
                    file.proposal.append(op)
            case "sync":
                if (file := self._now.get(op.path)) is not None:
                    file.sync()
            case "sync-folder":
                for change in self._pending.pop(op.path, ()):
                    self._kept.change(*change)

    def _name(self, op: Op, file: _File | None) -> None:
        self._now.change(op, file)
        # Who syncs the folder that a name was moved to has the new name.
        self._pending.setdefault(str(Path(op.to or op.path).parent), []).append((op, file))

    def image(self, chance: Random, base: str, to: Path, *, reads: bool) -> None:
        """Write what the disk may hold now into a folder; without the read models, if need be."""
        names = FileOperation(self._kept)
        for changes in self._pending.values():
            # Some file systems keep the order of what happens to names, and some do not.
            ordered, upto = chance.random() < 0.5, chance.randint(0, len(changes))
            for number, change in enumerate(changes):
                if number < upto if ordered else chance.random() < 0.5:
                    names.change(*change)
        folders = {name for name, file in names.items() if file is None} | {base}
        for name in sorted(names):
            inside = all(str(each) in folders for each in Path(name).parents if _below(each, base))
            if not inside or (READS in f"{name}/" and not reads):
                continue
            path, file = to / Path(name).relative_to(base), names[name]
            if file is None:
                path.mkdir(mode=0o700, parents=True)
            else:
                path.write_bytes(file.image(chance))
                path.chmod(0o600)


def _below(path: Path, base: str) -> bool:
    return len(str(path)) > len(base)


# --- what must be there --------------------------------------------------------------------------


class DataLostError(AssertionError):  # it says what is so
    """Something that was acknowledged is not there."""


def check(folder: Path, due: list[Acknowledged]) -> None:
    """Raise Lost unless all of this is in the data of a service that lost its power."""
    if not due:
        return
    data = folder / "data"
    latest = {(each.kind, each.name): each.value for each in due}
    for (kind, name), value in latest.items():
        if kind == "file" and (not (data / name).exists() or (data / name).read_bytes() != value):
            raise DataLostError(f"{name} is not as it was")
    for (kind, name), value in latest.items():
        if kind == "backup" and backup.check(folder / "kept" / name) != value:
            raise DataLostError(f"backup {name} is another")
        if kind == "restored":
            with closing(Log(folder / "kept" / name, lambda failure: None)) as log:
                if log.newest() != value:
                    raise DataLostError(
                        f"what was restored has {log.newest()} events and not {value}"
                    )
    with closing(Log(data, lambda failure: None)) as log:
        newest_event = log.newest()
        if len(log.recorder.select_notifications(1, 10**9)) != newest_event:
            raise DataLostError("events are missing")
        for (kind, name), value in latest.items():
            if kind == "match" and len([*log.events(UUID(name))]) < value:
                raise DataLostError(f"match {name} has no version {value}")
            if kind == "voucher" and log.side_store.get("vouchers", name) != value:
                raise DataLostError(f"the voucher {name}")
            if kind == "player" and PlayerProfiles(log.side_store).name(UUID(name)) != value:
                raise DataLostError(f"player {value}")


async def check_served(settings: Settings, due: list[Acknowledged]) -> None:
    """Raise Lost unless a service starts on the folder, and returns all of this."""
    latest = {each.name: each.value for each in due if each.kind == "match"}
    async with Service(settings, LIMITS) as service, Client(service.address) as client:
        for name, version in latest.items():
            found = await shown(client, name, version)
            if found.version < version:
                raise DataLostError(f"match {name} is shown at version {found.version}")


async def shown(client: Client, name: str, version: int) -> matches.Match:
    """A match, as soon as the read models have the version, however slow the machine is."""
    until = monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return await client.match(name, version)
        except ServiceError as error:
            away = error.code is grpc.StatusCode.UNAVAILABLE
            if not (away or error.reason == "REPLICA_LAG") or monotonic() > until:
                raise


# --- trials --------------------------------------------------------------------------------------


def crash_points(workload: Workload, images: int, chance: Random) -> list[int]:
    """When the power fails: at any call, at the calls of the log, and just after answers."""
    ops = workload.disk.ops
    own = [number for number, op in enumerate(ops, 1) if READS not in op.path]
    answered = [each.ops for each in workload.acknowledged]
    return sorted(chance.choice((range(len(ops)), own, answered)[n % 3]) for n in range(images))


def cut_power(workload: Workload, images: int, seed: int, serve_each: int = 20) -> Counter[str]:
    """Cut the power so often; how it came out. One in so many images is served, too."""
    chance, base = Random(seed), workload.disk.folder
    platter, done, came = DiskImages(), 0, Counter[str]()
    with tempfile.TemporaryDirectory(dir=_memory()) as place:
        for number, at in enumerate(crash_points(workload, images, chance)):
            while done < at:
                platter.take(workload.disk.ops[done])
                done += 1
            to, served = Path(place) / str(number), number % serve_each == 0
            to.mkdir()
            platter.image(chance, base, to, reads=served)
            due = [each for each in workload.acknowledged if each.ops <= at]
            try:
                check(to, due)
                if served and due:
                    settings = replace(workload.settings, data=str(to / "data"))
                    asyncio.run(check_served(settings, due))
                came["whole"] += 1
            except (DataLostError, StoreError, BackupError, OSError) as lost:
                came["lost"] += 1
                print(f"at call {at} of {len(workload.disk.ops)}: {lost}", file=sys.stderr)  # noqa: T201
            shutil.rmtree(to)
    return came


def _memory() -> str | None:
    """Images are many and short-lived: in memory, where there is a file system for that."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    logging.configure("critical")
    with tempfile.TemporaryDirectory() as base:
        workload = asyncio.run(Workload(Path(base), given.seed).happen(actions=60))
        came = cut_power(workload, given.images, given.seed)
    print(f"{came['whole']} images whole, {came['lost']} lost, of {len(workload.disk.ops)} calls")  # noqa: T201
    sys.exit(1 if came["lost"] or workload.disk.strays else 0)


if __name__ == "__main__":
    main()
