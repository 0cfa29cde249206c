"""Errors of the disk at each place where SQLite calls it: none loses what was acknowledged.

A service plays, and one call on one of its files fails, for a while or for ever: a write, a sync, a
read, for want of room or since the disk is broken. It may say so, and it may end. Afterwards a
service on the same folder has all that was acknowledged. A test tries some such faults; for more:

    python -m tests.disk_faults --seconds 600 --seed 1

or each place once, for each reason that it may have:

    python -m tests.disk_faults --each
"""

import argparse
import asyncio
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from services.client import Client, ServiceError
from services.main import Service
from services.runtime import logging
from services.runtime.limits import Limits
from services.runtime.settings import Settings
from services.store.errors import StoreError
from services.store.startup import StartError
from services.wire.emeth.v1 import play_pb2
from tests.disk import CODES, FULL, Call, Disk
from tests.power_cuts import Acknowledged, DataLostError, Workload, check, check_served, shown
from tests.services.conftest import CreatedMatch, create_match

CALLS: Final[tuple[Call, ...]] = ("write", "sync", "read", "truncate", "delete")
FILES: Final = (
    *("log.sqlite", "log.sqlite-wal", "people.sqlite-wal"),
    *("reads-000001.sqlite", "reads-000001.sqlite-wal"),
)
ACTIONS: Final = 8
MASKED: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|[0-9]{6}")
"""What differs in names of files that are alike."""
REFUSALS: Final = 3
"""So often a player tries again."""


class Fault(NamedTuple):
    """What fails: the `first` such call from now on, and so many after it."""

    call: Call
    file: str
    code: int
    first: int
    more: int


