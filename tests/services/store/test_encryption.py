"""A log is encrypted at rest: nothing of it lies on the disk in clear, and it says what it said."""

import secrets
import sqlite3
from base64 import b64encode
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from click.testing import CliRunner
from eventsourcing.persistence import StoredEvent
from msgspec.structs import replace

from projections.projector.schema import FORMER_PLAYER
from services.cli.main import main
from services.client import Client
from services.main import Service
from services.runtime.keys import BadKeyError
from services.runtime.settings import Settings
from services.store import profile_rows, row_checksums
from services.store.backup import BackupEncryption, BackupError, back_up, restore
from services.store.cipher_keys import CLEAR, MARK, VARIABLE, CipherKeys, key_id
from services.store.doctor.checks import run_checks
from services.store.errors import CipherKeyMissing
from services.store.log import FILE, Log
from services.store.player_profiles import NameTaken, PlayerProfile, PlayerProfiles
from services.store.sqlite.side_store import FileSideStore
from services.store.startup import StartError
from services.wire.emeth.v1.matches_pb2 import VISIBILITY_PUBLIC
from tests.services.accounts.conftest import open_site
from tests.services.conftest import OPENING
from tests.stores import both_stores

ONE, OTHER = secrets.token_hex(32), secrets.token_hex(32)
SECRETS = (b"Ottilie", b"account-of-hers", b"A secret meeting", b"agog.move", b"emp_")
"""Secrets of the matches here: a name, the site's id of a player, a title, actions."""


@pytest.fixture
def plain(settings: Settings) -> Settings:
    return replace(settings, http="no")


@pytest.fixture
def encrypted(plain: Settings, tmp_path: Path) -> Settings:
    return replace(plain, cipher_keys=ONE, reads=str(tmp_path / "memory"))


async def play(settings: Settings, match: str = "", token: str = "") -> tuple[str, str]:
    """Run a service and end a match, or begin a new one; that, and its player's token."""
    async with Service(settings) as service, Client(service.address) as client:
        if match:
            await client.submit_action(token, match, resignation=True)
        else:
            site = await open_site(service, secrets.token_hex(3))
            async with site.client:
                ada = await site.introduce("account-of-hers", "Ottilie")
                match, tokens = await site.match(
                    ada, title="A secret meeting", visibility=VISIBILITY_PUBLIC
                )
            token = ada.token
            for seat, action in OPENING:
                await client.submit(token if seat == "white" else tokens[seat], match, action)
        assert (await client.match(match)).seats[0].player == "Ottilie"
        verified = await client.verify_match(token, match)
        assert verified.sound, verified
    return match, token


def states(settings: Settings) -> list[bytes]:
    """The states of all events, as they lie there."""
    if settings.store:
        with psycopg.connect(settings.store) as connection:
            rows = connection.execute(
                "SELECT state FROM stored_events ORDER BY notification_id"
            ).fetchall()
    else:
        with closing(sqlite3.connect(settings.folder / FILE)) as log:
            rows = log.execute("SELECT state FROM stored_events ORDER BY rowid").fetchall()
    return [bytes(state) for (state,) in rows]


def keys_of(found: Iterable[bytes]) -> list[str]:
    return list(dict.fromkeys(map(key_id, found)))


def cipher(*words: str) -> CipherKeys:
    return CipherKeys({VARIABLE: " ".join(words)})


def leaked(folder: Path) -> list[tuple[str, bytes]]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [(each.name, word) for each in files for word in SECRETS if word in each.read_bytes()]


async def test_nothing_lies_in_the_folder_in_clear(plain: Settings, encrypted: Settings) -> None:
    other = replace(plain, data=f"{plain.data}-in-clear")
    await play(other)
    assert {word for _, word in leaked(other.folder)} == {*SECRETS[:4]}, "the search finds them"
    await play(encrypted)
    assert leaked(encrypted.folder) == []
    assert b"A secret meeting" in b"".join(map(cipher(ONE).decrypt, states(encrypted)))


@both_stores
async def test_only_ids_types_and_numbers_are_left_in_clear(encrypted: Settings) -> None:
    """As docs/operations.md has it, for who takes an encrypted folder away."""
    await play(encrypted)
    left = set[str]()
    for path in encrypted.folder.rglob("*.sqlite"):
        with closing(sqlite3.connect(path)) as opened:
            named = opened.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            for (table,) in named.fetchall():
                rows = opened.execute(f"SELECT * FROM {table}")  # noqa: S608
                columns = [f"{table}.{each[0]}" for each in rows.description]
                for row in rows:
                    pairs = zip(columns, row, strict=True)
                    left |= {column for column, value in pairs if not is_sealed(value)}
    events = {f"stored_events.{each}" for each in ("originator_id", "originator_version", "topic")}
    people = {"people.player", "people.frontend", "player_keys.player"}
    assert left <= events | people | {"deliveries.frontend", "deliveries.taken"}
    assert encrypted.store or left >= people


