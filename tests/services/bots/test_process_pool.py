"""The processes in which bots think."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
THINKING = """
import asyncio
from services.bots.process_pool import SearchPool

async def main():
    pool = SearchPool(1)
    print((await pool.run(bytes.upper, b"thought")).decode(), flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""


def test_a_process_that_thinks_ends_with_its_service_however_that_ended() -> None:
    command = [sys.executable, "-c", THINKING]
    service = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert service.stdout is not None
    assert service.stdout.readline() == b"THOUGHT\n"
    service.kill()
    # Whoever thinks for it has the other end too: there is no more to read when all have gone.
    assert service.communicate(timeout=30) == (b"", None)
