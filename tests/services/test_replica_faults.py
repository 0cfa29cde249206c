"""Replicas that are killed, frozen or cut off, and a database that crashes, lose nothing."""

from pathlib import Path

from tests.postgres import Databases
from tests.replica_faults import run


async def test_nothing_acknowledged_is_lost_or_doubled(tmp_path: Path, postgres: Databases) -> None:
    own = Databases(postgres.server.pgdata.with_name(f"{postgres.server.pgdata.name}-faults"))
    try:
        found = await run(tmp_path, own, seconds=6, replicas=2, matches=5, seed=1)
    finally:
        own.close()
    assert {"kill", "freeze", "cut", "crash_the_database"} <= set(found.faults)
    assert found.actions > 20
    assert found.taps > 0  # gateways wait longest for what failed
