"""Sentences for people: outcomes of events, facts, captions, what actions do."""

import re
import sys
import typing
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana import facts as f
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.evolve import _APPLY
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, SPECTATOR
from domain.kernel.rulings import Accepted, Refused
from tests.games.golden import assert_golden, book
from tests.games.golem_arcana.conftest import narrated
from tests.games.golem_arcana.test_laws import CHANCE, OPTIONS, PLAYS, WALK

MOST = 240
PACKAGE = Path(str(sys.modules[State.__module__].__file__)).parent
CARDS = PACKAGE / "content"
GOLDEN = Path(__file__).parent / "golden" / "sentences.txt"
SECRETS = "south=1,north=2,buried-cache=b3,unquiet-grave=a4,stranger=c4"
NIGHT = {"scenario": "night-of-embers", "secrets": SECRETS}


# --- outcomes ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "outcome"),
    [
        ("31", ": 31 needed 61, a hit. 31 damage less 4 armor: n1 has 13 of 40 HP."),
        ("94", ": 94 needed 61, a miss."),
        ("88", ": 88 needed 61, a lucky hit. 31 damage less 4 armor: n1 has 13 of 40 HP."),
        ("55", ": 55 needed 61, a critical hit. 31 damage less 4 armor, times 1.5: n1 is "
         "destroyed; 14 Mana for North, 1 Victory Point for South. South wins by elimination, 1 "
         "Victory Point to 0."),
    ],
)  # fmt: skip
def test_an_attack_shows_the_roll_what_was_needed_the_damage_and_what_is_left(
    at, dice: str, outcome: str
) -> None:
    table = at("s1=sand-lion@a1:50;n1=prism-archer@a1:40")
    attack = "South's Sand Lion s1 attacks North's Prism Archer n1 with Bite"
    assert table.narrate("attack s1 bite n1").outcome == f"{attack} for 2 AP: 61 or less hits."
    assert table.narrate(f"dice {dice}").outcome == attack + outcome


def test_the_upkeep_shows_what_each_seat_gets_loses_and_is_rid_of(at) -> None:
    table = at(
        "s1=sand-lion@a5:50;s2=dune-viper@f9:75!wildwood-dryad.grasping-vines:pinned:1:1:south;"
        "s3=sand-lion@i5:50;n1=horned-blight@i9:60",
        turn="north",
        seats="south:0:0:0:-;north:2:0:0:-",
        wells="a5:L,e5:L",
    )
    assert table.narrate("end").outcome == (
        "North ends the Turn: 2 AP become Mana. Upkeep: South gains 1 Victory Point for the mark, "
        "3 Mana from the well at a5; Grasping Vines wears off South's Dune Viper s2. Round 2: "
        "South's Turn, with 6 AP."
    )


def test_a_move_shows_its_path_its_price_and_what_it_met(at) -> None:
    table = at("s1=horned-blight@b2:40;n1=winged-preserver@f6:110", **NIGHT)
    assert table.narrate("move s1 walk b3").outcome == (
        "South's Horned Blight s1 moves to b3 by Walk for 1 AP. South's Horned Blight s1 meets A "
        "buried cache in b3; South gains 6 Mana; s1 regains 10 HP and has 50 of 60."
    )


def test_an_area_attack_shows_each_of_its_targets(at) -> None:
    table = at(
        "s1=vigilant-sentinel@a9:45;s2=bramblehorn@a9:45;n1=horned-blight@a9:60;"
        "n2=prism-archer@a9:40"
    )
    assert table.narrate("attack s1 burning-beacon a9").outcome == (
        "South's Vigilant Sentinel s1 attacks all in a9 with Burning Beacon for 2 AP: to hit "
        "South's Bramblehorn s2 at 70, North's Horned Blight n1 at 80 and North's Prism Archer n2 "
        "at 76."
    )
    assert table.narrate("dice 75").outcome == (
        "South's Vigilant Sentinel s1 attacks all in a9 with Burning Beacon: the dice show 75. "
        "North's Horned Blight n1 (needed 80): hit, 60 of 60 HP; North's Prism Archer n2 (needed "
        "76): hit, 30 of 40 HP; and 2 more."
    )


