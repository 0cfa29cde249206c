"""A service as a process of its own, a real browser, and pages that must not complain."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "web"
BIN: Final = Path(sys.executable).parent
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
DESKTOP: Final = {"width": 1400, "height": 900}
PHONE: Final = {"width": 390, "height": 844}

PATIENCE_SECONDS: Final = 30.0
"""A page on a machine that is busy may be slow, and is not wrong for it."""
expect.set_options(timeout=PATIENCE_SECONDS * 1000)


def node(*arguments: str, timeout: float = 60) -> str:
    """What Node prints, run in `web/`."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["node", *arguments],
        cwd=WEB,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def chromium_path() -> str:
    """A Chromium of this machine, or else the one of the npm package."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    unpack = "import('@sparticuz/chromium').then(async m => console.log(await m.default."
    return node("-e", f"{unpack}executablePath()))").strip().splitlines()[-1]


class ConsoleService:
    """A service that can be killed and started again at the same addresses."""

    def __init__(self, folder: Path, *flags: str) -> None:
        self.folder = folder
        self._flags = flags
        self._process: subprocess.Popen[str] | None = None
        self.http = "127.0.0.1:0"
        self.grpc = ""

    def start(self) -> None:
        command = [str(BIN / "emeth"), "serve", "--listen", "127.0.0.1:0", "--http", self.http]
        self._process = subprocess.Popen(
            [*command, "--data", str(self.folder / "data"), *self._flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("Emeth listens on "):
                self.grpc = line.removeprefix("Emeth listens on ").partition(",")[0]
            if "http://" in line:
                self.http = line.strip().rpartition("http://")[2]
                break
        self.call("GamesService/ListGames", {})

    @property
    def process(self) -> int:
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    @property
    def url(self) -> str:
        return f"http://{self.http}"

    def call(self, method: str, request: dict[str, Any], token: str = "") -> dict[str, Any]:
        """A call in JSON, as a stranger makes it."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        body = json.dumps(request).encode()
        asked = urllib.request.Request(f"{self.url}/emeth.v1.{method}", body, headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
        return found

    def create(self, game: str, **terms: object) -> "StartedMatch":
        request = {"requestId": str(uuid4()), "game": game, "chance": "CHANCE_ROLLED", **terms}
        created = self.call("MatchesService/CreateMatch", request)
        return StartedMatch(self, created["match"]["matchId"], created["tokens"])


class StartedMatch:
    """A match with all its tokens."""

    def __init__(self, served: ConsoleService, identity: str, tokens: dict[str, str]) -> None:
        self._served = served
        self.id = identity
        self.tokens = tokens

    def link(self, *roles: str) -> str:
        """The address of the match's page, with the tokens of these roles."""
        tokens = urlencode({role: self.tokens[role] for role in roles})
        return f"{self._served.url}/?match={self.id}#{tokens}"

    @property
    def now(self) -> dict[str, Any]:
        token = self.tokens.get("referee", "")
        found = self._served.call("MatchesService/GetMatch", {"matchId": self.id}, token)
        match: dict[str, Any] = found["match"]
        return match

    def asked(self) -> str:
        """A seat that may act."""
        return str(self.now["prompts"][0]["seat"])

    def actor(self, seat: str) -> str:
        """The role whose token acts for this name of a recorded game."""
        return seat if seat in self.tokens else self.asked()

    def actions(self, seat: str, group: str = "") -> list[dict[str, Any]]:
        request = {"matchId": self.id, "pageSize": 500, "group": group}
        found = self._served.call("PlayService/ListActions", request, self.tokens[seat])
        return [each for each in found.get("actions", ()) if each["verb"] != "resign"]

    def submit(self, seat: str, notation: str) -> None:
        request = {"requestId": str(uuid4()), "matchId": self.id, "action": notation}
        answer = self._served.call("PlayService/SubmitAction", request, self.tokens[seat])
        assert "accepted" in answer, answer

    def scene(self, viewer: str) -> dict[str, Any]:
        """What there is now, as this viewer sees it."""
        request = {"matchId": self.id, "atLeastVersion": self.now["version"]}
        found = self._served.call("ViewsService/GetView", request, self.tokens[viewer])
        scene: dict[str, Any] = found["view"]["scene"]
        return scene

    def events(self, viewer: str = "referee", *, changes: bool = False) -> list[dict[str, Any]]:
        """Return all events of the match, as this viewer sees them."""
        version = self.now["version"]
        request = {"matchId": self.id, "pageSize": 500, "atLeastVersion": version}
        request |= {"includeChanges": changes}
        found = self._served.call("HistoryService/ListEvents", request, self.tokens[viewer])
        events: list[dict[str, Any]] = found["events"]
        return events

    def taken(self) -> list[str]:
        """The notation of all actions that were taken."""
        return [each["action"]["notation"] for each in self.events() if each.get("action")]

    def last_sentence(self, viewer: str) -> str:
        """What happened last, in words."""
        return str(self.events(viewer)[-1]["sentence"])


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ConsoleService]:
    service = ConsoleService(tmp_path_factory.mktemp("console"))
    service.start()
    yield service
    service.kill()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
        yield running
        running.close()


Open = Callable[..., Page]


@pytest.fixture
def complaints() -> list[str]:
    """What pages complained of; a test that expects something takes it out."""
    return []


@pytest.fixture
def open_page(browser: Browser, complaints: list[str]) -> Iterator[Open]:
    """Opens pages, each in a browser profile of its own. None may complain, as of its policy."""
    contexts: list[BrowserContext] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    def opened(
        url: str, size: dict[str, int] | None = None, script: str = "", **options: Any
    ) -> Page:
        options = {"reduced_motion": "reduce", **options}
        context = browser.new_context(
            viewport=size or DESKTOP,
            **options,  # type: ignore[arg-type]
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        if script:
            page.add_init_script(script)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def wait_until(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < until, "it did not come to pass"
        time.sleep(0.05)
