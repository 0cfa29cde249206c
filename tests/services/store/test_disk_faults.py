"""The disk fails under a service that plays: nothing that was acknowledged is lost."""

from pathlib import Path

import pytest

from tests.disk import CODES, FULL
from tests.disk_faults import Fault, FaultSite, trial, trial_at

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


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (FaultSite("sync", "/secret.key.new"), "StartError: cannot keep keys"),
        (FaultSite("write", "/packs/*.boards.toml.new"), "StartError: content packs: cannot write"),
        (FaultSite("rename", "/vouchers/*.json.new"), "LOG_UNAVAILABLE: the file's attestation"),
        (FaultSite("create", "/reads/reads-*.sqlite"), "StartError: cannot make the read"),
        (FaultSite("delete", "/webhooks.sqlite-wal"), "nothing"),
    ],
    ids=lambda given: f"{given.call} {given.file}" if isinstance(given, FaultSite) else "",
)
async def test_each_failure_is_reported_and_the_next_start_finds_sound_data(
    tmp_path: Path, place: FaultSite, expected: str
) -> None:
    said = await trial_at(tmp_path, place, CODES[place.call])
    assert said.startswith(expected)
    assert said.startswith("StartError") or str(tmp_path) not in said, "callers are told no path"