def is_sealed(value: object) -> bool:
    """Is it encrypted, or a keyed digest?"""
    if isinstance(value, bytes):
        return value.startswith(MARK)
    sealed = b64encode(MARK)[:4].decode()
    return isinstance(value, str) and value.startswith(
        (profile_rows.MARK, row_checksums.MARK, sealed)
    )


async def test_a_log_starts_to_be_encrypted_continues_under_another_key_and_back_in_clear(
    plain: Settings, encrypted: Settings
) -> None:
    match, token = await play(plain)
    assert keys_of(states(plain)) == [""]
    for words in (ONE,), (OTHER, ONE), (CLEAR, OTHER, ONE):
        now = replace(encrypted, cipher_keys=" ".join(words))
        await play(now, match, token)
        match, token = await play(now)
    assert keys_of(states(plain)) == ["", cipher(ONE).current, cipher(OTHER).current]


@both_stores
async def test_a_log_whose_key_is_missing_is_refused_by_its_name_and_not_changed(
    plain: Settings, encrypted: Settings
) -> None:
    await play(encrypted)
    before = states(plain)
    for wrong in plain, replace(encrypted, cipher_keys=OTHER):
        with pytest.raises(CipherKeyMissing, match=f"under the key {cipher(ONE).current}"):
            async with Service(wrong):
                pass
    assert states(plain) == before


def test_keys_that_are_none_are_refused(tmp_path: Path) -> None:
    for word in "00" * 32, "short", f"{ONE} {CLEAR}":
        with pytest.raises(BadKeyError, match="EMETH_CIPHER_KEYS: key"):
            cipher(word)
    with pytest.raises(BadKeyError, match="cannot be read"):
        CipherKeys({f"{VARIABLE}_FILE": str(tmp_path / "none")})


async def test_read_models_lie_in_clear_only_where_that_is_said(encrypted: Settings) -> None:
    with pytest.raises(StartError, match="EMETH_READS"):
        async with Service(replace(encrypted, reads="")):
            pass
    assert not (encrypted.folder / FILE).exists()


def test_snapshots_are_encrypted_and_dropped_without_their_key(tmp_path: Path) -> None:
    identity, state = uuid4(), b'{"match": "as it stands"}'
    for under, seen in (cipher(ONE), state), (cipher(OTHER), None), (cipher(ONE), state):
        with closing(Log(tmp_path, print, "", under)) as log:
            log.put_snapshot(StoredEvent(identity, 1, "match.Snapshot", state))
            found = log.latest_snapshot(identity)
            assert (found and found.state) == seen
    assert b"as it stands" not in (tmp_path / FILE).read_bytes()


def test_a_state_that_was_changed_or_cut_is_no_event_and_no_crash() -> None:
    keys = cipher(ONE)
    stored = keys.encrypt(b"taken")
    for spoiled in stored[:-1], stored[:20], stored[:-1] + b"!", stored[:5]:
        with pytest.raises(ValueError, match=r"."):
            keys.decrypt(spoiled)


async def test_a_log_is_moved_into_an_encrypted_one_and_is_the_same(
    plain: Settings, encrypted: Settings, tmp_path: Path
) -> None:
    match, token = await play(plain)
    keys = tmp_path / "cipher.keys"
    keys.write_text(f"{ONE}\n")
    target = tmp_path / "new"
    target.mkdir()
    words = ("--from", f"sqlite:{plain.folder / FILE}", "--to", f"sqlite:{target / FILE}")
    moved = CliRunner().invoke(main, ["move-log", *words, "--cipher-keys-file", str(keys)])
    assert moved.exit_code == 0, moved.output
    assert leaked(target) == [("people.sqlite", word) for word in SECRETS[:2]], (
        "encrypted at a start"
    )
    for key in plain.folder.glob("*.key"):
        (target / key.name).write_bytes(key.read_bytes())
    there = replace(encrypted, data=str(target))
    assert list(map(cipher(ONE).decrypt, states(there))) == states(plain)
    await play(there, match, token)
    assert keys_of(states(there)) == [cipher(ONE).current]
    assert leaked(target) == []


def ask(folder: Path, keys: CipherKeys) -> PlayerProfiles:
    return PlayerProfiles(FileSideStore(folder), keys)


