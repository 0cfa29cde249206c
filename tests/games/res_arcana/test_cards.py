"""Every card does what it says: each line is a seat before and after, and what it did between.

North acts. `E:` shows east where it matters, `;` separates actions. The expected seats were worked
out by hand from the card file.
"""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from domain.games.res_arcana.packs import BASE

At = Callable[..., str]
EAST = "0 | calm-elan,healer*"


class Case(NamedTuple):
    """What one ability of a card does."""

    card: str
    before: str
    does: str
    after: str
    east: str = EAST
    east_after: str = EAST


USED = [
    # magic items
    Case("alchemy", "4e | alchemy,seer", "use alchemy 1 4e", "2g | alchemy*,seer"),
    Case("divination", "0 | divination,seer || hawk,vault", "use divination 1",
         "0 | divination*,seer ||| hawk,vault"),
    Case("reanimate", "1g | hawk*,reanimate,seer", "use reanimate 1 1g hawk",
         "0 | hawk,reanimate*,seer"),
    Case("research", "1g | research,seer || hawk", "use research 1 1g",
         "0 | research*,seer | hawk"),
    Case("transmutation", "3g | seer,transmutation", "use transmutation 1 3g; gain 1e1l1d",
         "1e1l1d | seer,transmutation*"),
    # mages
    Case("alchemist", "2l2d | alchemist,research", "use alchemist 1 2l2d",
         "2g | alchemist*,research"),
    Case("alchemist", "0 | alchemist,research", "use alchemist 2; gain 1d",
         "1d | alchemist*,research"),
    Case("artificer", "1c | artificer,research | hawk", "play hawk 1c",
         "0 | artificer,hawk,research"),
    Case("druid", "0 | druid,hawk*,research", "use druid 1 hawk", "0 | druid*,hawk,research"),
    Case("duelist", "1d | duelist,research", "use duelist 1", "0 | duelist*:1g,research"),
    Case("necromancer", "2l | necromancer,research", "use necromancer 1",
         "0 | necromancer*:3d,research"),
    Case("scholar", "1c | research,scholar || hawk", "use scholar 1 1c",
         "0 | research,scholar* | hawk"),
    Case("seer", "0 | research,seer || hawk,vault", "use seer 1 deck; order vault hawk",
         "0 | research,seer* || vault,hawk"),
    Case("transmuter", "2g | research,transmuter", "use transmuter 1 2g; gain 3d",
         "3d | research,transmuter*"),
    Case("witch", "2e | hawk*,research,witch", "use witch 1 2e hawk", "0 | hawk,research,witch*"),
    # artifacts
    Case("athanor", "1e | athanor,research,seer", "use athanor 1", "0 | athanor*:2e,research,seer"),
    Case("athanor", "3d | athanor:6e,research,seer", "use athanor 2 3d",
         "3g | athanor*,research,seer"),
    Case("bone-dragon", "0 | bone-dragon,research,seer", "use bone-dragon 1",
         "0 | bone-dragon*,research,seer", "3l | calm-elan,healer*", "1l | calm-elan,healer*"),
    Case("chalice-of-fire", "1e | chalice-of-fire,hawk*,research,seer",
         "use chalice-of-fire 1 hawk", "0 | chalice-of-fire*,hawk,research,seer"),
    Case("chalice-of-life", "2c | chalice-of-life,research,seer", "use chalice-of-life 1",
         "0 | chalice-of-life:1l2c,research,seer"),
    Case("corrupt-altar", "2l | corrupt-altar,research,seer", "use corrupt-altar 1",
         "0 | corrupt-altar:3e,research,seer"),
    Case("corrupt-altar", "0 | corrupt-altar,hawk,research,seer",
         "use corrupt-altar 2 hawk; gain 4c", "4c | corrupt-altar*,research,seer ||| hawk"),
    Case("crypt", "0 | crypt,research,seer", "use crypt 1", "2d | crypt*,research,seer"),
    Case("crypt", "1d | crypt,research,seer ||| hawk", "use crypt 2; place hawk 0",
         "0 | crypt*,hawk,research,seer"),
    Case("cursed-skull", "1l | cursed-skull,research,seer", "use cursed-skull 1; put 1e1c1d",
         "0 | cursed-skull*:1e1c1d,research,seer"),
    Case("dragon-bridle", "3e | dragon-bridle,research,seer | fire-dragon", "play fire-dragon 3e",
         "0 | dragon-bridle,fire-dragon,research,seer"),
    Case("dragon-egg", "2e | dragon-egg,research,seer | fire-dragon",
         "use dragon-egg 1; place fire-dragon 2e", "0 | fire-dragon,research,seer ||| dragon-egg"),
    Case("dragon-teeth", "2e | dragon-teeth,research,seer", "use dragon-teeth 1",
         "0 | dragon-teeth:3e,research,seer"),
    Case("dragon-teeth", "3e | dragon-teeth,research,seer | fire-dragon",
         "use dragon-teeth 2; place fire-dragon 0", "0 | dragon-teeth*,fire-dragon,research,seer"),
    Case("dwarven-pickaxe", "1e | dwarven-pickaxe,research,seer", "use dwarven-pickaxe 1",
         "1g | dwarven-pickaxe*,research,seer"),
    Case("earth-dragon", "0 | earth-dragon,research,seer", "use earth-dragon 1",
         "0 | earth-dragon*,research,seer", "2l | calm-elan,healer*", EAST),
    Case("elvish-bow", "0 | elvish-bow,research,seer", "use elvish-bow 1",
         "0 | elvish-bow*,research,seer", "1l | calm-elan,healer*", EAST),
    Case("elvish-bow", "0 | elvish-bow,research,seer || hawk", "use elvish-bow 2",
         "0 | elvish-bow*,research,seer | hawk"),
    Case("fiery-whip", "0 | fiery-whip,research,seer", "use fiery-whip 1",
         "3e | fiery-whip*,research,seer", EAST, "1e | calm-elan,healer*"),
    Case("fiery-whip", "0 | fiery-whip,hawk:2c,research,seer", "use fiery-whip 2 hawk; gain 2e2d",
         "2e2d | fiery-whip*,research,seer ||| hawk"),
    Case("fire-dragon", "0 | fire-dragon,research,seer", "use fire-dragon 1",
         "0 | fire-dragon*,research,seer", "2l | calm-elan,healer*", EAST),
    Case("flaming-pit", "1l | flaming-pit,research,seer", "use flaming-pit 1",
         "1e1d | flaming-pit*,research,seer"),
    Case("fountain-of-youth", "2d | fountain-of-youth,research,seer", "use fountain-of-youth 1",
         "0 | fountain-of-youth:1l2c,research,seer"),
    Case("guard-dog", "1e | guard-dog*,research,seer", "use guard-dog 1",
         "0 | guard-dog,research,seer"),
    Case("hand-of-glory", "0 | hand-of-glory,research,seer", "use hand-of-glory 1",
         "2d | hand-of-glory*,research,seer", EAST, "1d | calm-elan,healer*"),
    Case("hawk", "0 | hawk,research,seer || mermaid,vault", "use hawk 1 deck; order vault mermaid",
         "0 | hawk*,research,seer || vault,mermaid"),
    Case("hawk", "2c | hawk,research,seer || vault", "use hawk 2",
         "0 | hawk*,research,seer | vault"),
    Case("horn-of-plenty", "0 | horn-of-plenty,research,seer", "use horn-of-plenty 1; gain 3l",
         "3l | horn-of-plenty*,research,seer"),
    Case("horn-of-plenty", "0 | horn-of-plenty,research,seer", "use horn-of-plenty 2",
         "1g | horn-of-plenty*,research,seer"),
    Case("hypnotic-basin", "0 | hypnotic-basin,research,seer", "use hypnotic-basin 1 east",
         "4c | hypnotic-basin*,research,seer", "4e | calm-elan,healer*",
         "4e | calm-elan,healer*"),
    Case("jeweled-statuette", "0 | jeweled-statuette,research,seer", "use jeweled-statuette 1",
         "3d | jeweled-statuette*,research,seer", EAST, "1d | calm-elan,healer*"),
    Case("jeweled-statuette", "0 | jeweled-statuette,research,seer", "use jeweled-statuette 2",
         "1e2g | research,seer ||| jeweled-statuette"),
    Case("magical-shard", "0 | magical-shard,research,seer", "use magical-shard 1; gain 1c",
         "1c | magical-shard*,research,seer"),
    Case("mermaid", "1g | mermaid,research,seer", "use mermaid 1 1g seer",
         "0 | mermaid*,research,seer:1g"),
    Case("nightingale", "1l1c | research,seer | nightingale", "play nightingale 1l1c",
         "0 | nightingale,research,seer"),
    Case("philosophers-stone", "3e2g | philosophers-stone,research,seer",
         "use philosophers-stone 1 3e2g", "3g | philosophers-stone*,research,seer"),
    Case("prism", "1g | prism,research,seer", "use prism 1 1g; gain 1e1d",
         "1e1d | prism*,research,seer"),
    Case("prism", "2g | prism,research,seer", "use prism 2 2g; gain 2d",
         "2d | prism*,research,seer"),
    Case("ring-of-midas", "2l | research,ring-of-midas,seer", "use ring-of-midas 1",
         "0 | research,ring-of-midas:1g,seer"),
    Case("ring-of-midas", "0 | research,ring-of-midas,seer", "use ring-of-midas 2",
         "0 | research,ring-of-midas*:1g,seer"),
    Case("sacrificial-dagger", "1l | research,sacrificial-dagger,seer", "use sacrificial-dagger 1",
         "0 | research,sacrificial-dagger*:3d,seer"),
    Case("sacrificial-dagger", "0 | research,sacrificial-dagger,seer | vault",
         "use sacrificial-dagger 2 vault; gain 2l",
         "2l | research,seer ||| sacrificial-dagger,vault"),
    Case("sea-serpent", "0 | research,sea-serpent,seer", "use sea-serpent 1",
         "0 | research,sea-serpent*,seer", "2l | calm-elan,healer*", EAST),
    Case("treant", "0 | research,seer,treant", "use treant 1 east", "2e | research,seer,treant*",
         "2d | calm-elan,healer*", "2d | calm-elan,healer*"),
    Case("tree-of-life", "0 | research,seer,tree-of-life", "use tree-of-life 1",
         "3l | research,seer,tree-of-life*", EAST, "1l | calm-elan,healer*"),
    Case("vault", "0 | research,seer,vault", "use vault 1", "0 | research,seer,vault*:1g"),
    Case("water-dragon", "0 | research,seer,water-dragon", "use water-dragon 1",
         "0 | research,seer,water-dragon*", "2l | calm-elan,healer*", EAST),
    Case("wind-dragon", "0 | research,seer,wind-dragon", "use wind-dragon 1",
         "0 | research,seer,wind-dragon*", "2l | calm-elan,healer*", EAST),
    Case("windup-man", "1g | research,seer,windup-man", "use windup-man 1 1g",
         "0 | research,seer,windup-man*:1g"),
    # monuments
    Case("colossus", "1e | colossus,research,seer", "use colossus 1 1e",
         "0 | colossus*:1g,research,seer"),
    Case("great-pyramid", "4g | research,seer", "claim great-pyramid",
         "0 | great-pyramid,research,seer"),
    Case("library", "0 | library,research,seer || hawk", "use library 1",
         "0 | library*,research,seer | hawk"),
    Case("mausoleum", "1g | mausoleum,research,seer", "use mausoleum 1 1g",
         "0 | mausoleum:1d,research,seer"),
    Case("obelisk", "4g | research,seer", "claim obelisk; gain 1e2l3c",
         "1e2l3c | obelisk,research,seer"),
    Case("oracle", "0 | oracle,research,seer || hawk,vault", "use oracle 1 deck; order vault hawk",
         "0 | oracle*,research,seer || vault,hawk"),
    Case("solomons-mine", "0 | research,seer,solomons-mine", "use solomons-mine 1",
         "1g | research,seer,solomons-mine*"),
    # places of power
    Case("sacred-grove", "1c | research,sacred-grove,seer", "use sacred-grove 1",
         "5l | research,sacred-grove*,seer"),
    Case("sacred-grove", "0 | hawk,research,sacred-grove,seer", "use sacred-grove 2 hawk",
         "0 | hawk*,research,sacred-grove*:1l,seer"),
    Case("alchemists-tower", "1e1l1c1d | alchemists-tower,research,seer", "use alchemists-tower 1",
         "0 | alchemists-tower:1g,research,seer"),
    Case("cursed-forge", "2e1g | cursed-forge,research,seer", "use cursed-forge 1",
         "0 | cursed-forge:1g,research,seer"),
    Case("dwarven-mines", "5e | dwarven-mines,research,seer", "use dwarven-mines 1",
         "3g | dwarven-mines*,research,seer"),
    Case("dwarven-mines", "3e3d | dwarven-mines,research,seer", "use dwarven-mines 2",
         "0 | dwarven-mines*:2g,research,seer"),
    Case("coral-castle", "0 | coral-castle,research,seer", "use coral-castle 1",
         "0 | coral-castle*,research,seer"),
    Case("sunken-reef", "1l2c | research,seer,sunken-reef", "use sunken-reef 1",
         "0 | research,seer,sunken-reef:1c"),
    Case("catacombs-of-the-dead", "5d | catacombs-of-the-dead,research,seer",
         "use catacombs-of-the-dead 1", "0 | catacombs-of-the-dead:1d,research,seer"),
    Case("catacombs-of-the-dead", "0 | catacombs-of-the-dead,research,seer",
         "use catacombs-of-the-dead 2", "0 | catacombs-of-the-dead*:1d,research,seer"),
    Case("sacrificial-pit", "3l | research,sacrificial-pit,seer", "use sacrificial-pit 1",
         "0 | research,sacrificial-pit*:1d,seer"),
    Case("sacrificial-pit", "1d | hawk,research,sacrificial-pit,seer",
         "use sacrificial-pit 2 hawk", "2g | research,sacrificial-pit*,seer ||| hawk"),
    Case("dragons-lair", "0 | dragons-lair,research,seer", "use dragons-lair 1",
         "2g | dragons-lair*,research,seer"),
    Case("dragons-lair", "0 | dragons-lair,fire-dragon,research,seer",
         "use dragons-lair 2 fire-dragon", "0 | dragons-lair*:2g,fire-dragon*,research,seer"),
    Case("sorcerers-bestiary", "0 | research,seer,sorcerers-bestiary", "use sorcerers-bestiary 1",
         "0 | research,seer,sorcerers-bestiary*"),
    Case("sorcerers-bestiary", "6e4d | research,seer,sorcerers-bestiary ||| fire-dragon",
         "use sorcerers-bestiary 2 4d; place fire-dragon 6e",
         "0 | fire-dragon,research,seer,sorcerers-bestiary*"),
]  # fmt: skip

