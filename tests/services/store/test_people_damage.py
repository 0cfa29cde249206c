"""Bits that flip in what tells who players are: noticed, named, and the others keep their names."""

import secrets
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from uuid import UUID, uuid4

import pytest
from structlog.testing import capture_logs

from projections.following.schema import FORMER
from services.client import Client
from services.doctor import examine
from services.server import Service
from services.settings import Settings
from services.starting import StartError
from services.store.cipher_keys import VARIABLE, CipherKeys
from services.store.errors import PeopleUnavailable
from services.store.people import UNREADABLE, People, Person
from services.store.person_sums import RowDamaged, summed, unsummed
from services.store.sqlite.beside import BesideFile
from tests.services.accounts.conftest import open_site

SITE = uuid4()
NAMES = ("Ada", "Béla", "Chloë", "Dora", "eve")
KEYS = CipherKeys({VARIABLE: secrets.token_hex(32)})
FILE = "people.sqlite"
FLIPS = 400


def people_in(folder: Path, keys: CipherKeys) -> tuple[BesideFile, People]:
    beside = BesideFile(folder)
    return beside, People(beside, keys)


def filled(folder: Path, keys: CipherKeys) -> dict[UUID, str]:
    folder.mkdir(exist_ok=True)
    beside, people = people_in(folder, keys)
    names = {uuid4(): name for name in NAMES}
    for number, (player, name) in enumerate(names.items()):
        people.put(Person(player, SITE, str(number), name), name.lower())
    beside.close()
    return names


def test_each_flipped_bit_of_a_row_is_found() -> None:
    row = summed((str(uuid4()), str(SITE), "1", "Béla", "béla"))
    for column, text in enumerate(row):
        raw = text.encode()
        for bit in range(len(raw) * 8):
            changed = bytearray(raw)
            changed[bit // 8] ^= 1 << bit % 8
            shown = changed.decode(errors="backslashreplace")
            with pytest.raises(RowDamaged):
                unsummed((*row[:column], shown, *row[column + 1 :]))


@pytest.mark.parametrize("keys", [CipherKeys({}), KEYS], ids=["clear", "encrypted"])
def test_no_bit_that_flips_in_the_file_gives_anybody_another_name(
    tmp_path: Path, keys: CipherKeys
) -> None:
    names = filled(tmp_path / "whole", keys)
    raw, chance = (tmp_path / "whole" / FILE).read_bytes(), Random(1)
    # Rows lie at the ends of pages: half of the flips are there, where most matter.
    ends = [page + byte for page in range(0, len(raw), 4096) for byte in range(2900, 4096)]
    told = 0
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
            beside = BesideFile(folder)
            try:
                people = People(beside, keys)
                shown = {player: people.name(player) for player in names}
            except PeopleUnavailable:
                told += 1
                continue
            finally:
                beside.close()
        events = {each["event"] for each in logs} & {"person_damaged"}
        told += bool(events)
        for player, name in names.items():
            assert shown[player] == name or (shown[player] in (UNREADABLE, FORMER) and events)
        assert sum(shown[player] != name for player, name in names.items()) <= 1
    assert told > FLIPS // 10, "the flips hit what matters"


def test_rows_of_an_earlier_version_get_a_checksum_and_keep_their_names(tmp_path: Path) -> None:
    names = filled(tmp_path / "rows", CipherKeys({}))
    with closing(sqlite3.connect(tmp_path / "rows" / FILE)) as rows, rows:
        rows.execute("UPDATE people SET name = substr(name, 15)")
        assert {name for (name,) in rows.execute("SELECT name FROM people")} == set(NAMES)
    beside, people = people_in(tmp_path / "rows", CipherKeys({}))
    assert {player: people.name(player) for player in names} == names
    assert people.named("é") == [str(player) for player, name in names.items() if name == "Béla"]
    beside.close()
    with closing(sqlite3.connect(tmp_path / "rows" / FILE)) as rows:
        assert all(name.startswith("\2\2") for (name,) in rows.execute("SELECT name FROM people"))


async def test_a_match_is_shown_whose_player_has_a_damaged_name(settings: Settings) -> None:
    async with Service(settings) as service, Client(service.address) as client:
        site = await open_site(service, "A site")
        async with site.client:
            ada, bob = await site.introduce("1", "Ada"), await site.introduce("2", "Bob")
            matches = [(await site.match(each))[0] for each in (ada, bob)]
        player = ada.id
    with closing(sqlite3.connect(settings.folder / FILE)) as rows, rows:
        rows.execute("UPDATE people SET name = replace(name, 'Ada', 'Ade')")
    assert [each.weight for each in examine(settings) if each.about == "players"] == ["bad"]
    with capture_logs() as logs:
        async with Service(settings) as service, Client(service.address) as client:
            shown = [(await client.match(each)).seats[0].player for each in matches]
    assert shown == [UNREADABLE, "Bob"]
    assert {each["player"] for each in logs if each["event"] == "person_damaged"} == {player}


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
