"""How a command finds its service, with or without TLS, and how it prints an error."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

import grpc
import msgspec
import pytest
from click.testing import Result
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from domain.registry import GAMES
from services.cli.connection import ServiceAddress, error_sentence
from services.cli.terminal.console import ServiceFailed
from services.client import Client, ServiceError
from services.main import Service as RunningInHere
from services.runtime.settings import Settings
from tests.services.cli.conftest import Emeth


@pytest.fixture
def pem(tmp_path: Path) -> Path:
    """A certificate for 127.0.0.1 that is its own authority, and its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a table")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .sign(key, SHA256())
    )
    path = tmp_path / "table.pem"
    path.write_bytes(
        certificate.public_bytes(Encoding.PEM)
        + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    return path


@pytest.fixture
async def by_tls(settings: Settings, pem: Path) -> AsyncIterator[RunningInHere]:
    """A service that lets in who shows a certificate."""
    files = dict.fromkeys(("tls_certificate", "tls_key", "tls_client_ca"), str(pem))
    async with RunningInHere(msgspec.structs.replace(settings, **files)) as running:
        yield running


async def games(client: Client) -> int:
    return len(await client.list_games())


async def test_a_command_is_let_in_by_tls_with_its_certificate(
    by_tls: RunningInHere, pem: Path
) -> None:
    service = ServiceAddress(by_tls.address, pem, pem, pem)
    assert await asyncio.to_thread(service.run, games) == len(GAMES)


async def test_without_a_certificate_or_tls_it_is_not(by_tls: RunningInHere, pem: Path) -> None:
    for service in (ServiceAddress(by_tls.address, pem), ServiceAddress(by_tls.address)):
        async with Client(
            by_tls.address, credentials=service.credentials(), patience_seconds=0.2
        ) as client:
            with pytest.raises(ServiceError) as refused:
                await games(client)
        assert refused.value.unreachable


def test_an_error_of_the_service_ends_a_command_with_its_words_and_reason(
    emeth_online: Emeth,
) -> None:
    result: Result = emeth_online("show", "--match", "4c1e0000-0000-4000-8000-0000000000ff",
                                  "--token", "x")  # fmt: skip
    assert result.exit_code == ServiceFailed.exit_code
    assert "[MATCH_NOT_FOUND]" in result.output


def test_an_error_without_a_reason_is_reported_with_its_code() -> None:
    late = ServiceError(grpc.StatusCode.DEADLINE_EXCEEDED, "", "too late", {})
    assert error_sentence(late, "here:1") == "too late [DEADLINE_EXCEEDED]"


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--tls-certificate",), "--tls-certificate and --tls-key need each other"),
        (("--tls-key",), "--tls-certificate and --tls-key need each other"),
        (("--tls-certificate", "--tls-key"), "--tls-certificate needs --tls-ca"),
    ],
)
def test_flags_of_tls_that_belong_together_are_given_together(
    emeth: Emeth, pem: Path, flags: tuple[str, ...], why: str
) -> None:
    result = emeth("list", *(word for flag in flags for word in (flag, pem)))
    assert (result.exit_code, why in result.output) == (2, True)
