"""What is in deploy/ is understood by those who read it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.runtime.settings import SECRETS, Settings

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "deploy" / "emeth@.service"
INSTALLED = "/opt/emeth/.venv/bin/emeth"


def test_the_unit_names_settings_that_there_are() -> None:
    named = set(re.findall(r"EMETH_([A-Z_]+)", UNIT.read_text()))
    known = {*Settings.__struct_fields__, *(f"{secret}_file" for secret in SECRETS)}
    assert {name.lower() for name in named} <= known


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    here = tmp_path / "emeth@one.service"
    emeth = str(Path(sys.executable).with_name("emeth"))
    here.write_text(UNIT.read_text().replace(INSTALLED, emeth))
    found = subprocess.run(
        ("systemd-analyze", "verify", "--man=no", str(here)), capture_output=True, text=True
    )
    assert "emeth@" not in found.stderr, found.stderr
