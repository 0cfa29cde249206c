"""A replay for a browser, as its viewer may see it."""

import gzip
import re
import shutil
import subprocess
from base64 import b64decode
from html import unescape
from pathlib import Path

import msgspec
import pytest

from projections.views.replay.page import Inclusion, encode_file
from services.client import Client
from services.wire.emeth.v1 import history_pb2
from tests.projections.views.replay.checks import Case, Shown, fails, run
from tests.projections.views.replay.test_page import data, drawings
from tests.services.conftest import OPENING, CreatedMatch, create_match, newest_version, play


async def exported(client: Client, token: str, match: CreatedMatch) -> bytes:
    return (await client.export(token, match.id)).data


async def replayed(client: Client, token: str, match: CreatedMatch) -> str:
    form = history_pb2.EXPORT_FORMAT_REPLAY_PAGE
    return (await client.export(token, match.id, form)).data.decode()


async def test_the_page_shows_the_board_after_each_event(client: Client) -> None:
    match = await create_match(client, title="A final")
    await play(client, match, *OPENING)
    token = match.tokens["spectator"]
    html = await replayed(client, token, match)
    history = await client.list_events(token, match.id, at_least_version=1 + len(OPENING))
    found = data(html)
    assert found["title"] == "A final: A.G.O.G.: White against Black"
    assert [each["sentence"] for each in found["frames"]] == [e.sentence for e in history]
    for version, drawing in enumerate(drawings(html), 1):
        seen = await client.view(token, match.id, "svg", version=version)
        assert drawing == seen.svg
        narrow = await client.view(token, match.id, "svg", version=version, narrow=True)
        assert drawings(html, "narrow")[version - 1] == narrow.svg


async def test_the_page_of_a_game_that_hides_nothing_can_be_checked_by_anybody(
    client: Client, earthen: CreatedMatch
) -> None:
    token = earthen.tokens["spectator"]
    found = data(await replayed(client, token, earthen))
    raw = gzip.decompress(b64decode(found["file"]))
    assert raw == await exported(client, token, earthen)
    shown = msgspec.convert(found["frames"], list[Shown])
    assert len(shown) == await newest_version(client, earthen)
    (results,) = run([Case(raw, shown, msgspec.convert(found["proof"], Inclusion))])
    assert not fails(results), results
    assert {"The log", "This page"} <= {each.name for each in results}


async def test_what_is_hidden_from_a_viewer_is_not_in_their_page(client: Client) -> None:
    match = await create_match(client, "res-arcana")
    for role in match.tokens:
        found = data(await replayed(client, match.tokens[role], match))
        assert ("file" in found) == (role == "referee")


CHROMIUM = shutil.which("chromium")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is on this machine")
async def test_a_browser_shows_what_it_found_and_names_the_event(
    client: Client, earthen: CreatedMatch, tmp_path: Path
) -> None:
    html = await replayed(client, earthen.tokens["spectator"], earthen)
    found = data(html)
    assert "Nothing is wrong" in shown_by_a_browser(html, tmp_path)
    raw = gzip.decompress(b64decode(found["file"]))
    spoiled = html.replace(
        found["file"], encode_file(raw.replace(b'"seat":"white"', b'"seat":"black"'))
    )
    text = shown_by_a_browser(spoiled, tmp_path)
    assert "checks found something wrong" in text
    assert re.search(r"Event \d+: the event was changed", text)
    assert "is damaged" in shown_by_a_browser(html.replace(found["file"], "AAAA"), tmp_path)


def shown_by_a_browser(html: str, folder: Path) -> str:
    """The text of the page when it has checked itself, with no network."""
    (file := folder / "page.html").write_text(html)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000"]
    assert CHROMIUM is not None
    own = f"--user-data-dir={folder / 'profile'}"
    command = [CHROMIUM, *flags, own, "--dump-dom", f"{file.as_uri()}#check"]
    done = subprocess.run(command, capture_output=True, check=True)
    dialog = done.stdout.decode().partition("<dialog")[2].partition("</dialog>")[0]
    return unescape(re.sub("<[^>]+>", " ", dialog))
