"""A replay as one page: whole, safe, and small."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html import unescape
from typing import Any

import pytest

from projections.views.replay.page import Frame, Inclusion, MatchProof, ReplayPage

BOARD = '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><text>one</text></g><g id="b"/></svg>\n'


def frame(version: int, svg: str = BOARD, sentence: str = "White moves.") -> Frame:
    return Frame(
        version,
        "0" * 64,
        "2026-01-01",
        sentence,
        "a6-b6",
        ("A fact.",),
        ("A rule [UNITS]",),
        svg,
        svg,
    )


def page(title: str, frames: list[Frame], proof: MatchProof | None = None) -> str:
    made = ReplayPage()
    for each in frames:
        made.add(each)
    return made.html(title, proof)


def data(html: str) -> dict[str, Any]:
    (found,) = re.findall(r'<script type="application/json" id="match">(.*?)</script>', html, re.S)
    found = json.loads(found)
    assert isinstance(found, dict)
    return found


def drawings(html: str, name: str = "svg") -> list[str]:
    match = data(html)
    return ["".join(match["pieces"][n] for n in each[name]) for each in match["frames"]]


def test_every_drawing_is_there_as_it_was() -> None:
    others = [BOARD, BOARD.replace("one", "two"), "<svg/>", BOARD]
    html = page("A match", [frame(n, svg) for n, svg in enumerate(others, 1)])
    assert drawings(html) == others


def test_what_drawings_share_is_there_once() -> None:
    many = [BOARD.replace("<text>", "<path d='M0 0 1 1'/>" * 1000 + "<text>") for _ in range(200)]
    assert len(page("A match", [frame(n, svg) for n, svg in enumerate(many, 1)])) < 2_000_000
    once = page("A match", [frame(1, many[0])])
    assert once.count("M0 0 1 1") == 1


def test_names_are_never_taken_for_markup() -> None:
    hostile = "</script><script>alert(1)</script> %MATCH% & <b>"
    html = page(hostile, [frame(1, sentence=hostile)])
    assert "<script>alert" not in html
    (title,) = re.findall("<title>(.*?)</title>", html)
    assert unescape(title) == hostile
    assert data(html)["title"] == hostile
    assert data(html)["frames"][0]["sentence"] == hostile


@pytest.mark.parametrize(
    "proof", [None, MatchProof(b"{}\n"), MatchProof(b"{}\n", Inclusion("k", "t"))]
)
def test_the_policy_lets_its_own_script_run_and_nothing_else(proof: MatchProof | None) -> None:
    html = page("A match", [frame(1)], proof)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.S)
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert not re.search(r"(src|href)\s*=\s*[\"']|url\(|fetch\(|import\(", html)


def test_the_file_of_the_match_is_in_the_page_as_it_was_and_small() -> None:
    raw = b'{"digest":"a"}\n' * 1000
    html = page("A match", [frame(1)], MatchProof(raw, Inclusion("key", "proof")))
    found = data(html)
    assert gzip.decompress(b64decode(str(found["file"]))) == raw
    assert found["proof"] == {"key": "key", "text": "proof"}
    assert html == page("A match", [frame(1)], MatchProof(raw, Inclusion("key", "proof")))
    assert len(html) < len(page("A match", [frame(1)], MatchProof(b""))) + 1000


def test_a_page_without_the_file_says_that_it_checks_nothing() -> None:
    html = page("A match", [frame(1)])
    assert "checks nothing" in html
    assert "checkMatch" not in html
    assert "file" not in data(html)