REACTED = {
    "protection": ("2l | healer*,protection", "2l | healer*,protection*"),
    "healer": ("2l | healer,protection*", "2l | healer*,protection*"),
    "chalice-of-life": ("2l | chalice-of-life,protection*,witch",
                        "2l | chalice-of-life*,protection*,witch"),
    "dancing-sword": ("1e2l | dancing-sword*,protection*,witch",
                      "2l | dancing-sword*:1d,protection*,witch"),
    "dragon-bridle": ("2l | dragon-bridle,protection*,witch",
                      "2l | dragon-bridle*,protection*,witch"),
    "elemental-spring": ("2l1c | elemental-spring*,protection*,witch",
                         "2l | elemental-spring*,protection*,witch"),
    "guard-dog": ("2l | guard-dog,protection*,witch", "2l | guard-dog*,protection*,witch"),
    "tree-of-life": ("2l | protection*,tree-of-life*,witch",
                     "1l | protection*,tree-of-life*,witch"),
    "temple": ("2l | protection*,temple,witch", "2l | protection*,temple*,witch"),
    "alchemists-tower": ("2l | alchemists-tower,protection*,witch",
                         "2l | alchemists-tower*,protection*,witch"),
    "coral-castle": ("2l | coral-castle,protection*,witch", "2l | coral-castle*,protection*,witch"),
}  # fmt: skip
"""East's seat before and after it reacts with the card to a loss of two from the Bone Dragon."""

