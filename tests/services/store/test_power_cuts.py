"""The power fails at any instant: what was acknowledged is on the disk, whatever else is not."""

from pathlib import Path
from random import Random

import pytest

from tests.disk import Op
from tests.power_cuts import DiskImages, Workload, cut_power

IMAGES = 60


@pytest.fixture
async def workload(tmp_path: Path) -> Workload:
    return await Workload(tmp_path).happen(starts=2)


def test_nothing_that_was_acknowledged_is_lost(workload: Workload) -> None:
    assert workload.disk.strays == [], "a file is written in a way that is not watched"
    kinds = {each.kind for each in workload.acknowledged}
    assert kinds == {"file", "match", "player", "voucher", "backup", "restored"}
    assert cut_power(workload, IMAGES, seed=1, serve_each=IMAGES // 3) == {"whole": IMAGES}
    # Without any of these, something would be: so the images are as bad as they ought to be.
    for call, path in (("sync", "log.sqlite-wal"), ("sync", ".new"), ("sync-folder", "data")):
        believed = workload.disk.ops
        workload.disk.ops = [
            Op("read", op.path) if op.call == call and op.path.endswith(path) else op
            for op in believed
        ]
        assert cut_power(workload, IMAGES // 2, seed=1, serve_each=IMAGES)["lost"], (call, path)
        workload.disk.ops = believed


def test_what_is_not_synced_is_kept_dropped_or_torn(tmp_path: Path) -> None:
    platter, found = DiskImages(), set()
    for op in (
        *(Op("create", "/d/a"), Op("write", "/d/a", 0, b"old " * 256), Op("sync", "/d/a")),
        *(Op("sync-folder", "/d"), Op("write", "/d/a", 0, b"new " * 256)),
        *(Op("rename", "/d/a", to="/d/b"), Op("create", "/d/c")),
    ):
        platter.take(op)
    for number in range(60):
        to = tmp_path / str(number)
        to.mkdir()
        platter.image(Random(number), "/d", to, reads=True)
        names = {path.name for path in to.iterdir()}
        content = (to / min(names)).read_bytes()
        found.add((frozenset(names), content[:4], content[512:516]))
    assert {names for names, *_ in found} == {
        *map(frozenset, ("a", "b", "ac", "bc")),
    }
    assert {(first, second) for _, first, second in found} == {
        (one, other) for one in (b"old ", b"new ") for other in (b"old ", b"new ")
    }
