"""The disk fails under a service that plays: nothing that was acknowledged is lost."""

from pathlib import Path

import pytest

from tests.disk import CODES, FULL
from tests.disk_faults import Fault, trial

FOR_EVER = 10**6


@pytest.mark.parametrize(
    "fault",
    [
        Fault("write", "log.sqlite-wal", CODES["write"], 2, 0),
        Fault("write", "log.sqlite-wal", FULL, 3, 3),
        Fault("sync", "log.sqlite-wal", CODES["sync"], 2, FOR_EVER),
        Fault("write", "reads-000001.sqlite-wal", CODES["write"], 1, 0),
    ],
    ids=lambda fault: f"{fault.call} {fault.file} {fault.code}",
)
async def test_an_error_of_the_disk_loses_nothing_that_was_acknowledged(
    tmp_path: Path, fault: Fault
) -> None:
    assert await trial(tmp_path, fault, patience_seconds=30), "the fault never struck"