COLLECTED = {
    "calm-elan": ("0 | calm-elan,seer", "collect calm-elan 1e", "1e1c | calm-elan,seer"),
    "death-life": ("0 | death-life,seer", "collect death-life 1d", "1c1d | death-life,seer"),
    "druid": ("0 | alchemy,druid", "", "1l | alchemy,druid"),
    "duelist": ("0 | alchemy,duelist", "", "1e | alchemy,duelist"),
    "healer": ("0 | alchemy,healer", "collect healer 1c", "1c | alchemy,healer"),
    "necromancer": ("0 | alchemy,necromancer", "", "1d | alchemy,necromancer"),
    "seer": ("0 | alchemy,seer", "", "1c | alchemy,seer"),
    "witch": ("0 | alchemy,witch", "collect witch 1d", "1d | alchemy,witch"),
    "celestial-horse": ("0 | alchemy,celestial-horse,scholar", "collect celestial-horse 1e1c",
                        "1e1c | alchemy,celestial-horse,scholar"),
    "chalice-of-fire": ("0 | alchemy,chalice-of-fire,scholar", "",
                        "2e | alchemy,chalice-of-fire,scholar"),
    "chalice-of-life": ("0 | alchemy,chalice-of-life,scholar", "",
                        "1l1c | alchemy,chalice-of-life,scholar"),
    "corrupt-altar": ("0 | alchemy,corrupt-altar,scholar", "",
                      "1l1d | alchemy,corrupt-altar,scholar"),
    "dancing-sword": ("0 | alchemy,dancing-sword,scholar", "",
                      "1e1d | alchemy,dancing-sword,scholar"),
    "elemental-spring": ("0 | alchemy,elemental-spring,scholar", "",
                         "1e1l1c | alchemy,elemental-spring,scholar"),
    "flaming-pit": ("0 | alchemy,flaming-pit,scholar", "", "1e | alchemy,flaming-pit,scholar"),
    "fountain-of-youth": ("0 | alchemy,fountain-of-youth,scholar", "",
                          "1l | alchemy,fountain-of-youth,scholar"),
    "hawk": ("0 | alchemy,hawk,scholar", "", "1c | alchemy,hawk,scholar"),
    "hypnotic-basin": ("0 | alchemy,hypnotic-basin,scholar", "",
                       "2c | alchemy,hypnotic-basin,scholar"),
    "mermaid": ("0 | alchemy,mermaid,scholar", "", "1c | alchemy,mermaid,scholar"),
    "treant": ("0 | alchemy,scholar,treant", "", "2l | alchemy,scholar,treant"),
    "vault": ("0 | alchemy,scholar,vault:1g", "leave vault 1e1d",
              "1e1d | alchemy,scholar,vault:1g"),
    "windup-man": ("0 | alchemy,scholar,windup-man:1e", "leave windup-man",
                   "0 | alchemy,scholar,windup-man:3e"),
    "hanging-gardens": ("0 | alchemy,hanging-gardens,scholar", "collect hanging-gardens 1e2d",
                        "1e2d | alchemy,hanging-gardens,scholar"),
    "temple": ("0 | alchemy,scholar,temple", "", "1l | alchemy,scholar,temple"),
    "alchemists-tower": ("0 | alchemists-tower,alchemy,scholar", "collect alchemists-tower 3l",
                         "3l | alchemists-tower,alchemy,scholar"),
    "cursed-forge": ("1d | alchemy,cursed-forge,scholar", "pay cursed-forge",
                     "0 | alchemy,cursed-forge,scholar"),
    "dwarven-mines": ("0 | alchemy,dwarven-mines,scholar", "",
                      "1g | alchemy,dwarven-mines,scholar"),
    "sunken-reef": ("0 | alchemy,scholar,sunken-reef", "", "1g | alchemy,scholar,sunken-reef"),
    "catacombs-of-the-dead": ("0 | alchemy,catacombs-of-the-dead,scholar", "",
                              "1d | alchemy,catacombs-of-the-dead,scholar"),
}  # fmt: skip
"""North's seat before a round begins, what it answers, and its seat after that."""

