"""What the service finds when it starts, and what it leaves when it stops."""

import asyncio
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from services.cli.connection import DEFAULT_ADDRESS
from services.cli.main import main
from services.cli.start_hints import hints
from services.client import Client, ServiceError
from services.main import Service
from services.runtime.limits import Limits
from services.runtime.settings import (
    Settings,
    SettingsError,
    allowed_origins,
    load_settings,
    trusted_proxies,
)
from services.store.errors import LogDamaged, LogForeign, LogLocked, LogTooNew
from services.store.startup import StartError
from services.transport.ports import DEFAULT_HTTP
from services.wire.emeth.v1.matches_pb2 import VISIBILITY_PUBLIC
from tests.services.cli.conftest import RunningService


async def start(settings: Settings) -> None:
    async with Service(settings):
        raise AssertionError("it ought not to have started")


async def test_a_match_continues_after_a_restart(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog")
        identity, tokens = created.match.match_id, created.tokens
        first = await client.submit(tokens["white"], identity, "a6-b6")
    async with Service(settings) as service, Client(service.address) as client:
        again = await client.view(tokens["black"], identity, "text", at_least_version=2)
        assert (again.version, again.position) == (2, first.accepted.position)
        second = await client.submit(tokens["black"], identity, "h3-g3")
        assert second.accepted.version == 3


async def test_a_long_match_is_loaded_from_its_snapshot(settings: Settings) -> None:
    limits = Limits(snapshot_every=10)
    async with Service(settings, limits) as service, Client(service.address) as client:
        created = await client.create_match(game="agog")
        identity, token = created.match.match_id, created.tokens["white"]
        for _ in range(6):
            claimed = await client.join_match(token, identity, "white", "Ada")
            await client.leave_match(claimed.token, identity, "white")
    log = Path(settings.data) / "log.sqlite"
    with closing(sqlite3.connect(log)) as database:
        (taken,) = database.execute("SELECT count(*) FROM stored_snapshots").fetchone()
    assert taken == 1
    async with Service(settings) as service, Client(service.address) as client:
        assert (await client.submit(token, identity, "a6-b6")).accepted.version == 14


@pytest.mark.parametrize("lost", ["missing", "empty", "older"])
async def test_a_log_that_has_less_than_the_read_models_know_of_is_not_taken_for_the_log(
    settings: Settings, lost: str
) -> None:
    data = Path(settings.data)
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog", visibility=VISIBILITY_PUBLIC)
        await client.match(created.match.match_id, 1)  # the read models have it
    log = data / "log.sqlite"
    older = log.read_bytes()
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog", visibility=VISIBILITY_PUBLIC)
        await client.match(created.match.match_id, 1)  # the read models have it
    newer = log.read_bytes()
    log.unlink()
    if lost != "missing":
        log.write_bytes(older if lost == "older" else b"")
    for _ in range(2):  # the refusal has not made a new log either
        with pytest.raises(LogDamaged, match="and had 4 when the service ran last"):
            await start(settings)
    log.write_bytes(newer)
    async with Service(settings):
        pass
    log.write_bytes(older)
    shutil.rmtree(data / "reads")
    async with Service(settings) as service, Client(service.address) as client:
        assert len(await client.list_matches()) <= 1


async def test_the_read_models_are_rebuilt_if_they_are_lost(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        created = await client.create_match(game="agog", title="kept")
    for file in (Path(settings.data) / "reads").iterdir():
        file.unlink()
    async with Service(settings) as service, Client(service.address) as client:
        found = await client.match(created.match.match_id, 1, token=created.tokens["spectator"])
        assert found.title == "kept"


async def test_a_rebuild_while_matches_are_played(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        for _ in range(20):
            created = await client.create_match(game="agog", visibility=VISIBILITY_PUBLIC)
        await client.match(created.match.match_id, 1)
        steps = [step async for step in client.rebuild_projections(service.admin_key)]
        assert steps[-1].done
        assert steps[-1].processed_events == 21
        listed = await client.list_matches_page()
        assert len(listed.matches) == 20


async def test_a_watcher_receives_a_resume_point_before_the_service_stops(
    settings: Settings,
) -> None:
    async with Service(settings) as service:
        client = Client(service.address)
        created = await client.create_match(game="agog")
        identity, tokens = created.match.match_id, created.tokens
        stream = client.watch(tokens["spectator"], identity)
        assert (await anext(stream)).event.version == 1
        address = service.address
    rest = asyncio.create_task(anext(stream))
    async with Service(msgspec.structs.replace(settings, listen=address)):
        await client.submit(tokens["white"], identity, "a6-b6")
        assert (await rest).event.version == 2
    await stream.aclose()
    await client.__aexit__()


async def test_a_log_that_another_service_is_writing(settings: Settings) -> None:
    async with Service(settings):
        with pytest.raises(LogLocked, match="a log has one writer"):
            await start(settings)


async def test_a_log_that_a_newer_version_wrote(settings: Settings) -> None:
    async with Service(settings):
        pass
    with closing(sqlite3.connect(Path(settings.data) / "log.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(LogTooNew, match="newer version"):
        await start(settings)


async def test_a_database_of_another_program(settings: Settings) -> None:
    folder = Path(settings.data)
    folder.mkdir()
    with closing(sqlite3.connect(folder / "log.sqlite")) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(LogForeign, match="another program"):
        await start(settings)


async def test_a_folder_that_cannot_be_made(tmp_path: Path, settings: Settings) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartError, match="cannot make the folder"):
        await start(msgspec.structs.replace(settings, data=str(tmp_path / "file" / "data")))


async def test_a_port_that_is_taken(tmp_path: Path, settings: Settings) -> None:
    async with Service(settings) as service:
        other = msgspec.structs.replace(
            settings, data=str(tmp_path / "other"), listen=service.address
        )
        with pytest.raises(StartError, match="port 0: any free port"):
            await start(other)


async def test_a_certificate_that_is_not_there(settings: Settings) -> None:
    with pytest.raises(StartError, match=r"cannot read nowhere\.pem"):
        await start(
            msgspec.structs.replace(settings, tls_certificate="nowhere.pem", tls_key="nowhere.pem")
        )


async def test_a_call_after_the_service_has_stopped_is_unavailable(settings: Settings) -> None:
    async with Service(settings) as service:
        client = Client(service.address)
        await client.list_games()
    with pytest.raises(ServiceError) as gone:
        await client.list_games()
    assert gone.value.unreachable
    await client.__aexit__()


async def test_keys_are_readable_by_their_owner_only(settings: Settings) -> None:
    async with Service(settings) as service:
        for name in ("secret.key", "admin.key"):
            assert (service.settings.folder / name).stat().st_mode & 0o077 == 0


def used_by_others(folder: Path) -> dict[str, str]:
    """The files of a folder that others than their owner have rights to, with their modes."""
    return {
        str(path.relative_to(folder)): oct(path.stat().st_mode)
        for path in folder.rglob("*")
        if path.stat().st_mode & 0o077
    }


@pytest.fixture
def usual_umask() -> Iterator[None]:
    """The umask that most systems have, by which others may read what is made."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.usefixtures("usual_umask")
async def test_every_file_of_a_service_is_its_owners_alone(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        await client.create_match(game="agog")
        assert [step async for step in client.rebuild_projections(service.admin_key)]
        assert len([*settings.folder.rglob("*-wal")]) >= (1 if settings.store else 3)
        assert used_by_others(settings.folder) == {}
    assert used_by_others(settings.folder) == {}


@pytest.mark.usefixtures("usual_umask")
async def test_files_that_others_could_read_are_closed_to_them_at_the_next_start(
    settings: Settings,
) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        await client.create_match(game="agog")
        for path in settings.folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        copy = settings.folder.with_name("copy")
        shutil.copytree(settings.folder, copy)  # as a kill would leave it
    other = copy / "notes.txt"
    other.write_text("not the service's own")
    copy.chmod(0o755)
    with capture_logs() as logs:
        async with Service(msgspec.structs.replace(settings, data=str(copy))):
            assert used_by_others(copy).keys() == {"notes.txt"}
    assert [each for each in logs if each["event"] == "folder_open_to_others"]


@pytest.mark.usefixtures("usual_umask")
def test_a_service_in_a_process_of_its_own_makes_nothing_for_others(tmp_path: Path) -> None:
    running = RunningService(tmp_path / "service")
    running.start()
    assert used_by_others(running.data) == {}
    assert (running.data.parent / "address").stat().st_mode & 0o077 == 0
    assert running.stop() == 0
    assert used_by_others(running.data) == {}


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"EMETH_LISSEN": "x"}, "lissen"),
        ({"EMETH_LIMITS": "many"}, "limits"),
        ({"EMETH_LIMITS": "-1"}, "limits"),
        ({"EMETH_LIMITS": "nan"}, "limits"),
        ({"EMETH_SECRET": "abc"}, "secret"),
        ({"EMETH_TLS_KEY": "key.pem"}, "both"),
        ({"EMETH_PROXIES": "10.0.0.1, proxy.example"}, "'proxy.example' does not appear to be"),
        ({"EMETH_PROXIES": "10.0.0.0/33"}, "EMETH_PROXIES: '10.0.0.0/33'"),
        ({"EMETH_PROXIES": "10.0.0.1/8"}, "EMETH_PROXIES: 10.0.0.1/8 has host bits set"),
        ({"EMETH_PROXIES": "10.0.0.1 10.0.0.2"}, "EMETH_PROXIES"),
        ({"EMETH_PROXIES": "10.0.0.1:20051"}, "EMETH_PROXIES"),
        ({"EMETH_PROXIES": "*"}, "EMETH_PROXIES"),
        ({"EMETH_CORS": "https://play.example/"}, "EMETH_CORS: 'https://play.example/'"),
        ({"EMETH_CORS": "https://play.example, play.example"}, "EMETH_CORS: 'play.example'"),
        ({"EMETH_CORS": "https://Play.example"}, "EMETH_CORS"),
    ],
)
def test_a_bad_setting_is_named(environment: dict[str, str], why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        load_settings(environment)


def test_lists_in_settings_may_have_blanks_around_their_entries() -> None:
    given = {"EMETH_PROXIES": " 10.0.0.1, 10.1.0.0/16 ,\n2001:db8::/32,", "EMETH_CORS": " *, null "}
    settings = load_settings(given)
    found = [str(each) for each in trusted_proxies(settings)]
    assert found == ["10.0.0.1/32", "10.1.0.0/16", "2001:db8::/32"]
    assert allowed_origins(settings) == ("*", "null")
    apps = "https://play.example,http://localhost:3000 , capacitor://localhost,http://[::1]:8080"
    assert len(allowed_origins(Settings(cors=apps))) == 4


SERVICE_LINKS = (
    ("SERVICE_HOST", "10.96.0.12"),
    ("SERVICE_PORT", "20051"),
    ("SERVICE_PORT_GRPC", "20051"),
    ("SERVICE_PORT_HTTP_METRICS", "20080"),
    ("PORT", "tcp://10.96.0.12:20051"),
    ("PORT_20051_TCP", "tcp://10.96.0.12:20051"),
    ("PORT_20051_TCP_PROTO", "tcp"),
    ("PORT_20051_TCP_PORT", "20051"),
    ("PORT_20051_TCP_ADDR", "10.96.0.12"),
    ("PORT_53_UDP", "udp://[fd00::c]:53"),
    ("PORT_53_UDP_ADDR", "fd00::c"),
    ("PORT_9_SCTP_PROTO", "sctp"),
)
"""What kubelet adds to the environment of a pod for each port of a Service in its namespace."""


@pytest.mark.parametrize("name", ["EMETH", "EMETH_PLAY", "EMETH_READ_2", "EMETH_HTTP"])
def test_variables_that_kubelet_makes_of_a_service_are_no_settings(name: str) -> None:
    injected = {f"{name}_{suffix}": value for suffix, value in SERVICE_LINKS}
    assert load_settings(injected) == Settings()
    for variable, value in injected.items():
        assert load_settings({variable: value, "EMETH_DRAIN_SECONDS": "3"}) == Settings(
            drain_seconds=3
        )


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("EMETH_PORT", "20051"),
        ("EMETH_HTTP_PORT", "20080"),
        ("EMETH_PORTS", "tcp://10.96.0.12:20051"),
        ("EMETH_PORT_TCP", "tcp://10.96.0.12:20051"),
        ("EMETH_PORT_20051", "tcp://10.96.0.12:20051"),
        ("EMETH_PORT_20051_TCP_HOST", "10.96.0.12"),
        ("EMETH_PORT_HTTP_TCP", "tcp://10.96.0.12:20051"),
        ("EMETH_SERVICE", "10.96.0.12"),
        ("EMETH_SERVICE_HOSTS", "10.96.0.12"),
        ("EMETH_SERVICES_HOST", "10.96.0.12"),
        ("EMETH_SERVICE_PORTS", "20051"),
        ("EMETH_SERVICEHOST", "10.96.0.12"),
        ("EMETH_LISTEN_HOST", "0.0.0.0"),  # noqa: S104
        ("EMETH__SERVICE_HOST", "10.96.0.12"),
    ],
)
def test_a_variable_that_only_looks_like_one_of_kubelet_stops_the_start(
    variable: str, value: str
) -> None:
    with pytest.raises(SettingsError, match="unknown field"):
        load_settings({variable: value})


def test_a_secret_may_be_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text("open-sesame-open-sesame\n")
    assert load_settings({"EMETH_ADMIN_KEY_FILE": str(file)}).admin_key == "open-sesame-open-sesame"


@pytest.mark.parametrize(
    ("address", "tls", "flags"),
    [
        (Settings().listen, False, ""),
        ("127.0.0.1:6000", False, " --address 127.0.0.1:6000"),
        ("0.0.0.0:20051", False, ""),
        ("[::]:6000", False, " --address [::1]:6000"),
        ("game.shop:443", True, " --address game.shop:443 --tls-ca CERTIFICATE"),
    ],
)
def test_the_hints_find_the_service_where_it_listens(address: str, tls: bool, flags: str) -> None:
    text = hints(Settings(tls_certificate="cert.pem" if tls else ""), address)
    assert f".venv/bin/emeth new agog{flags} " in text
    assert f".venv/bin/emeth play --against club{flags} " in text


@pytest.mark.parametrize(
    ("settings", "commands"),
    [
        (Settings(), ["new", "play", "doctor"]),
        (Settings(role="play"), ["doctor"]),
        (Settings(role="read"), ["new", "doctor"]),
        (Settings(bots="0"), ["new", "doctor"]),
        (Settings(open="no"), ["new", "play", "call", "doctor"]),
        (Settings(listen="0.0.0.0:20051"), ["new", "call", "doctor"]),
        (Settings(tls_certificate="a", tls_client_ca="b"), ["new", "play", "doctor"]),
        (Settings(admin_key="x" * 16), ["new", "play", "doctor"]),
    ],
)
def test_the_hints_suggest_what_the_service_does_and_what_the_command_line_understands(
    settings: Settings, commands: list[str]
) -> None:
    hint_lines = hints(settings, settings.listen).splitlines()
    lines = [each.split("  ")[1] for each in hint_lines if each.startswith("  ")]
    words = [re.sub("CERTIFICATE|OWN|KEY$", __file__, each).split()[1:] for each in lines]
    assert [each[0] for each in words] == [*commands, "--help"]
    for each in words:
        found = CliRunner().invoke(main, [*each, "--help"])
        assert found.exit_code == 0, found.output


def test_the_usual_ports_are_none_that_the_system_gives_to_other_programs() -> None:
    """Linux gives ports from 32768 on to connections that programs open."""
    for address in (Settings().listen, DEFAULT_HTTP, DEFAULT_ADDRESS):
        assert int(address.rpartition(":")[2]) < 32_768
    assert Settings().listen == DEFAULT_ADDRESS
