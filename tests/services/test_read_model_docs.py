"""The read model on the page about read models works as it is printed there."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from services.client import Client
from services.main import Service
from services.store.log import FILE
from tests.services.conftest import OPENING, CreatedMatch, create_match, play

PAGE = Path(__file__).parents[2] / "docs/read-models.md"


@pytest.fixture
def printed() -> dict[str, Any]:
    """What the page's program defines."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    lines = [line for line in program.splitlines() if line.strip()]
    assert 25 <= len(lines) <= 35
    names: dict[str, Any] = {"__name__": "printed"}
    exec(compile(program, str(PAGE), "exec"), names)  # noqa: S102  # it is our own page
    return names


def action_counts(tally: Path) -> dict[tuple[str, str], int]:
    with closing(sqlite3.connect(tally)) as database:
        rows = database.execute("SELECT match, seat, actions FROM tally")
        return {(match, seat): actions for match, seat, actions in rows}


def counts(match: CreatedMatch, each: int) -> dict[tuple[str, str], int]:
    return {(str(UUID(match.id)), seat): each for seat in ("white", "black")}


async def test_a_strangers_read_model_follows_a_live_log_and_continues_where_it_stopped(
    printed: dict[str, Any], service: Service, client: Client, tmp_path: Path
) -> None:
    tally = tmp_path / "tally.sqlite"
    log = str(tmp_path / "data" / FILE)
    first = await create_match(client)
    await play(client, first, *OPENING[:2])
    with printed["following"](log, str(tally)) as runner:
        runner.wait(runner.app.recorder.max_notification_id(), timeout=20)
        assert action_counts(tally) == counts(first, 1)
        await play(client, first, *OPENING[2:])  # while it looks on
        runner.wait(runner.app.recorder.max_notification_id(), timeout=20)
        assert action_counts(tally) == counts(first, 2)
    second = await create_match(client)
    await play(client, second, *OPENING)  # while it does not
    with printed["following"](log, str(tally)) as runner:
        runner.wait(runner.app.recorder.max_notification_id(), timeout=20)
    assert action_counts(tally) == counts(first, 2) | counts(second, 2)