WORTH = {
    "bone-dragon": 1, "dragon-bridle": 1, "dragon-egg": 1, "earth-dragon": 1, "fire-dragon": 1,
    "jeweled-statuette": 1, "nightingale": 1, "philosophers-stone": 1, "ring-of-midas": 1,
    "sea-serpent": 1, "water-dragon": 1, "wind-dragon": 1, "colossus": 2, "golden-statue": 1,
    "great-pyramid": 3, "hanging-gardens": 1, "library": 1, "mausoleum": 2, "obelisk": 1,
    "oracle": 2, "solomons-mine": 1, "temple": 2, "sacred-grove:2l": 4, "alchemists-tower:2g": 2,
    "cursed-forge:2g": 3, "dwarven-mines:2g": 2, "coral-castle:2g": 3, "sunken-reef:2c": 2,
    "catacombs-of-the-dead:2d": 2, "sacrificial-pit:2d": 4, "dragons-lair:2g": 2,
    "sorcerers-bestiary": 0, "hawk:2g": 0,
}  # fmt: skip


@pytest.mark.parametrize("case", USED, ids=lambda case: f"{case.card}: {case.does}")
def test_what_a_card_does_when_it_is_used(
    at: At, after: Callable[..., str], seat_of: Callable[[str, str], str], case: Case
) -> None:
    before = at(north=case.before, east=case.east, row="great-pyramid,obelisk", mdeck="-")
    new = after(before, *(f"north {each}" for each in case.does.split("; ")))
    assert seat_of(new, "north") == case.after
    assert seat_of(new, "east") == case.east_after


