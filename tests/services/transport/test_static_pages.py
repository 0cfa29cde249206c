"""The console on the HTTP port: the page, what it may load, how long browsers keep it."""

import gzip
import re

import pytest
from pyqwest import Client as Http

from services.main import Service
from services.transport.static_pages import FOLDER

LARGEST_KB = 200
"""Of all that a browser loads for the page, compressed."""


async def test_the_page_may_load_its_own_files_alone(service: Service) -> None:
    page = await Http().get(f"{service.http_address}/")
    assert page.status == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert page.headers["referrer-policy"] == "no-referrer"
    # It names the files of this version: the next one's names are requested each time.
    assert page.headers["cache-control"] == "no-cache"


async def test_all_that_the_page_names_is_there_and_kept_for_ever(service: Service) -> None:
    http = Http()
    page = (await http.get(f"{service.http_address}/")).content.decode()
    named = re.findall(r'(?:src|href)="\./(assets/[^"]+)"', page)
    assert len(named) == 3
    for path in named:
        found = await http.get(f"{service.http_address}/{path}")
        assert found.status == 200
        assert "immutable" in found.headers["cache-control"]


async def test_an_unchanged_page_is_not_sent_again(service: Service) -> None:
    http, url = Http(), f"{service.http_address}/"
    tag = (await http.get(url)).headers["etag"]
    again = await http.get(url, headers={"if-none-match": tag})
    assert (again.status, again.content) == (304, b"")


@pytest.mark.parametrize("path", ["assets/", "assets/../doors/http.py", "assets/none.js"])
async def test_nothing_else_of_the_service_is_served(service: Service, path: str) -> None:
    assert (await Http().get(f"{service.http_address}/{path}")).status == 404


def test_the_page_is_small() -> None:
    files = [path for path in FOLDER.rglob("*") if path.is_file()]
    sizes = {path.name: len(gzip.compress(path.read_bytes())) for path in files}
    assert sum(sizes.values()) < LARGEST_KB * 1024, sizes


def test_nothing_is_written_into_the_page() -> None:
    page = (FOLDER / "index.html").read_text()
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page)
