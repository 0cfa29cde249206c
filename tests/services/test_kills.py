"""The service is killed under load: what was acknowledged is there, once."""

from pathlib import Path

from tests.kills import run


async def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    actions, played = await run(tmp_path / "service", kills=2, seed=1)
    assert actions > 1
    assert played > 0
