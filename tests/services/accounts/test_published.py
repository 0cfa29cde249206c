"""The file for everybody has what is public, and nothing else."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from click.testing import CliRunner, Result

from projections.published import PUBLISHED
from services.cli.main import main
from services.client import Client
from services.server import Service
from services.settings import Settings
from services.tokens import key_of
from services.wire.emeth.v1 import matches_pb2
from tests.services.accounts.conftest import PUBLIC, Site, resign

NAMES = ("Zyxwada", "Qvortbob")
TITLE = "Xylothursday"
REASON = "Wherquestion"


async def export(folder: Path, to: Path, *flags: str) -> Result:
    command = ("statistics", "export", str(to), "--data", str(folder), *flags)
    return await asyncio.to_thread(CliRunner().invoke, main, command)


async def a_hidden_game(client: Client) -> tuple[str, dict[str, str]]:
    """A public match of Res Arcana, some actions of which have hidden cards, and its tokens."""
    created = await client.create_match("res-arcana", {"players": 2}, visibility=PUBLIC)
    identity, tokens, random = created.match.match_id, dict(created.tokens), Random(7)
    version = 1
    for _ in range(12):
        match = await client.match(identity, version)
        token = tokens[match.asks[0].seat]
        action = random.choice(await client.list_every_action(token, identity))
        version = (await client.submit(token, identity, action.notation)).accepted.version
    await client.resign(tokens["north"], identity)
    return identity, tokens


async def test_the_file_has_what_a_spectator_of_public_matches_sees_and_no_secret(
    site: Site, settings: Settings, service: Service, tmp_path: Path
) -> None:
    ada, bob = [await site.introduce(name, name) for name in NAMES]
    secrets, private = {ada.token, bob.token, site.key, service.admin_key}, set()
    terms: dict[str, Any] = {"title": TITLE}
    for visibility in matches_pb2.Visibility.values()[1:]:
        match, tokens = await site.match(ada, bob, visibility=visibility, **terms)
        secrets |= {*tokens.values()}
        await site.client.submit(ada.token, match, "a6-b6")
        version = (await site.client.match(match)).version
        await site.client.raise_dispute(bob.token, match, version, REASON)
        await resign(site, bob, match)
        if visibility != PUBLIC:
            private.add(match)
    created = await site.client.create_match(
        "agog", begins=matches_pb2.BEGINS_WHEN_FULL, visibility=PUBLIC
    )
    secrets |= {*created.codes.values(), *created.tokens.values()}
    hidden, tokens = await a_hidden_game(site.client)
    secrets |= {*tokens.values()}
    assert (await site.client.statistics()).matches == 2  # and so all of it is in the read models

    to = tmp_path / "public.sqlite"
    done = await export(settings.folder, to)
    assert (done.exit_code, "3 public matches" in done.output) == (0, True), done.output
    whole = to.read_bytes().lower()
    words = {*secrets, *map(key_of, secrets), *private, *NAMES, TITLE, REASON, "former player"}
    assert [word for word in words if word.lower().encode() in whole] == []

    with closing(sqlite3.connect(to)) as file:
        rows = file.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        tables = {name for (name,) in rows if not name.startswith(("events_fts", "sqlite_"))}
        assert tables == PUBLISHED.keys()
        for table, columns in PUBLISHED.items():
            found = [row[1] for row in file.execute(f"PRAGMA table_info({table})")]
            assert found == [*columns]
        told = file.execute(
            "SELECT version, action, sentence FROM events WHERE match = ? ORDER BY 1", (hidden,)
        ).fetchall()
        seen = await site.client.list_history(tokens["spectator"], hidden)
        acted = [each for each in seen if each.kind == "match.ActionTaken"]
        assert told == [(each.version, each.action.notation, each.sentence) for each in acted]
        (hits,) = file.execute(
            "SELECT count(*) FROM events_fts WHERE events_fts MATCH 'golem'"
        ).fetchone()
        assert hits
        queries = msgspec.json.decode(to.with_name(f"{to.name}.metadata.json").read_bytes())
        for query in queries["databases"]["public"]["queries"].values():
            assert file.execute(query["sql"], {"game": "agog", "words": "golem"}).fetchall()


async def test_a_file_that_is_there_is_replaced_only_if_that_is_asked(
    service: Service, settings: Settings, tmp_path: Path
) -> None:
    to = tmp_path / "public.sqlite"
    to.write_bytes(b"dear to somebody")
    refused = await export(settings.folder, to)
    assert (refused.exit_code, to.read_bytes()) == (1, b"dear to somebody")
    assert (await export(tmp_path / "nowhere", to, "--replace")).exit_code == 1
    assert to.read_bytes() == b"dear to somebody"
    assert (await export(settings.folder, to, "--replace")).exit_code == 0
    assert to.read_bytes().startswith(b"SQLite format 3")
    assert {each.name for each in tmp_path.iterdir()} == {
        "data", to.name, f"{to.name}.metadata.json"
    }  # fmt: skip