class ArmedFault:
    """A fault that waits for its call."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        self._seen = 0
        self.struck = 0
        """How many calls have failed."""

    def __call__(self, call: Call, path: str) -> int:
        fault = self._fault
        if call != fault.call or not path.endswith(f"/{fault.file}"):
            return 0
        self._seen += 1
        if not fault.first <= self._seen <= fault.first + fault.more:
            return 0
        self.struck += 1
        return fault.code


def faults(chance: Random) -> Fault:
    """Any fault."""
    call = chance.choice(CALLS)
    code = FULL if call in ("write", "truncate") and chance.random() < 0.4 else CODES[call]
    more = chance.choice((0, 0, 3, 10**6))
    return Fault(call, chance.choice(FILES), code, chance.randint(1, 4), more)


async def trial(base: Path, fault: Fault, patience_seconds: float = 0.0) -> int:
    """Play, have it strike, for which it has some seconds of patience, and look what is left; how
    many calls failed. Raises Lost."""
    settings = Settings(data=str(base / "data"), listen="127.0.0.1:0", http="no", drain_seconds=0)
    disk, armed = Disk(base), ArmedFault(fault)
    acknowledged: list[Acknowledged] = []
    with disk.watched():
        async with (
            Service(settings, Limits(snapshot_every=4)) as service,
            Client(service.address) as patient,
            Client(service.address, patience_seconds=0) as client,
        ):
            match = await create_match(patient)
            await shown(client, match.id, 1)  # it is connected from here on
            disk.fault = armed
            acknowledged += await _play(client, match)
            until = monotonic() + patience_seconds
            while not armed.struck and monotonic() < until:  # noqa: ASYNC110  # it has no event
                await asyncio.sleep(0.01)
            disk.fault = lambda call, path: 0
            acknowledged += await _play(client, match)
    check(base, acknowledged)
    await check_served(settings, acknowledged)
    return armed.struck


async def _play(client: Client, match: CreatedMatch) -> list[Acknowledged]:
    """Act, whether the service takes it or not; what it has acknowledged."""
    done: list[Acknowledged] = []
    refused = 0
    for _ in range(ACTIONS):
        if refused == REFUSALS:
            break
        try:
            done += await _act(client, match)
        except ServiceError:
            refused += 1
    return done


async def _act(client: Client, match: CreatedMatch) -> list[Acknowledged]:
    for seat in ("white", "black"):
        request = play_pb2.ListActionsRequest(match_id=match.id, page_size=8)
        listed = await client._call(client._play.ListActions, request, match.tokens[seat])
        if real := [each.notation for each in listed.actions if each.verb != "resign"]:
            answer = await client.submit(match.tokens[seat], match.id, real[0])
            return [Acknowledged(0, "match", match.id, answer.accepted.version)]
    return []


# --- each place ----------------------------------------------------------------------------------


class FaultSite(NamedTuple):
    """Where something calls the disk: a call, on a file that has names like this."""

    call: Call
    file: str

    @classmethod
    def of(cls, call: Call, path: str) -> "FaultSite":
        return cls(call, MASKED.sub("*", path.rpartition("/data")[2]))


async def fault_sites(base: Path) -> list[FaultSite]:
    """Every place where a service calls the disk that starts twice, plays, adds packs, names
    players and takes in a match."""
    workload, found = Workload(base), dict[FaultSite, None]()

    def note(call: Call, path: str) -> int:
        if path.startswith(str(workload.settings.folder)):
            found[FaultSite.of(call, path)] = None
        return 0

    await workload.prepare()
    workload.disk.fault = note
    with workload.disk.watched():
        for number in range(2):
            await workload.start(number, 6)
    return sorted(found)


async def trial_at(base: Path, place: FaultSite, code: int, first: int = 1) -> str:
    """Do all that while one place fails for once; what the service said, or that it said nothing;
    empty if it never came to that. Raises Lost, or whatever else nobody ought to be told."""
    workload, seen, said = Workload(base), 0, ""

    def fault(call: Call, path: str) -> int:
        nonlocal seen
        if FaultSite.of(call, path) != place:
            return 0
        seen += 1
        return code if seen == first else 0

    await workload.prepare()
    workload.disk.fault = fault
    with workload.disk.watched():
        for number in range(2):
            try:
                await workload.start(number, 6, patience_seconds=0)
            except (StartError, StoreError) as error:
                said = said or f"{type(error).__name__}: {error}"
            except ServiceError as error:
                said = said or f"{error.reason}: {error.message}"
                if error.reason == "INTERNAL":
                    raise
    if seen < first:
        return ""
    folder = base / "watched"
    check(folder, workload.acknowledged)
    await check_served(workload.settings, workload.acknowledged)
    return said or "nothing"


def reasons(place: FaultSite) -> tuple[int, ...]:
    """Why a call may fail there."""
    grows = place.call in ("write", "create", "truncate")
    return (CODES[place.call], FULL) if grows else (CODES[place.call],)


def try_each_site() -> int:
    """Have each place fail once for each reason; how many of these lost anything."""
    came = Counter[str]()
    with tempfile.TemporaryDirectory() as base:
        known = asyncio.run(fault_sites(Path(base)))
    for place, code in [(each, code) for each in known for code in reasons(each)]:
        with tempfile.TemporaryDirectory() as base:
            try:
                said = asyncio.run(trial_at(Path(base), place, code))
                came["refused with a reason" if said not in ("", "nothing") else "went on"] += 1
            except (DataLostError, ServiceError, StoreError, StartError, OSError) as error:
                came["lost"] += 1
                print(f"{place} {code}: {error}", file=sys.stderr)  # noqa: T201
    print(f"{dict(came)}; {len(known)} places that call the disk")  # noqa: T201
    return came["lost"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--each", action="store_true", help="each place once, however long it takes"
    )
    given = parser.parse_args()
    logging.configure("critical")
    if given.each:
        sys.exit(min(1, try_each_site()))
    chance, came, until = Random(given.seed), Counter[str](), monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as base:
        known = asyncio.run(fault_sites(Path(base)))
    tried = set[FaultSite]()
    while monotonic() < until:
        with tempfile.TemporaryDirectory() as base:
            if chance.random() < 0.5:
                fault: Fault | FaultSite = faults(chance)
                trying = trial(Path(base), fault)
            else:
                fault = chance.choice(sorted(set(known) - tried) or known)
                code = chance.choice(reasons(fault))
                trying = trial_at(Path(base), fault, code, 1 if fault not in tried else 2)
                tried.add(fault)
            try:
                came["struck" if asyncio.run(trying) else "passed by"] += 1
            except (DataLostError, ServiceError, StoreError, StartError, OSError) as error:
                came["lost"] += 1
                print(f"{fault}: {error}", file=sys.stderr)  # noqa: T201
    print(f"{dict(came)}; {len(tried)} of {len(known)} places that call the disk")  # noqa: T201
    sys.exit(1 if came["lost"] else 0)


if __name__ == "__main__":
    main()
