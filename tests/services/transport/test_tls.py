"""TLS on both ports: a renewed certificate is used without a restart."""

import asyncio
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import grpc
import msgspec
import pytest
import structlog
from cryptography import x509
from cryptography.x509.oid import NameOID

from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from tests.services.certificate_authority import CertificateAuthority, new_authority

ROOT = Path(__file__).parents[3]


@pytest.fixture
def authority() -> CertificateAuthority:
    return new_authority()


@pytest.fixture
def write(tmp_path: Path, authority: CertificateAuthority) -> Callable[[str], None]:
    """Writes a certificate of this name and its key to where the service has them."""

    def write_pair(name: str) -> None:
        certificate, key = authority.signed(name)
        (tmp_path / "tls.pem").write_bytes(certificate)
        (tmp_path / "tls.key").write_bytes(key)

    write_pair("first")
    return write_pair


@pytest.fixture
def tls_settings(tmp_path: Path, settings: Settings, write: Any) -> Settings:
    del write
    return msgspec.structs.replace(
        settings, tls_certificate=str(tmp_path / "tls.pem"), tls_key=str(tmp_path / "tls.key")
    )


@pytest.fixture
async def by_tls(tls_settings: Settings) -> AsyncIterator[Service]:
    async with Service(tls_settings) as running:
        async with asyncio.timeout(30):
            while running._listening._http_server is None:  # noqa: ASYNC110  # its libraries are loading
                await asyncio.sleep(0.01)
        yield running


def shown(address: str, authority: CertificateAuthority) -> str:
    """The name in the certificate that a server shows to a new connection."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    context = ssl.create_default_context(cadata=authority.pem.decode())
    context.set_alpn_protocols(["h2", "http/1.1"])
    with (
        socket.create_connection((host, int(port)), timeout=30) as plain,
        context.wrap_socket(plain, server_hostname=host) as line,
    ):
        der = line.getpeercert(binary_form=True)
    assert der is not None
    (name,) = x509.load_der_x509_certificate(der).subject.get_attributes_for_oid(
        NameOID.COMMON_NAME
    )
    return str(name.value)


async def names(service: Service, authority: CertificateAuthority) -> list[str]:
    addresses = (service.address, service.http_address)
    return [await asyncio.to_thread(shown, each, authority) for each in addresses]


async def test_a_renewed_certificate_is_shown_on_both_ports_and_nobody_is_cut_off(
    by_tls: Service, authority: CertificateAuthority, write: Callable[[str], None]
) -> None:
    credentials = grpc.ssl_channel_credentials(authority.pem)
    async with Client(by_tls.address, credentials=credentials) as client:
        created = await client.create_match(game="agog")
        identity, tokens = created.match.match_id, created.tokens
        stream = client.watch(tokens["spectator"], identity)
        assert (await anext(stream)).event.version == 1
        assert await names(by_tls, authority) == ["first", "first"]
        write("second")
        assert await names(by_tls, authority) == ["first", "first"], "not before it is told"
        by_tls.reload_certificates()
        assert await names(by_tls, authority) == ["second", "second"]
        await client.submit(tokens["white"], identity, "a6-b6")
        assert (await anext(stream)).event.version == 2
        await stream.aclose()


async def test_the_names_of_a_renewed_certificate_are_answered_for(
    by_tls: Service, authority: CertificateAuthority, tmp_path: Path
) -> None:
    async def status(host: str) -> int:
        address = by_tls.http_address.rpartition("/")[2].rpartition(":")
        context = ssl.create_default_context(cadata=authority.pem.decode())
        reader, writer = await asyncio.open_connection(address[0], int(address[2]), ssl=context)
        head = f"GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode())
        answer = await reader.read()
        writer.close()
        return int(answer.split()[1])

    assert (await status("localhost"), await status("renewed.example")) == (200, 421)
    certificate, key = authority.signed("second", hosts=("renewed.example",))
    (tmp_path / "tls.pem").write_bytes(certificate)
    (tmp_path / "tls.key").write_bytes(key)
    by_tls.reload_certificates()
    assert (await status("localhost"), await status("renewed.example")) == (200, 200)


@pytest.mark.parametrize("damage", ["other key", "cut short", "gone"])
async def test_a_renewed_certificate_that_is_of_no_use_changes_nothing(
    by_tls: Service, authority: CertificateAuthority, tmp_path: Path, damage: str
) -> None:
    if damage == "other key":
        (tmp_path / "tls.key").write_bytes(authority.signed("another")[1])
    elif damage == "cut short":
        (tmp_path / "tls.pem").write_bytes((tmp_path / "tls.pem").read_bytes()[:100])
    else:
        (tmp_path / "tls.key").unlink()
    with structlog.testing.capture_logs() as logs:
        by_tls.reload_certificates()
    assert [each["event"] for each in logs] == ["certificates_not_reloaded"]
    assert logs[0]["why"].startswith("TLS: ")
    assert await names(by_tls, authority) == ["first", "first"]


async def test_a_renewed_authority_of_clients_lets_its_clients_in(
    tls_settings: Settings, authority: CertificateAuthority, tmp_path: Path
) -> None:
    (tmp_path / "ca.pem").write_bytes(new_authority().pem)
    settings = msgspec.structs.replace(tls_settings, tls_client_ca=str(tmp_path / "ca.pem"))
    certificate, key = authority.signed("a table")
    credentials = grpc.ssl_channel_credentials(authority.pem, key, certificate)
    async with Service(settings) as service:
        (tmp_path / "ca.pem").write_bytes(authority.pem)
        service.reload_certificates()
        async with Client(service.address, credentials=credentials) as client:
            assert await client.list_games()


@pytest.mark.parametrize("tls", [True, False])
def test_a_hang_up_signal_reloads_and_stops_nothing(
    tmp_path: Path, authority: CertificateAuthority, write: Callable[[str], None], tls: bool
) -> None:
    flags = ("--tls-certificate", tmp_path / "tls.pem", "--tls-key", tmp_path / "tls.key")
    ready = tmp_path / "ready"
    with subprocess.Popen(
        (
            *(sys.executable, "-m", "services.cli", "serve", "--listen", "127.0.0.1:0"),
            *("--http", "no", "--data", tmp_path / "data", "--ready-file", ready),
            *(flags if tls else ()),
        ),
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("EMETH_")},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as served:
        assert served.stderr is not None
        try:
            for line in served.stderr:
                if '"started"' in line:
                    break
            write("second")
            served.send_signal(signal.SIGHUP)
            event = "certificates_reloaded" if tls else "nothing_to_reload"
            assert any(f'"{event}"' in line for line in served.stderr)
            if tls:
                assert shown(ready.read_text(), authority) == "second"
            served.send_signal(signal.SIGTERM)
            served.stderr.read()
            assert served.wait(30) == 0
        finally:
            served.kill()
