"""docs/performance.md is what the measurements say."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_page_of_figures_is_fresh() -> None:
    command = [sys.executable, ROOT / ".ci/write-performance", "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
