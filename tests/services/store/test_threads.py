"""A log is read by several threads at once, from the first moment on."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from tests.services.conftest import OPENING, create_match, play

ROOT = Path(__file__).parents[3]
READ = """
import random, sqlite3, sys, threading, time
import services.main
from domain.storage.mapper import prepare_decoders, read_envelope, _step_decoder
from domain.storage.snapshots import match_decoder
from domain.registry import GAMES

with sqlite3.connect(sys.argv[1]) as database:
    states = [state for (state,) in database.execute("SELECT state FROM stored_events")]
prepare_decoders()
sys.setswitchinterval(1e-6)
begin = threading.Barrier(6)

def read(number):
    begin.wait()
    time.sleep(number * 0.002 * random.random())
    for state in states:
        _step_decoder().decode(state)
        read_envelope(state)
    for game in GAMES:
        match_decoder(game)

threads = [threading.Thread(target=read, args=(number,)) for number in range(6)]
for each in threads:
    each.start()
for each in threads:
    each.join()
"""


@pytest.mark.parametrize("attempt", range(3))
async def test_threads_that_read_the_same_kinds_of_events_at_once(
    settings: Settings, attempt: int
) -> None:
    """Without preparation this ends in a segmentation fault, each time."""
    async with Service(settings) as service, Client(service.address) as client:
        await play(client, await create_match(client), *OPENING)
        await create_match(client, "earthen-war")
    command = [sys.executable, "-c", READ, str(settings.folder / "log.sqlite")]
    done = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
