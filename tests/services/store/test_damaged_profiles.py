"""Bits that flip in player profiles: noticed, named, and the others keep their names."""

import secrets
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from projections.projector.schema import FORMER_PLAYER
from services.client import Client
from services.main import Service
from services.runtime.settings import Settings
from services.store.cipher_keys import VARIABLE, CipherKeys
from services.store.doctor.checks import run_checks
from services.store.errors import ProfilesUnavailable
from services.store.player_profiles import UNREADABLE_NAME, PlayerProfile, PlayerProfiles
from services.store.row_checksums import RowDamaged, add_checksum, verify_checksum
from services.store.sqlite.side_store import FileSideStore
from services.store.startup import StartError
from tests.services.accounts.conftest import open_site

SITE = uuid4()
NAMES = ("Ada", "Béla", "Chloë", "Dora", "eve")
KEYS = CipherKeys({VARIABLE: secrets.token_hex(32)})
FILE, KEY_FILE = "people.sqlite", "player-keys.sqlite"
FLIPS = 400


def people_in(folder: Path, keys: CipherKeys) -> tuple[FileSideStore, PlayerProfiles]:
    side_store = FileSideStore(folder)
    return side_store, PlayerProfiles(side_store, keys)


def filled(folder: Path, keys: CipherKeys) -> dict[UUID, str]:
    folder.mkdir(exist_ok=True)
    side_store, people = people_in(folder, keys)
    names = {uuid4(): name for name in NAMES}
    for number, (player, name) in enumerate(names.items()):
        people.put(PlayerProfile(player, SITE, str(number), name), name.lower())
    side_store.close()
    return names


def test_each_flipped_bit_of_a_row_is_found() -> None:
    row = add_checksum((str(uuid4()), str(SITE), "1", "Béla", "béla"))
    for column, text in enumerate(row):
        raw = text.encode()
        for bit in range(len(raw) * 8):
            changed = bytearray(raw)
            changed[bit // 8] ^= 1 << bit % 8
            shown = changed.decode(errors="backslashreplace")
            with pytest.raises(RowDamaged):
                verify_checksum((*row[:column], shown, *row[column + 1 :]))


@pytest.mark.parametrize("keys", [CipherKeys({}), KEYS], ids=["clear", "encrypted"])
def test_no_bit_that_flips_in_the_file_gives_anybody_another_name(
    tmp_path: Path, keys: CipherKeys
) -> None:
    names = filled(tmp_path / "whole", keys)
    raw, chance = (tmp_path / "whole" / FILE).read_bytes(), Random(1)
    # Rows lie at the ends of pages: half of the flips are there, where most matter.
    ends = [page + byte for page in range(0, len(raw), 4096) for byte in range(2900, 4096)]
    reports = 0
    for flip in range(FLIPS):
        folder = tmp_path / "flipped"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "whole", folder)
        changed = bytearray(raw)
        changed[chance.choice(ends) if flip % 2 else chance.randrange(len(raw))] ^= (
            1 << chance.randrange(8)
        )
        (folder / FILE).write_bytes(changed)
        with capture_logs() as logs:
            side_store = FileSideStore(folder)
            try:
                people = PlayerProfiles(side_store, keys)
                shown = {player: people.name(player) for player in names}
            except ProfilesUnavailable:
                reports += 1
                continue
            finally:
                side_store.close()
        events = {each["event"] for each in logs} & {"person_damaged"}
        reports += bool(events)
        for player, name in names.items():
            assert shown[player] == name or (
                shown[player] in (UNREADABLE_NAME, FORMER_PLAYER) and events
            )
        assert sum(shown[player] != name for player, name in names.items()) <= 1
    assert reports > FLIPS // 10, "the flips hit what matters"