@pytest.mark.parametrize("card", REACTED)
def test_what_a_card_does_when_it_reacts(
    at: At, after: Callable[..., str], seat_of: Callable[[str, str], str], card: str
) -> None:
    before, expected = REACTED[card]
    attacked = after(
        at(north="0 | bone-dragon,research,scholar", east=before), "north use bone-dragon 1"
    )
    assert seat_of(after(attacked, f"east react {card}"), "east") == expected


@pytest.mark.parametrize("card", COLLECTED)
def test_what_a_card_brings_in_the_collect_phase(
    at: At, after: Callable[..., str], seat_of: Callable[[str, str], str], card: str
) -> None:
    """North passes for Research and back: its own item is in play when the round begins."""
    before, answer, expected = COLLECTED[card]
    item = next(item for item in BASE.items if f"{item}," in before or f",{item}" in before)
    asleep = at(north=before.replace(item, "research"), east="out 0 | protection,transmuter")
    asleep = sorted_table(asleep)
    new = after(asleep, f"north pass {item}", *([f"north {answer}"] if answer else []))
    assert seat_of(new, "north") == expected


def sorted_table(position: str) -> str:
    """The position with north's table in order."""
    fields = position.split(" ")
    parts = fields[10].split("/")
    parts[3] = ",".join(sorted(parts[3].split(",")))
    fields[10] = "/".join(parts)
    return " ".join(fields)


