"""How long a service takes to start with many events in its log.

The log is made of matches of A.G.O.G., which the read models have followed before. Told is the time
from nothing until a client has an answer, of a process of its own: what it imports is in it.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from uuid import uuid4

from folding import Told
from memory import live_match, stamp

from domain.log.sealed_events import Sealed, seal
from domain.registry import GAMES
from msgspec.structs import replace
from projections.following.projector import Projector
from projections.following.runner import Follower
from projections.read_files import ReadModels
from services.store.log import Log

TOGETHER = 20_000
"""Events written at once."""


def fill(folder: Path, events: int) -> None:
    """Make a log of so many events, and its read models."""
    told = [live_match(GAMES["agog"], 70, Random(n), Told).events for n in range(20)]
    log = Log(folder, print)
    try:
        written, group = 0, list[Sealed]()
        while written < events:
            for events_of_one in told:
                previous, match = "0" * 64, uuid4()
                for each in events_of_one:
                    sealed = seal(previous, replace(each.event, match=match))
                    previous = sealed.digest
                    group.append(sealed)
            if len(group) >= TOGETHER or written + len(group) >= events:
                asyncio.run(log.write(group))
                written += len(group)
                group = []
    finally:
        log.close()
