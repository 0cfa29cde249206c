"""`emeth packs`: content packs checked, listed and shown; and a service that is given some."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from click.testing import Result

from domain.games.golem_arcana.content.pack_reading import pack_digest
from services.client import Client, ServiceError
from services.main import Service
from services.proof.match_file import attest, file_chunks
from services.proof.signing import Signer
from services.runtime.settings import Settings
from services.store import pack_folder as files
from services.store.application import LogApplication
from services.store.pack_folder import PacksError, add_folder
from services.store.startup import StartError
from tests.domain.conftest import MatchBuilder

Emeth = Callable[..., Result]
HERE = Path(__file__).parents[2] / "games" / "golem_arcana" / "packs"
DIGEST = "2a71216e8a385a5c55010b3f51c3da4d3529670ef2e9035c1c73a84c01441ef0"


TWICE = """
[[relic]]
id = "cairn"
name = "Cairn"
size = 1
apv = 1
charges = 1
source = "house"
ability = { id = "pile", name = "Pile", target = "region", range = 1, \
effects = [ { op = "construct" }, { op = "construct" } ] }
construct = { name = "Cairn", hp = 1, armor = 0, dodge = 0 }
"""


@pytest.fixture
def folder(tmp_path: Path):
    """A folder with the second pack."""
    place = tmp_path / "packs"
    place.mkdir()
    for file in HERE.glob("duel.*"):
        shutil.copy(file, place)
    (place / "README").write_text("Stones.\n")
    return place


def test_a_sound_pack_is_described_from_either_of_its_files(emeth: Emeth) -> None:
    for ending in ("content", "boards"):
        result = emeth("packs", "check", HERE / f"duel.{ending}.toml")
        assert result.exit_code == 0
        assert result.output.startswith("duel-of-stones 0.1 is sound: 1 golem, 1 ancient,")
    report = json.loads(emeth("packs", "check", HERE / "duel.boards.toml", "--json").output)
    assert (report["digest"], report["counts"]["golem"]) == (DIGEST, 1)


def test_every_fault_of_a_pack_is_reported_with_its_entry_and_key(
    emeth: Emeth, folder: Path
) -> None:
    content, boards = folder / "duel.content.toml", folder / "duel.boards.toml"
    content.write_text(content.read_text().replace("hp = 20", 'hp = "20"'))
    boards.write_text(boards.read_text().replace("set = 1", "set = 0"))
    result = emeth("packs", "check", content)
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "Error: duel: content: golem pebble: hp: Expected `int`, got `str`",
        "duel: boards: tile 1A: set: Expected `int` >= 1",
    ]


def test_a_file_that_is_no_pack_is_reported(emeth: Emeth, folder: Path) -> None:
    other = emeth("packs", "check", folder / "README")
    assert (other.exit_code, "is not a content pack file" in other.output) == (1, True)
    (folder / "duel.boards.toml").unlink()
    half = emeth("packs", "check", folder / "duel.content.toml")
    assert (half.exit_code, "cannot read" in half.output) == (1, True)


def test_packs_are_listed_with_those_of_a_folder(emeth: Emeth, folder: Path) -> None:
    assert [line.split()[1] for line in emeth("packs", "list").output.splitlines()[1:]] == [
        "res-arcana-base",
        "eretsu-core",
        "eretsu-banners",
    ]
    more = emeth("packs", "list", "--packs", folder)
    assert more.output.splitlines()[-1].split()[:4] == [
        "golem-arcana", "duel-of-stones", "0.1", DIGEST[:12],
    ]  # fmt: skip
    listed = json.loads(emeth("packs", "list", "--json").output)
    assert {pack["game"] for pack in listed} == {"golem-arcana", "res-arcana"}


def test_a_pack_is_shown_by_its_id_or_the_start_of_its_digest(emeth: Emeth, folder: Path) -> None:
    shown = emeth("packs", "show", "duel-of-stones", "--packs", folder)
    assert shown.output.splitlines()[-1].startswith("scenario  duel      Duel")
    assert "golem     pebble    Pebble        40" in shown.output
    by_digest = emeth("packs", "show", DIGEST[:6], "--packs", folder, "--kind", "golem", "--json")
    assert [entry["id"] for entry in json.loads(by_digest.output)["entries"]] == ["pebble"]
    cards = emeth("packs", "show", "res-arcana-base", "--kind", "monument").output
    assert len(cards.splitlines()) == 14
    assert emeth("packs", "show", "nothing").exit_code == 2


async def test_published_cards_are_shown_and_fielded_and_fought_with(
    tmp_path: Path, emeth: Emeth, folder: Path
) -> None:
    for part in ("content", "boards"):
        shutil.copy(HERE / f"published.{part}.toml", folder)
    pack = json.loads(emeth("packs", "check", folder / "published.content.toml", "--json").output)
    shown = emeth("packs", "show", "published", "--packs", folder, "--kind", "golem", "--json")
    words = {each["id"]: each["description"] for each in json.loads(shown.output)["entries"]}
    assert words["woodguard"].endswith("Protector: its allies there have armor +5")
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", packs=str(folder))
    guards = {"faction": "durani", "golems": [{"type": "woodguard"}] * 2}
    dancers = {"faction": "durani", "golems": [{"type": "blazing-dervish"}]}
    options = {
        "pack": pack["digest"],
        "scenario": "parade",
        "armies": {"south": guards, "north": dancers},
    }
    course = [
        ("south", "deploy s1 b1"), ("south", "deploy s2 b1"), ("north", "deploy n1 b3"),
        ("south", "move s1 walk b2"), ("south", "move s2 walk b2"), ("south", "end"),
        ("north", "move n1 walk b2"), ("north", "attack n1 blade-dance s1"), ("north", "dice 30"),
    ]  # fmt: skip
    async with Service(settings) as service, Client(service.address) as client:
        made = await client.create_match(game="golem-arcana", options=options)
        identity = made.match.match_id
        for seat, action in course:
            done = await client.submit(made.tokens[seat], identity, action)
            assert done.WhichOneof("outcome") == "accepted", (action, done)
        scene = await client.view(made.tokens["south"], identity, "text")
    # 25 - (10 + 5 from the other Woodguard - 5 that Blade Dance ignores) = 15.
    assert "s1=woodguard@b2:70" in scene.position
    assert "!blazing-dervish.blade-dance:armor:-5:2:north" in scene.position


async def test_a_service_plays_with_the_packs_of_its_folder(tmp_path: Path, folder: Path) -> None:
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", packs=str(folder))
    options = {"pack": DIGEST, "scenario": "duel"}
    async with Service(settings) as service, Client(service.address) as client:
        made = await client.create_match(game="golem-arcana", options=options)
        token, identity = made.tokens["west"], made.match.match_id
        done = await client.submit(token, identity, "attack w1 toss e1")
        assert done.WhichOneof("outcome") == "accepted"
    shutil.rmtree(folder)
    without = msgspec.structs.replace(settings, packs="")
    async with Service(without) as service, Client(service.address) as client:
        scene = await client.view(token, identity, "text")
        assert "w1=pebble@a1:20" in scene.position, "the service has kept the pack"


async def test_two_services_of_one_process_have_each_their_own_packs(
    tmp_path: Path, folder: Path
) -> None:
    having = Settings(data=str(tmp_path / "one"), listen="127.0.0.1:0", packs=str(folder))
    lacking = Settings(data=str(tmp_path / "other"), listen="127.0.0.1:0")
    options = {"pack": DIGEST, "scenario": "duel"}
    async with (
        Service(having) as one,
        Service(lacking) as other,
        Client(one.address) as knowing,
        Client(other.address) as stranger,
    ):
        made = await knowing.create_match(game="golem-arcana", options=options)
        with pytest.raises(ServiceError, match="there is no content pack 2a71216e"):
            await stranger.create_match(game="golem-arcana", options=options)
        usual = await stranger.create_match(game="golem-arcana", options={})
        assert (await stranger.view(usual.tokens["south"], usual.match.match_id)).position
        file = (await knowing.export(made.tokens["referee"], made.match.match_id)).data
        with pytest.raises(ServiceError, match="options cannot be read here"):
            await stranger.import_file(other.admin_key, file)
        assert (await knowing.import_file(one.admin_key, file)).match_id == made.match.match_id
    identity = UUID(made.match.match_id)
    env = {"EMETH_SQLITE_DBNAME": str(tmp_path / "one" / "log.sqlite")}
    library = files.load_stored_packs(tmp_path / "one" / "packs")
    with LogApplication(env, library) as app:
        assert app.repository.get(identity).position.pack.digest == DIGEST
    with LogApplication(env) as app, pytest.raises(msgspec.ValidationError, match="no content"):
        app.repository.get(identity)


def test_a_match_with_a_pack_of_its_own_verifies_with_the_pack(
    emeth: Emeth, tmp_path: Path, folder: Path
) -> None:
    chosen = {"pack": add_folder(folder).custom_packs[DIGEST], "scenario": "duel"}
    story = MatchBuilder("golem-arcana", 3, chosen=chosen).play(3)
    file, signer = tmp_path / "match.emeth", Signer(bytes(32))
    file.write_bytes(b"".join(file_chunks(story.match, story.events, attest(story.match, signer))))
    without = emeth("verify", file)
    assert without.exit_code == 1
    assert "its options cannot be read here: there is no content pack 2a71216e" in without.output
    assert emeth("verify", file, "--packs", folder).output.startswith("sound: ")


async def test_a_service_with_a_faulty_pack_does_not_start_and_says_why(
    tmp_path: Path, folder: Path
) -> None:
    content = folder / "duel.content.toml"
    content.write_text(content.read_text().replace("hp = 20", "hp = 0"))
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0", packs=str(folder))
    with pytest.raises(StartError, match="duel: content: golem pebble: hp"):
        async with Service(settings):
            pass
    missing = Settings(data=str(tmp_path / "data"), packs=str(tmp_path / "nowhere"))
    with pytest.raises(StartError, match="is not a folder"):
        async with Service(missing):
            pass


async def test_what_is_found_wrong_with_a_pack_later_takes_it_from_no_match(
    tmp_path: Path, folder: Path
) -> None:
    """A pack that an earlier version kept, and that today's check would not let through."""
    kept = tmp_path / "data" / "packs"
    kept.mkdir(parents=True)
    content, boards = (folder / f"duel.{part}.toml" for part in ("content", "boards"))
    content.write_text(content.read_text() + TWICE)
    with pytest.raises(PacksError, match="a Construct is placed once"):
        files.add_folder(folder)
    digest = pack_digest(content.read_bytes(), boards.read_bytes())
    content.rename(kept / f"{digest}.content.toml")
    boards.rename(kept / f"{digest}.boards.toml")
    settings = Settings(data=str(tmp_path / "data"), listen="127.0.0.1:0")
    async with Service(settings) as service, Client(service.address) as client:
        made = await client.create_match(
            game="golem-arcana", options={"pack": digest, "scenario": "duel"}
        )
        scene = await client.view(made.tokens["west"], made.match.match_id, "text")
        assert "w1=pebble@a1:20" in scene.position