@pytest.mark.parametrize("card", WORTH)
def test_what_a_card_is_worth(
    at: At, cited: Callable[..., dict[str, dict[str, int]]], card: str
) -> None:
    table = ",".join(sorted((card, "research", "scholar")))
    before = at(north=f"0 | {table}", east="out 0 | protection,transmuter", rules="t0")
    points = cited(before, "north pass divination")["ra.check.points"]
    assert points["north"] == WORTH[card]


def test_golden_statue_adds_three_points_to_a_check(
    at: At, after: Callable[..., str], seat_of: Callable[[str, str], str]
) -> None:
    before = at(north="3g | golden-statue,research,scholar", east="out 0 | protection,transmuter")
    asked = after(before, "north pass divination", "north react golden-statue")
    assert seat_of(asked, "north") == "0 | divination,golden-statue,scholar"


def test_every_card_is_exercised() -> None:
    """A magic item or artifact that can only lie there would be in none of these."""
    exercised = {case.card for case in USED} | set(REACTED) | set(COLLECTED)
    exercised |= {card.partition(":")[0] for card in WORTH} | {"golden-statue"}
    assert set(BASE.cards) <= exercised


def test_every_power_and_every_reaction_is_exercised() -> None:
    used = {(case.card, each) for case in USED for each in case.does.split("; ")}
    reported = {(card, words.split(" ")[2]) for card, words in used if words.startswith("use ")}
    for card in BASE.cards.values():
        for number in range(1, len(card.power) + 1):
            assert (card.id, str(number)) in reported, f"power {number} of {card.id}"
        assert card.react is None or card.id in {*REACTED, "golden-statue"}
        if card.collect.gain != "0" or card.collect.any or card.upkeep or card.stored.any:
            assert card.id in COLLECTED
