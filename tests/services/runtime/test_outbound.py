"""What the service calls itself: public addresses, however they are written, and no others."""

import asyncio
import ssl
import struct
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address
from pathlib import Path

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from services.runtime import outbound
from services.runtime.outbound import (
    CallFailed,
    CallRefused,
    check_url,
    http_request,
    resolve_addresses,
)
from services.runtime.outbound import is_public as judge
from tests.services.misbehaving_servers import SLOW_SERVERS, respond_with, run_server


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "0.0.0.0",  # noqa: S104  # nothing is bound
        "0.0.0.1", "100.64.0.1", "100.100.100.200", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
        "192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.0.0.192", "192.31.196.1",
        "192.52.193.1", "192.88.99.1", "192.175.48.1", "168.63.129.16",
        "::1", "::", "::2", "fe80::1%eth0", "fe80::1", "fd00::1", "fc00::1", "fd00:ec2::254",
        "fec0::1", "feff::1", "ff02::1", "ff0e::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:127.0.0.1",  # mapped, and translated
        "::127.0.0.1", "::10.0.0.1", "::8.8.8.8",  # compatible
        "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::7f00:1", "64:ff9b:1:ffff::1",  # NAT64
        "2002:7f00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:101::1",  # 6to4
        "2001::1", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",  # Teredo
        "2001:2::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:db8::1", "3fff::1",
        "100::1", "100:0:0:1::1", "5f00::1", "4000::1", "8000::1", "2620:4f:8000::1",
        "2606:2800::5efe:127.0.0.1", "2606:2800::200:5efe:10.0.0.1",  # ISATAP
    ],
)  # fmt: skip
def test_an_address_that_is_not_public_is_known_in_every_form(address: str) -> None:
    assert not judge(address)
    assert not judge(ip_address(address.partition("%")[0]).exploded)


@pytest.mark.parametrize(
    "address",
    [
        "93.184.215.14", "8.8.8.8", "192.0.1.1", "192.88.98.1", "::ffff:93.184.215.14",
        "2606:2800:21f::1", "2001:4860:4860::8888", "2001:200::1", "2a00:1450::1",
        "2002:5db8:d70e::1", "3ffe::1",
    ],
)  # fmt: skip
def test_a_public_address_is_one(address: str) -> None:
    assert judge(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://site.example/", "ftp://site.example/", "file:///etc/passwd", "https:///x",
        "https://user:word@site.example/", "https://site.example:0/", "https://site.example:x/",
        "https://site.example/a b", "https://site.example/\r\nX: y", "https://[::1/", "",
        "https://site.example/" + "x" * 500, "https://@site.example/", "https://:@site.example/",
        "https://site.example:" + "9" * 400 + "/", "site.example", "//site.example/",
    ],
)  # fmt: skip
def test_a_url_that_is_none_of_ours_is_refused(url: str) -> None:
    with pytest.raises(CallRefused):
        check_url(url, "public")


async def test_nothing_is_called_where_nothing_may_be() -> None:
    with pytest.raises(CallRefused, match="EMETH_OUTBOUND"):
        check_url("https://site.example/", "no")
    with pytest.raises(CallRefused, match="EMETH_OUTBOUND"):
        await http_request("https://site.example/", "no")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "127.1",
        "127.0.0.1.", "localhost.", "[::ffff:127.0.0.1]", "[::127.0.0.1]", "127%2e0%2e0%2e1",
        "site.example\\@127.0.0.1", "0", "[::]", "[fe80::1%25lo]",
    ],
)  # fmt: skip
async def test_no_way_of_writing_it_leads_to_this_machine(host: str) -> None:
    for reach in (resolve_addresses, http_request):
        with pytest.raises((CallRefused, CallFailed)):
            await reach(f"https://{host}/", "public")


# --- names ---------------------------------------------------------------------------------------


class NameServer(asyncio.DatagramProtocol):
    """Answers questions for IPv4 addresses: each with the next of these lists, the last for ever.
    Without any it never answers."""

    def __init__(self) -> None:
        self.answers: list[list[str]] = []
        self.asked = 0
        self.heard = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.DatagramTransport = transport  # type: ignore[assignment]
        self.port = transport.get_extra_info("sockname")[1]

    def datagram_received(self, data: bytes, addr: tuple[str, int]) -> None:
        self.heard.set()
        if not self.answers:
            return
        end = data.index(b"\0", 12) + 5
        found: list[str] = []
        if data[end - 4 : end] == b"\0\1\0\1":
            self.asked += 1
            found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        head = data[:2] + struct.pack(">5H", 0x8180, 1, len(found), 0, 0)
        record = b"\xc0\x0c\0\1\0\1" + bytes(4) + b"\0\4"
        body = b"".join(record + ip_address(each).packed for each in found)
        self._transport.sendto(head + data[12:end] + body, addr)


