"""Libraries of content packs: values beside each other, none of which belongs to the process."""

import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games import res_arcana
from domain.kernel.any_game import read_constraints, read_options
from domain.kernel.packs import BUILT_IN_PACKS, Library, Pack
from domain.log.digests import canonical_bytes
from domain.match import Audit, MatchCreated, replay
from domain.registry import GAMES
from domain.storage.projector import project
from domain.storage.snapshots import match_decoder, read_snapshot, take_snapshot
from tests.domain.conftest import MatchBuilder

DUEL = Path(__file__).parents[2] / "games" / "golem_arcana" / "packs"
CARDS = files(res_arcana).joinpath("res-arcana.cards.toml").read_bytes()


def pack_of(game: str, *contents: bytes) -> Pack:
    packs = GAMES[game].packs
    assert packs is not None
    found = packs.read(contents, False)
    assert isinstance(found, packs.kind), found
    return found


@pytest.fixture
def duel() -> Pack:
    return pack_of(
        "golem-arcana",
        (DUEL / "duel.content.toml").read_bytes(),
        (DUEL / "duel.boards.toml").read_bytes(),
    )


def cards(name: str) -> Pack:
    """The base game's cards, in which Hawk has another name: a pack of the same cards' ids."""
    assert b'"Hawk"' in CARDS
    return pack_of("res-arcana", CARDS.replace(b'"Hawk"', b'"%b"' % name.encode()))


def test_matches_of_two_libraries_are_played_side_by_side() -> None:
    """Both packs have the same ids, and neither library knows of the other's."""
    packs = {name: cards(name) for name in ("Kestrel", "Merlin")}
    libraries = {name: BUILT_IN_PACKS.with_packs([pack]) for name, pack in packs.items()}
    stories = {
        name: MatchBuilder("res-arcana", 5, chosen={"pack": pack}).play(30)
        for name, pack in packs.items()
    }
    for name, story in stories.items():
        library = libraries[name]
        (other,) = (each for each in libraries.values() if each is not library)
        again = replay(None, story.events, library=library)
        assert again == story.match
        assert again.position.cards.cards["hawk"].name == name
        assert project(None, story.events, library) == story.match
        snapshot = take_snapshot(story.match, {})
        assert read_snapshot(snapshot, library) == (story.match, {})
        body = canonical_bytes(story.match)
        assert match_decoder("res-arcana", library).decode(body) == story.match
        for stranger in (other, BUILT_IN_PACKS):
            with pytest.raises(msgspec.ValidationError, match="there is no content pack"):
                replay(None, story.events, library=stranger)
            with pytest.raises(msgspec.ValidationError, match="there is no content pack"):
                match_decoder("res-arcana", stranger).decode(body)
            assert read_snapshot(snapshot, stranger) is None


def test_an_audit_judges_a_match_with_the_packs_of_its_library(duel: Pack) -> None:
    story = MatchBuilder("golem-arcana", 3, chosen={"pack": duel, "scenario": "duel"}).play(4)
    audit = Audit(library=BUILT_IN_PACKS.with_packs([duel]))
    assert [finding for each in story.events for finding in audit.take(each)] == []
    assert "no content pack" in Audit().take(story.events[0])[0].sentence


def test_a_pack_is_stored_as_its_digest(duel: Pack) -> None:
    story = MatchBuilder("golem-arcana", 3, chosen={"pack": duel, "scenario": "duel"})
    created = story.events[0].event
    assert isinstance(created, MatchCreated)
    assert created.options["pack"] == duel.digest
    decoded: Any = msgspec.json.decode(canonical_bytes(story.match))
    assert decoded["options"]["pack"] == decoded["position"]["pack"] == duel.digest


def test_what_an_army_is_built_for_names_a_pack_of_the_library(duel: Pack) -> None:
    given = {"pack": duel.digest, "scenario": "duel"}
    game = GAMES["golem-arcana"]
    assert read_constraints(game, given, BUILT_IN_PACKS.with_packs([duel])).pack is duel
    with pytest.raises(msgspec.ValidationError, match="there is no content pack"):
        read_constraints(game, given)


def test_a_library_is_never_changed(duel: Pack) -> None:
    library, kestrel = BUILT_IN_PACKS.with_packs([duel]), cards("Kestrel")
    more = library.with_packs([kestrel, duel])
    assert library.custom_packs == {duel.digest: duel}
    assert more.custom_packs.keys() == {duel.digest, kestrel.digest}
    assert not BUILT_IN_PACKS.custom_packs


def test_a_library_gives_each_game_its_own_packs_first(duel: Pack) -> None:
    kestrel = cards("Kestrel")
    packs = {name: GAMES[name].packs for name in ("golem-arcana", "res-arcana")}
    golem, res = packs["golem-arcana"], packs["res-arcana"]
    assert golem is not None
    assert res is not None
    # The game's own pack may lie in the folder too; it is still one pack.
    library = BUILT_IN_PACKS.with_packs([kestrel, duel, *golem.built_in])
    assert library.packs_of(golem) == (*golem.built_in, duel)
    assert library.packs_of(res) == (*res.built_in, kestrel)


@pytest.mark.parametrize("named", ["no such pack", "", 7, None, ["a"], {"a": 1}])
def test_what_names_no_pack_is_refused(named: Any) -> None:
    for game in GAMES.values():
        if game.packs is not None:
            with pytest.raises(msgspec.ValidationError, match=r"no content pack .* here"):
                read_options(game, {"pack": named})


def test_a_pack_of_another_game_is_none_of_this(duel: Pack) -> None:
    library = Library({duel.digest: duel})
    with pytest.raises(msgspec.ValidationError, match="there is no content pack"):
        read_options(GAMES["res-arcana"], {"pack": duel.digest}, library)


def test_no_module_of_the_domain_has_packs_that_others_could_be_added_to() -> None:
    assert [*GAMES.values()]  # all are loaded
    held = [
        f"{name}.{attribute}"
        for name, module in [*sys.modules.items()]
        if name.startswith("domain.")
        for attribute, value in vars(module).items()
        if isinstance(value, dict | list | set)
        and any(
            isinstance(each, Pack)
            for each in (value.values() if isinstance(value, dict) else value)
        )
    ]
    assert held == []