def test_a_quest_is_shown_to_its_owner_and_is_face_down_for_the_others(start) -> None:
    for viewer, outcome in (
        ("south", "South is dealt a secret quest: Hoard (have 12 Mana in an Upkeep; 2 Victory "
         "Points)."),
        ("north", "South is dealt a secret quest."),
    ):  # fmt: skip
        table = start(scenario="night-of-embers").do("hide 2", "hide 1")
        narration = table.narrate("quest 3", viewer)
        assert narration.outcome == outcome
        assert narration.facts == ("", outcome)


def test_the_place_of_an_encounter_is_narrated_to_the_referee_only(start) -> None:
    for viewer, outcome in (
        (REFEREE, "A buried cache is hidden in d3."),
        ("south", "An encounter is hidden."),
    ):
        table = start(scenario="night-of-embers")
        assert table.narrate("hide 2", viewer).outcome == outcome


def test_a_resignation_is_narrated_with_its_consequences(at) -> None:
    table = at(
        "s1=sand-lion@a1:50;n1=sand-lion@a6:50;e1=sand-lion@h2:50",
        scenario="three-banners",
        seats="south:4:0:0:-;north:0:0:0:-;east:0:0:0:-",
    )
    answer = GAME.forfeit(table.state, "south")
    narration = narrated(table.state, "south", None, answer)
    assert narration.outcome == (
        "South gives up and is out; its Golems stay where they are. South's 4 AP become "
        "Mana. Round 1: North's Turn, with 4 AP."
    )


def test_what_does_nothing_says_so(at) -> None:
    table = at(
        "s1=plague-bringer+ilbeth@a1:85;n1=horned-blight@a9:60",
        seats="south:6:9:0:-;north:0:0:0:-",
    )
    assert table.narrate("use s1 knit-the-cracks s1").outcome == (
        "South's Plague Bringer s1 uses Knit the Cracks on s1 for 4 Mana. It changes nothing."
    )


def test_events_of_old_logs_are_narrated_without_rulings(at) -> None:
    table = at("s1=sand-lion@a1:50;n1=prism-archer@a1:40")
    sentences = []
    for text in ("attack s1 bite n1", "dice 31"):
        before = table.state
        table.do(text)
        action = GAME.read_action(text)
        sentences.append(narrated(before, "south", action, Accepted(table.facts)).outcome)
    attack = "South's Sand Lion s1 attacks North's Prism Archer n1 with Bite"
    assert sentences == [
        f"{attack} for 2 AP.",
        f"{attack}: the dice show 31. North's Prism Archer n1 loses 27 HP and has 13 of 40.",
    ]


# --- captions ------------------------------------------------------------------------------------


def test_a_prompt_says_what_is_asked_of_whom_and_what_each_choice_does(at) -> None:
    table = at("s1=horned-blight@c5:40;n1=winged-preserver@f6:110", **NIGHT)
    table.do("move s1 walk c4")
    assert GAME.caption(table.state, "south") == (
        "South, choose for South's Horned Blight s1, who meets A stranger at the fire: 1 trade "
        "(South gains 4 Mana), 2 rob (South gains 1 Victory Point; it takes 10 "
        "damage) or 3 leave (nothing)"
    )


def test_a_displacement_lists_its_regions(at) -> None:
    table = at("s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60")
    table.do("attack s1 bone-flail n1", "dice 30")
    assert GAME.caption(table.state, "south") == (
        "South, roll a die for where North's Horned Blight n1 is displaced: 1 d7, 2 e6, 3 e8 or 4 "
        "f7"
    )