@pytest.fixture
async def names(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[NameServer]:
    loop = asyncio.get_running_loop()
    transport, server = await loop.create_datagram_endpoint(NameServer, local_addr=("127.0.0.1", 0))
    resolver = partial(aiohttp.AsyncResolver, nameservers=[f"127.0.0.1:{server.port}"])
    monkeypatch.setattr(aiohttp, "AsyncResolver", resolver)
    yield server
    transport.close()


async def test_one_private_address_among_several_is_enough(names: NameServer) -> None:
    names.answers = [["93.184.215.14", "10.0.0.1"]]
    for reach in (resolve_addresses, http_request):
        with pytest.raises(CallRefused, match=r"10\.0\.0\.1"):
            await reach("https://site.example/", "public")
    assert await resolve_addresses("https://site.example/", "any") == ("93.184.215.14", "10.0.0.1")


def _key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def certified(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """What a server of this name shows; the service is made to trust its certificate authority."""
    now, authority, key = datetime.now(UTC), _key(), _key()
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])

    def made(subject: x509.Name, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer)
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
        )

    root = made(issuer, authority.public_key()).add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )
    leaf = made(x509.Name([]), key.public_key()).add_extension(
        x509.SubjectAlternativeName([x509.DNSName(name)]), critical=True
    )
    pem = serialization.Encoding.PEM
    trusted = root.sign(authority, hashes.SHA256()).public_bytes(pem).decode()
    monkeypatch.setattr(outbound, "_tls", lambda: ssl.create_default_context(cadata=trusted))
    chain = folder / f"{name}.pem"
    chain.write_bytes(
        leaf.sign(authority, hashes.SHA256()).public_bytes(pem)
        + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    return context


YES = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"


async def test_the_address_that_was_judged_is_the_one_that_is_called(
    names: NameServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: the name leads to a public address first, and then to this machine."""
    monkeypatch.setattr(outbound, "is_public", lambda address: address == "127.0.0.2")
    tls, called = certified(tmp_path, "site.example", monkeypatch), list[str]()

    async def inner(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        called.append("inner")
        await respond_with(YES)(reader, writer)

    async with (
        run_server(respond_with(YES), "127.0.0.2", 0, tls) as port,
        run_server(inner, "127.0.0.1", port, tls),
    ):
        url = f"https://site.example:{port}/"
        names.answers = [["127.0.0.2"], ["127.0.0.1"]]
        assert (await http_request(url, "public")).body == b"yes"
        assert names.asked == 1
        with pytest.raises(CallRefused, match=r"127\.0\.0\.1"):
            await http_request(url, "public")
        assert called == []


async def test_the_certificate_must_be_the_hosts(
    names: NameServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls = certified(tmp_path, "other.example", monkeypatch)
    names.answers = [["127.0.0.1"]]
    async with run_server(respond_with(YES), tls=tls) as port:
        assert (await http_request(f"https://other.example:{port}/", "any")).body == b"yes"
        with pytest.raises(CallFailed, match=r"not valid for 'site\.example'"):
            await http_request(f"https://site.example:{port}/", "any")
        with pytest.raises(CallFailed, match=r"not valid for '127\.0\.0\.1'"):
            await http_request(f"https://127.0.0.1:{port}/", "any")


# --- time and size -------------------------------------------------------------------------------


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(outbound, "SECONDS", 0.3)
    return


async def fails_in_time(url: str) -> None:
    began = time.monotonic()
    with pytest.raises(CallFailed):
        await http_request(url, "any")
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("how", SLOW_SERVERS)
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_one_deadline_covers_the_whole_answer(how: str, scheme: str, hurried: None) -> None:
    """With https what is dripped is TLS that is none, or nothing at all."""
    async with run_server(SLOW_SERVERS[how]) as port:
        await fails_in_time(f"{scheme}://127.0.0.1:{port}/")


async def test_the_deadline_covers_tls(
    names: NameServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hurried: None
) -> None:
    tls = certified(tmp_path, "site.example", monkeypatch)
    names.answers = [["127.0.0.1"]]
    async with run_server(SLOW_SERVERS["drips its head"], tls=tls) as port:
        await fails_in_time(f"https://site.example:{port}/")


async def test_the_deadline_covers_the_look_up_of_the_name(
    names: NameServer, hurried: None
) -> None:
    await fails_in_time("https://site.example/")
    assert names.heard.is_set()
    with pytest.raises(CallFailed, match=r"site\.example"):
        await resolve_addresses("https://site.example/", "public")


async def test_a_call_is_over_when_it_ends(hurried: None) -> None:
    """The connection is closed, of a call that failed and of one that is given up."""
    ended = asyncio.Semaphore(0)
    began = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        began.set()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
        try:
            while await reader.read(1000):
                pass
        finally:
            ended.release()

    async with asyncio.timeout(10), run_server(serve) as port:
        await fails_in_time(f"http://127.0.0.1:{port}/")
        await ended.acquire()
        began.clear()
        given_up = asyncio.create_task(http_request(f"http://127.0.0.1:{port}/", "any"))
        await began.wait()
        given_up.cancel()
        await ended.acquire()


ODD = {
    "too long": b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 200_000,
    "of no end": b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 200_000,
    "no HTTP": b"hello\r\n\r\n",
    "a length of thousands of digits": b"HTTP/1.1 200 OK\r\nContent-Length: %b\r\n\r\n"
    % (b"9" * 5000),
    "a status of thousands of digits": b"HTTP/1.1 %b OK\r\n\r\n" % (b"2" * 5000),
    "a chunk of thousands of digits": (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n"
    ),
    "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    "a large head": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    "cut off": b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx",
    "nothing": b"",
}


@pytest.mark.parametrize("how", ODD)
async def test_an_answer_that_is_none_fails(how: str, hurried: None) -> None:
    async with run_server(respond_with(ODD[how])) as port:
        await fails_in_time(f"http://127.0.0.1:{port}/")


async def test_no_redirection_is_followed() -> None:
    moved = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
    async with run_server(respond_with(moved)) as port:
        assert (await http_request(f"http://127.0.0.1:{port}/", "any")).status == 302


async def test_a_small_answer_becomes_no_large_one() -> None:
    import gzip

    packed = gzip.compress(bytes(50_000_000))
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    async with run_server(respond_with(head + packed)) as port:
        answer = await http_request(f"http://127.0.0.1:{port}/", "any", max_bytes=100_000)
    assert answer.body == packed