def test_no_bit_that_flips_in_the_file_of_keys_takes_anybodys_name_in_silence(
    tmp_path: Path,
) -> None:
    names = filled(tmp_path / "whole", KEYS)
    raw, chance, reports = (tmp_path / "whole" / KEY_FILE).read_bytes(), Random(2), 0
    used = [place for place in range(2048, len(raw)) if raw[place]]  # where the rows lie
    for _ in range(FLIPS // 2):
        folder = tmp_path / "flipped"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(tmp_path / "whole", folder)
        changed = bytearray(raw)
        changed[chance.choice(used)] ^= 1 << chance.randrange(8)
        (folder / KEY_FILE).write_bytes(changed)
        for _start in range(2):  # what is done at a start must not hide it from the next
            shown, found, events = seen(folder, names)
            reports += bool(events)
            for number, (player, name) in enumerate(names.items()):
                assert shown.get(player, UNREADABLE_NAME) in (name, UNREADABLE_NAME)
                assert shown.get(player) == name or events
                assert found.get(number, player) == player, "nobody is introduced twice"
            if shown:
                assert sum(shown[player] != name for player, name in names.items()) <= 1
    assert reports > FLIPS // 8, "the flips hit what matters"


def seen(
    folder: Path, names: Mapping[UUID, str]
) -> tuple[dict[UUID, str], dict[int, UUID | None], bool]:
    """The names of players, whom the site finds by its own ids, and whether damage was reported;
    no ids if it is reported at the start of the service."""
    found = dict[int, UUID | None]()
    with capture_logs() as logs:
        side_store = FileSideStore(folder)
        try:
            people = PlayerProfiles(side_store, KEYS)
            shown = {player: people.name(player) for player in names}
            for number in range(len(names)):
                with suppress(ProfilesUnavailable):
                    person = people.find_external(SITE, str(number))
                    found[number] = person.player if person else None
        except ProfilesUnavailable:
            return {}, {}, True
        finally:
            side_store.close()
    return shown, found, any(each["event"] == "person_damaged" for each in logs)


@pytest.mark.parametrize("column", ["player", "wrapped"])
@pytest.mark.parametrize("whose", ["a player's", "the index"])
def test_a_key_with_a_flipped_bit_is_reported_as_damage_of_its_player(
    tmp_path: Path, column: str, whose: str
) -> None:
    names = filled(tmp_path / "rows", KEYS)
    ada, *others = names
    player = str(ada) if whose == "a player's" else "index"
    with closing(sqlite3.connect(tmp_path / "rows" / KEY_FILE)) as rows, rows:
        changes = f"{column} = char(unicode({column}) + 1) || substr({column}, 2)"
        rows.execute(f"UPDATE player_keys SET {changes} WHERE player = ?", (player,))  # noqa: S608
    shown, found, reported = seen(tmp_path / "rows", names)
    assert reported
    if whose == "a player's":
        assert shown == {**names, ada: UNREADABLE_NAME}
        assert {found[number] for number in range(1, len(names))} == set(others)
    elif column == "player":
        assert (shown, set(found.values())) == (names, set(names)), "it is known by what it signed"
    else:
        assert not shown, "the service does not start"


def test_rows_of_an_earlier_version_get_a_checksum_and_keep_their_names(tmp_path: Path) -> None:
    names = filled(tmp_path / "rows", CipherKeys({}))
    with closing(sqlite3.connect(tmp_path / "rows" / FILE)) as rows, rows:
        rows.execute("UPDATE people SET name = substr(name, 15)")
        assert {name for (name,) in rows.execute("SELECT name FROM people")} == set(NAMES)
    side_store, people = people_in(tmp_path / "rows", CipherKeys({}))
    assert {player: people.name(player) for player in names} == names
    assert people.find_by_name("é") == [
        str(player) for player, name in names.items() if name == "Béla"
    ]
    side_store.close()
    with closing(sqlite3.connect(tmp_path / "rows" / FILE)) as rows:
        assert all(name.startswith("\2\2") for (name,) in rows.execute("SELECT name FROM people"))


async def test_a_match_is_shown_whose_player_has_a_damaged_name(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        site = await open_site(service, "A site")
        async with site.client:
            ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
            matches = [await site.match(each) for each in (ada, bob)]
        player = ada.id
    with closing(sqlite3.connect(settings.folder / FILE)) as rows, rows:
        rows.execute("UPDATE people SET name = replace(name, 'Ada', 'Ade')")
    assert [each.weight for each in run_checks(settings) if each.about == "players"] == ["bad"]
    with capture_logs() as logs:
        async with Service(settings) as service, Client(service.address) as client:
            found = [
                await client.match(each, token=tokens["spectator"]) for each, tokens in matches
            ]
    shown = [each.seats[0].player for each in found]
    assert shown == [UNREADABLE_NAME, "Bob"]
    assert {each["player"] for each in logs if each["event"] == "person_damaged"} == {player}


async def test_the_doctor_names_the_player_whose_key_is_damaged(
    settings: Settings, tmp_path: Path
) -> None:
    reads = str(tmp_path / "memory")
    encrypted = replace(settings, cipher_keys=secrets.token_hex(32), reads=reads)
    async with Service(encrypted) as service:
        site = await open_site(service, "A site")
        async with site.client:
            players = [(await site.introduce(name, name)).id for name in NAMES]
    assert [each.weight for each in run_checks(encrypted) if each.about == "players"] == ["fine"]
    for column, player in (("player", players[0]), ("wrapped", players[1]), ("player", "index")):
        with closing(sqlite3.connect(settings.folder / KEY_FILE)) as rows, rows:
            changes = f"{column} = substr({column}, 2) || 'x'"
            rows.execute(f"UPDATE player_keys SET {changes} WHERE player = ?", (player,))  # noqa: S608
        (found,) = [each for each in run_checks(encrypted) if each.about == "players"]
        assert found.weight == "bad"
        assert player in found.what
        assert KEY_FILE in found.remedy


async def test_a_file_that_is_not_whole_is_named_with_what_to_do(settings: Settings) -> None:
    async with Service(settings) as service:
        site = await open_site(service, "A site")
        async with site.client:
            for number in range(200):
                await site.introduce(str(number), f"Player {number}")
    path = settings.folder / FILE
    raw = bytearray(path.read_bytes())
    raw[4096:8192] = bytes(4096)
    path.write_bytes(raw)
    with pytest.raises(StartError, match=r"people\.sqlite"):
        async with Service(settings):
            pass
