"""Loading matches in which the line goes back, from snapshots or without."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.match import Terms
from domain.registry import GAMES
from domain.storage.snapshots import take_snapshot
from services.store.loading import load_match, load_match_at, load_match_states
from services.store.log import Log
from tests.stores import both_stores
from tests.test_every_match import Life, lived

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.fixture
def log(tmp_path: Path, store: str) -> Iterator[Log]:
    opened = Log(tmp_path, print, store)
    yield opened
    opened.close()


async def written(log: Log, life: Life, every: int) -> Life:
    await log.write(life.events)
    for version in range(every, life.match.version, every):
        log.put_snapshot(take_snapshot(life.at(version), requests(life, version)))
    return life


def requests(life: Life, version: int) -> dict[str, int]:
    made: dict[str, int] = {}
    for sealed in life.events[:version]:
        made.setdefault(sealed.event.request, sealed.event.version)
    return made


@every_game
@pytest.mark.parametrize("every", [5, 20, 1000])
async def test_a_match_is_loaded_as_it_stood_at_every_version(
    log: Log, game: Any, every: int
) -> None:
    life = await written(log, lived(game, Terms("rolled", "free"), seed=every), every)
    assert load_match(log, life.id) == (life.match, requests(life, life.match.version))
    for version in range(1, life.match.version + 1):
        assert load_match_at(log, life.id, version) == life.at(version)
        some = load_match_states(log, life.id, version, 4)
        assert some == life.stood[version - len(some) : version]
        assert 1 <= len(some) <= 4


@both_stores
async def test_a_match_that_goes_back_to_before_its_snapshot_is_read_once(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many of the events since the snapshot go back to before it."""
    life = Life(GAMES["agog"], Terms(undo="free"))
    random = Random(1)
    for _ in range(30):
        life.act(random)
    for _ in range(40):
        life.undo(3)
    await written(log, life, 40)
    read = []
    usual = log.events

    def counted(*args: Any, **how: Any) -> Any:
        read.append(how)
        return usual(*args, **how)

    monkeypatch.setattr(log, "events", counted)
    assert load_match(log, life.id) == (life.match, requests(life, life.match.version))
    assert len(read) <= 2