def test_the_deploying_seat_is_named_with_its_zone_and_remaining_units(start) -> None:
    caption = GAME.caption(start(scenario="hold-the-ford").state, SPECTATOR)
    assert caption.startswith("North deploys in a6 to i6: North's ")
    assert caption.endswith(" to place; up to 1 may be held")


@pytest.mark.parametrize(
    ("by", "whom"), [("north", "North"), (SPECTATOR, "a spectator"), ("nobody", "nobody")]
)
def test_a_refusal_names_seats_and_units_as_they_are_called(at, by: str, whom: str) -> None:
    table = at("s1=sand-lion@a1:50;n1=prism-archer@a9:40")
    answer = GAME.decide(table.state, by, GAME.read_action("end"))
    assert isinstance(answer, Refused)
    assert answer.why == f"it is South who may act now, not {whom}"
    answer = GAME.decide(table.state, "south", GAME.read_action("move n1 walk a8"))
    assert isinstance(answer, Refused)
    assert answer.why == "North's Prism Archer n1 is none of South's Golems"


# --- everything ----------------------------------------------------------------------------------


def test_every_fact_is_applied_and_narrated() -> None:
    kinds = set(typing.get_args(f.Fact))
    assert set(_APPLY) == kinds
    assert all(kind.__struct_config__.tag.startswith("golem-arcana.") for kind in kinds)


def test_the_golden_file_has_an_example_of_everything_that_is_said() -> None:
    assert_golden(GOLDEN, book(GAME))


def test_the_language_has_no_sentence_that_nobody_asks_for() -> None:
    code = "".join(path.read_text() for path in PACKAGE.rglob("*.py") if path.name != "english.py")
    asked = {*re.findall(r'"([a-z.-]+)"', code)}
    begun = tuple(re.findall(r'f"([a-z.-]+\.)\{', code))
    # Figures are looked up by the names that rulings give them, verbs all together.
    begun = (*begun, "figure.", "verb.")
    unused = [key for key in ENGLISH.templates if key not in asked and not key.startswith(begun)]
    assert unused == ["and", "or"], "those are asked for by the language itself"


def ids() -> set[str]:
    """The ids of everything on the cards that nobody would take for a word."""
    found: set[str] = set()
    for file in CARDS.glob("*.toml"):
        found |= {*re.findall(r'id = "([a-z0-9-]+)"', file.read_text())}
    return {name for name in found if "-" in name}


CODE = re.compile(rf"\b({'|'.join(sorted(ids(), key=len, reverse=True))})\b|[_{{}}]|None|\.\.")
DOUBLED = re.compile(r"\b([a-z]+) \1\b", re.IGNORECASE)


def flaws(sentence: str) -> list[str]:
    """What no sentence may have."""
    return [
        found.group()
        for pattern in (CODE, DOUBLED)
        for found in [pattern.search(sentence)]
        if found is not None
    ]


@PLAYS
@given(OPTIONS, CHANCE)
def test_no_sentence_of_a_battle_has_an_id_or_a_code(options: Options, chance: Random) -> None:
    state = GAME.start(options)
    for _ in range(WALK):
        prompts = GAME.turn(state)
        if not prompts:
            break
        seat = prompts[0].seat
        actions = list(GAME.legal(state, seat))
        action = chance.choice(actions)
        for each in (action, *chance.sample(actions, min(5, len(actions)))):
            sentence = GAME.parts(state, each).sentence
            assert not flaws(sentence), sentence
            assert sentence[-1] not in ".:"
        answer = GAME.decide(state, seat, action)
        assert isinstance(answer, Accepted)
        after = fold(GAME, state, answer.facts)
        for viewer in (seat, SPECTATOR, REFEREE):
            narration = narrated(state, seat, action, answer, viewer)
            for sentence in (*narration.facts, narration.outcome, GAME.caption(after, viewer)):
                assert not flaws(sentence), sentence
            assert len(narration.outcome) <= MOST, narration.outcome
            assert 1 <= len(re.split(r"(?<=\.) ", narration.outcome)) <= 3
        state = after
