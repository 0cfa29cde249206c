"""The public views of the read database have what a spectator knows of public matches, no more."""

import asyncio
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from projections.projector.schema import VIEWS
from services.accounts.tokens import token_digest
from services.main import Service
from services.runtime.settings import Settings
from services.wire.emeth.v1 import matches_pb2
from tests.services.accounts.conftest import PUBLIC, Site, resign

NAMES = ("Zyxwada", "Qvortbob")
TITLE = "Xylothursday"
REASON = "Wherquestion"
COLUMNS = {
    "public_matches": [
        "match", "game", "status", "created", "is_fork", "options", "ended", "actions", "seconds",
        "reason",
    ],
    "public_results": ["match", "game", "seat", "outcome"],
    "public_openings": ["match", "game", "actions", "opening"],
    "public_rules": ["match", "game", "rule", "events"],
}  # fmt: skip


def published(settings: Settings) -> dict[str, list[tuple[Any, ...]]]:
    """The file that the page about statistics says how to make, while the service runs."""
    page = (Path(__file__).parents[3] / "docs/statistics.md").read_text()
    (script,) = re.findall(r"```\n(for view in .*?\ndone)\n", page, re.DOTALL)
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.defpath}"}
    here = settings.folder.parent
    subprocess.run(["sh", "-ec", script], cwd=here, env=environment, check=True)
    with closing(sqlite3.connect(here / "public.sqlite")) as public:
        tables = [name for (name,) in public.execute("SELECT name FROM sqlite_schema")]
        select = "SELECT * FROM {}".format
        return {name: public.execute(select(name)).fetchall() for name in tables}


async def test_the_views_show_public_matches_and_no_secret(
    site: Site, settings: Settings, service: Service
) -> None:
    ada, bob = [await site.introduce(name, name) for name in NAMES]
    secrets, shown, private = {ada.token, bob.token, site.key, service.admin_key}, "", set()
    terms: dict[str, Any] = {"title": TITLE}
    for visibility in matches_pb2.Visibility.values()[1:]:
        match, tokens = await site.match(ada, bob, visibility=visibility, **terms)
        secrets |= {*tokens.values()}
        await site.client.submit(ada.token, match, "a6-b6")
        version = (await site.client.match(match)).version
        await site.client.create_dispute(bob.token, match, version, REASON)
        await resign(site, bob, match)
        if visibility == PUBLIC:
            shown = match
        else:
            private.add(match)
    begun = await site.client.create_match(game="agog", visibility=PUBLIC)
    secrets |= {*begun.invite_codes.values(), *begun.tokens.values()}
    assert (await site.client.get_statistics()).matches == 1  # so all of it is in the read models

    (path,) = settings.reads_folder.glob("*.sqlite")
    found: dict[str, list[tuple[Any, ...]]] = {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as reads:
        for view, columns in COLUMNS.items():
            cursor = reads.execute(f"SELECT * FROM {view}")  # noqa: S608
            assert [name for name, *_ in cursor.description] == columns
            found[view] = cursor.fetchall()
    assert VIEWS.keys() == COLUMNS.keys()
    assert {match for match, *_ in found["public_matches"]} == {shown, begun.match.match_id}
    assert {match for rows in [*found.values()][1:] for match, *_ in rows} == {shown}
    assert sorted(found["public_results"]) == [
        (shown, "agog", "black", "lost"),
        (shown, "agog", "white", "won"),
    ]
    assert (shown, "agog", 1, "a6-b6") in found["public_openings"]
    for view, rows in (await asyncio.to_thread(published, settings)).items():
        assert rows == found[f"public_{view}"]
    text = repr(found).lower()
    words = {
        *secrets,
        *map(token_digest, secrets),
        *private,
        *NAMES,
        TITLE,
        REASON,
        "former player",
    }
    assert [word for word in words if word.lower() in text] == []
