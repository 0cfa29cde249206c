"""What the service calls itself: public addresses, however they are written, and no others."""

from typing import Any

import pytest

from services.accounts.outbound import CallFailed, CallRefused, addresses, check_url, is_public


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "0.0.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1",
        "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_public_is_known_in_every_form(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:2800:21f::1", "::ffff:93.184.215.14"])
def test_a_public_address_is_one(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://site.example/", "ftp://site.example/", "file:///etc/passwd", "https:///x",
        "https://user:word@site.example/", "https://site.example:0/", "https://site.example:x/",
        "https://site.example/a b", "https://site.example/\r\nX: y", "https://[::1/", "",
        "https://site.example/" + "x" * 500,
    ],
)  # fmt: skip
def test_a_url_that_is_none_of_ours_is_refused(url: str) -> None:
    with pytest.raises(CallRefused):
        check_url(url, "public")


def test_nothing_is_called_where_nothing_may_be() -> None:
    with pytest.raises(CallRefused, match="EMETH_OUTBOUND"):
        check_url("https://site.example/", "no")


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"]
)
def test_no_way_of_writing_it_leads_to_this_machine(host: str) -> None:
    with pytest.raises((CallRefused, CallFailed)):
        addresses(f"https://{host}/", "public")


def test_one_private_address_among_several_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: Any, **__: Any) -> list[Any]:
        return [(2, 1, 6, "", (address, 443)) for address in ("93.184.215.14", "10.0.0.1")]

    monkeypatch.setattr("socket.getaddrinfo", found)
    with pytest.raises(CallRefused, match=r"10\.0\.0\.1"):
        addresses("https://site.example/", "public")
    assert addresses("https://site.example/", "any")[1][0] == ("93.184.215.14", 443)
