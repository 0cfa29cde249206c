"""The service of a page, run by Node as a browser runs it."""

import subprocess
from base64 import b64encode
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import msgspec

from services.files import JUDGE
from tests.console.conftest import BIN, WEB


class InPage:
    """Answers what it is asked, one thing at a time."""

    def __enter__(self) -> Self:
        archive = JUDGE / "runtime" / "archive.zip"
        assert archive.is_file(), "`make judge` builds what is tested here"
        command = [BIN / "node", "--no-warnings", "judge/in_node.ts", archive]
        self._process = subprocess.Popen(
            command, cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.communicate()

    def judge(self, raw: bytes) -> dict[str, Any]:
        """The verdict on a file."""
        verdict: dict[str, Any] = self._ask({"judge": b64encode(raw).decode()})
        return verdict

    def python(self, function: str, text: str) -> str:
        """What a function that a piece of Python ends with makes of a text."""
        return str(self._ask({"python": function, "text": text}))

    def _ask(self, asked: Mapping[str, str]) -> Any:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(msgspec.json.encode(asked) + b"\n")
        stdin.flush()
        return msgspec.json.decode(stdout.readline())
