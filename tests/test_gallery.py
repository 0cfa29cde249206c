"""The gallery shows the games as they are drawn today."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_gallery_is_fresh() -> None:
    command = [sys.executable, ROOT / ".ci/draw-gallery", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