def test_a_player_who_was_forgotten_is_unknown_from_every_copy_of_the_row(tmp_path: Path) -> None:
    site, ada, bob = uuid4(), uuid4(), uuid4()
    people = ask(tmp_path, cipher(ONE))
    people.put(PlayerProfile(ada, site, "1", "Ada"), "ada")
    people.put(PlayerProfile(bob, site, "2", "Bob"), "bob")
    copied = tmp_path / "copied"
    copied.mkdir()
    with (
        closing(sqlite3.connect(tmp_path / "people.sqlite")) as rows,
        closing(sqlite3.connect(copied / "people.sqlite")) as copy,
    ):
        rows.backup(copy)
    people.erase(ada)
    (copied / "player-keys.sqlite").write_bytes((tmp_path / "player-keys.sqlite").read_bytes())
    for each in people, ask(copied, cipher(ONE)):
        assert each.profile(ada) is None
        assert each.find_external(site, "1") is None
        assert (each.name(ada), each.name(bob)) == (FORMER_PLAYER, "Bob")
        assert each.find_by_name("a") == []
    with closing(sqlite3.connect(copied / "people.sqlite")) as rows:
        assert rows.execute("SELECT count(*) FROM people").fetchone() == (2,), "the row is there"


def test_players_are_found_by_id_and_name_whether_their_rows_are_encrypted_or_not(
    tmp_path: Path,
) -> None:
    site, ada, bob = uuid4(), PlayerProfile(uuid4(), uuid4(), "1", "Ada Lovelace"), uuid4()
    for keys in CipherKeys({}), cipher(ONE), cipher(OTHER, ONE), cipher(CLEAR, OTHER):
        people = ask(tmp_path, keys)
        people.put(ada, "ada lovelace")
        assert people.find_external(ada.frontend, "1") == ada
        assert people.find_external(site, "1") is None
        assert people.find_by_name("love") == [str(ada.player)]
        with pytest.raises(NameTaken):
            people.put(PlayerProfile(bob, ada.frontend, "2", "Ada lovelace"), "ada lovelace")
        people.put(replace(ada, name="Ada King"), "ada king")
        assert people.find_by_name("king") == [str(ada.player)]
        assert people.find_by_name("love") == []
        assert people.count(ada.frontend) == 1
    assert (
        b"Ada King" in (tmp_path / "people.sqlite").read_bytes()
        or b"Ada King" in (tmp_path / "people.sqlite-wal").read_bytes()
    )


async def test_a_backup_has_players_only_with_the_file_of_their_keys(
    encrypted: Settings, tmp_path: Path
) -> None:
    match, token = await play(encrypted)
    apart, sealing = (
        tmp_path / "player-keys",
        BackupEncryption(cipher(ONE), tmp_path / "player-keys"),
    )
    made = back_up(encrypted.folder, tmp_path / "backup", None, sealing)
    assert leaked(tmp_path / "backup") == []
    with pytest.raises(BackupError, match="EMETH_CIPHER_KEYS_FILE"):
        restore([tmp_path / "backup"], tmp_path / "without")
    assert not (tmp_path / "without").exists()

    def restored(name: str, sealing: BackupEncryption) -> Settings:
        assert restore([tmp_path / "backup"], tmp_path / name, sealing) == made
        return replace(encrypted, data=str(tmp_path / name), reads=str(tmp_path / f"{name}-reads"))

    await play(restored("with", sealing), match, token)
    with closing(sqlite3.connect(apart)) as keys:
        assert keys.execute("SELECT count(*) FROM player_keys").fetchone() == (2,)
        keys.execute("DELETE FROM player_keys WHERE player <> 'index'")
        keys.commit()
    forgotten = restored("forgotten", sealing)
    async with Service(forgotten) as service, Client(service.address) as client:
        assert (await client.match(match)).seats[0].player == FORMER_PLAYER


async def test_the_doctor_says_what_is_encrypted_and_what_is_missing(
    plain: Settings, encrypted: Settings
) -> None:
    def encryption_checks(settings: Settings) -> list[tuple[str, str]]:
        signs = run_checks(settings, whole=True)
        return [(each.weight, each.what) for each in signs if each.about == "encryption"]

    await play(plain)
    assert encryption_checks(plain) == [("fine", "the log is not encrypted")]
    before = len(states(plain))
    await play(encrypted)
    after = len(states(plain))
    checks = encryption_checks(encrypted)
    assert checks[0] == (
        "note",
        f"{before} of {after} events are in clear, from before it began",
    )
    assert [what.partition(" in clear")[0] for _, what in checks[1:]] == [
        "secret.key lies",
        "signing.key lies",
        "admin.key lies",
        "read models",
    ]
    ((weight, what),) = [each for each in encryption_checks(plain) if each[0] == "bad"]
    assert (weight, cipher(ONE).current in what) == ("bad", True)
    assert not [each for each in run_checks(encrypted, whole=True) if each.weight == "bad"]
