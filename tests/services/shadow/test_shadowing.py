"""A shadow beside a service: its differences are told, and whatever it does, play goes on."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from services.cli.main import main
from services.client import Client, ServiceError
from services.doctor import examine
from services.server import Service
from services.settings import Settings
from services.shadow import beside
from services.shadow.comparing import Step, compare
from services.shadow.interface import Shadow
from services.shadow.report import FILE
from services.starting import StartError

PLAYED = (("white", "a6-b6"), ("black", "h3-g3"), ("white", "f1-g1"))
START_POSITION = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *"

AGREES = """
from services.shadow.agog_bitboards import GAME, apply, legal, start
"""
PLANTED = {
    "a first position that is another": (
        "def start(options): return 'another'",
        "start",
    ),
    "an action that it does not list": (
        "old = legal\ndef legal(p, o, s): return [a for a in old(p, o, s) if a != 'b5-c5']",
        "legality",
    ),
    "an action that it lists besides": (
        "old = legal\ndef legal(p, o, s): return [*old(p, o, s), 'a1-h8']",
        "legality",
    ),
    "an action that it forbids": (
        "from services.shadow.interface import Forbidden\n"
        "def apply(*asked): return Forbidden('agog.move.step')",
        "legality",
    ),
    "another fact": (
        "old = apply\nfrom msgspec.structs import replace\n"
        "def apply(*asked): got = old(*asked); return replace(got, facts=got.facts[:1])",
        "facts",
    ),
    "another position": (
        "old = apply\nfrom msgspec.structs import replace\n"
        "def apply(*asked): got = old(*asked);"
        " return replace(got, position=got.position.replace('G', 'H', 1))",
        "position",
    ),
}
Told = Callable[[dict[str, int]], bool]


@asynccontextmanager
async def shadowed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, code: str, **given: str
) -> AsyncIterator[tuple[Service, Client]]:
    """A service with this shadow beside it."""
    folder = Path(settings.data).parent
    (folder / "its_shadow.py").write_text(AGREES + code)
    monkeypatch.syspath_prepend(str(folder))
    shadowing = replace(settings, http="no", shadow="its_shadow", **given)
    async with Service(shadowing) as service, Client(service.address) as client:
        yield service, client


async def play(client: Client) -> str:
    created = await client.create_match("agog")
    for seat, action in PLAYED:
        answer = await client.submit(created.tokens[seat], created.match.match_id, action)
        assert answer.HasField("accepted")
    return created.match.match_id


async def until(service: Service, told: Told) -> dict[str, int]:
    async with asyncio.timeout(60):
        while not told(service.figures()):  # noqa: ASYNC110  another thread counts
            await asyncio.sleep(0.02)
    return service.figures()


async def test_one_that_agrees_has_nothing_to_tell(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shadowed(settings, monkeypatch, "") as (service, client):
        await play(client)
        await client.create_match("earthen-war")  # of which it knows nothing
        figures = await until(service, lambda told: told["shadow.judged"] == 1 + len(PLAYED))
        assert (figures["shadow.differences"], figures["shadow.failures"]) == (0, 0)
        assert await client.shadow_report(service.admin_key) == []


@pytest.mark.parametrize("planted", PLANTED)
def test_every_planted_difference_is_found(planted: str) -> None:
    code, about = PLANTED[planted]
    shadow = ModuleType("planted")
    exec(AGREES + code, vars(shadow))  # noqa: S102  the test's own text
    steps = [
        Step("agog", {}, START_POSITION),
        Step(
            "agog",
            {},
            "2gggggj/3ggggg/1G2gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 b 0 0 - *",
            before=START_POSITION,
            seat="white",
            action="a6-b6",
            facts=(
                {"type": "agog.unit-moved", "unit": "G", "start": "a6", "end": "b6"},
                {"type": "agog.turn-passed", "seat": "black"},
            ),
        ),
    ]
    found = [each for step in steps for each in compare(cast(Shadow, shadow), step)]
    assert [each.about for each in found] == [about]
    assert found[0].house != found[0].shadow


async def test_a_difference_is_reported_and_play_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, about = PLANTED["another position"]
    async with shadowed(settings, monkeypatch, code) as (service, client):
        match = await play(client)
        await until(service, lambda told: told["shadow.judged"] == 1 + len(PLAYED))
        (first, *_) = found = [*reversed(await client.shadow_report(service.admin_key))]
        assert {each.about for each in found} == {about}
        assert (first.match_id, first.version, first.module) == (match, 2, "its_shadow")
        assert service.figures()["shadow.differences"] == len(found) == len(PLAYED)
        signs = [sign for sign in examine(settings) if sign.about == "shadow"]
        assert [sign.weight for sign in signs] == ["bad"]
        args = ["--address", service.address, "--data", settings.data, "--most", "1"]
        shown = await asyncio.to_thread(CliRunner().invoke, main, ["shadow", *args])
        assert f"{about}: after f1-g1 by white ({match} event 4)\n" in shown.output


async def test_of_an_encrypted_log_no_position_is_reported_in_clear(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code, about = PLANTED["another position"]
    report = settings.folder / FILE
    keys = {"cipher_keys": secrets.token_hex(32), "reads": str(tmp_path / "memory")}
    async with shadowed(settings, monkeypatch, code) as (service, client):
        await play(client)
        await until(service, lambda told: told["shadow.judged"] == 1 + len(PLAYED))
    in_clear = report.read_bytes()
    assert START_POSITION.encode() in in_clear, "the search finds it"
    async with shadowed(settings, monkeypatch, code, **keys) as (service, client):
        await play(client)
        await until(service, lambda told: told["shadow.judged"] == 1 + len(PLAYED))
        added = report.read_bytes().removeprefix(in_clear)
        assert added.count(b"\n") == len(PLAYED)
        for word in (START_POSITION, about, "white"):
            assert word.encode() not in added
        found = await client.shadow_report(service.admin_key)
        assert [each.about for each in found] == [about] * 2 * len(PLAYED)
    signs = [sign for sign in examine(settings) if sign.about == "shadow"]
    assert [sign.weight for sign in signs] == ["bad", "note"], "of three the key is not at hand"
    signs = [sign for sign in examine(replace(settings, **keys)) if sign.about == "shadow"]
    assert [sign.what for sign in signs] == ["it has differed from the service 6 times"]


async def test_a_line_of_the_report_that_was_changed_hides_no_other(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _ = PLANTED["another position"]
    report = settings.folder / FILE
    async with shadowed(settings, monkeypatch, code) as (service, client):
        await play(client)
        await until(service, lambda told: told["shadow.judged"] == 1 + len(PLAYED))
        first, *rest = report.read_bytes().splitlines(keepends=True)
        report.write_bytes(b"".join((b"?" + first[1:], *rest)))
        assert len(await client.shadow_report(service.admin_key)) == len(rest)
    signs = [sign for sign in examine(settings) if sign.about == "shadow"]
    assert [sign.weight for sign in signs] == ["bad", "note"]


ILLS = {
    "raises": "def apply(*asked): raise RuntimeError('no')",
    "dies": "import os\ndef apply(*asked): os._exit(7)",
    "hangs": "import time\ndef apply(*asked): time.sleep(3600)",
    "prints": "def apply(*asked): print('{}'); raise ValueError",
    "eats all memory": "def apply(*asked): return bytearray(1 << 40)",
    "is no shadow": "del apply",
    "does not load": "raise OSError('no')",
}


@pytest.mark.parametrize("ill", ILLS)
def test_one_that_is_ill_is_told_from_one_that_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ill: str
) -> None:
    if ill == "hangs":
        monkeypatch.setattr(beside, "LONGEST_SECONDS", 3.0)
    (tmp_path / "ill_shadow.py").write_text(AGREES + ILLS[ill])
    monkeypatch.syspath_prepend(str(tmp_path))
    step = Step("agog", {}, "", before=START_POSITION, seat="white", action="a6-b6")
    with closing(beside.ShadowProcess("ill_shadow")) as process:
        if ill in ("raises", "prints", "eats all memory"):
            process.greet()
            answer = process.ask(step)
            assert answer.problem
            assert not answer.differences
            return
        with pytest.raises(beside.ShadowLostError):
            _greeted(process).ask(step)


def _greeted(process: beside.ShadowProcess) -> beside.ShadowProcess:
    process.greet()
    return process


async def test_one_that_dies_is_started_again_and_play_goes_on(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "PAUSES", (0.0,))
    async with shadowed(settings, monkeypatch, ILLS["dies"]) as (service, client):
        await play(client)
        await until(service, lambda told: told["shadow.failures"] >= 2)
        await play(client)
        assert service.figures()["shadow.differences"] == 0


async def test_one_that_is_too_slow_costs_steps_and_no_time(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "MOST_WAITING", 2)
    async with shadowed(settings, monkeypatch, ILLS["hangs"]) as (service, client):
        for _ in range(2):
            await play(client)
        figures = service.figures()
        assert figures["shadow.dropped"] >= 1
        assert figures["shadow.waiting"] <= 2


async def test_settings_are_kept_from_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMETH_SECRET", "5" * 64)
    code = "import os\ndef start(options): return ' '.join(os.environ)"
    async with shadowed(settings, monkeypatch, code) as (service, client):
        await play(client)
        await until(service, lambda told: told["shadow.differences"] >= 1)
        (found,) = await client.shadow_report(service.admin_key)
        assert "PATH" in found.shadow
        assert "EMETH" not in found.shadow


async def test_one_that_is_not_there_stops_the_start(settings: Settings) -> None:
    for module in ("no_such_module", "no.such.module"):
        with pytest.raises(StartError, match=f"no Python module {module}"):
            await Service(Settings(data=settings.data, shadow=module)).__aenter__()


async def test_its_report_is_the_operators_and_has_bounds(client: Client, service: Service) -> None:
    with pytest.raises(ServiceError) as refused:
        await client.shadow_report("0123456789abcdef")
    assert refused.value.reason == "ADMIN_KEY_WRONG"
    with pytest.raises(ServiceError) as bounded:
        await client.shadow_report(service.admin_key, 101)
    assert bounded.value.reason == "FIELD_INVALID"
