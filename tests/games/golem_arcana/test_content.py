"""Every entry of the content pack at work."""

import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.content.vocabulary import Attack, Fly, Miracle, Power, Walk
from domain.games.golem_arcana.display.questions import open_figures
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import Golem

CARRIER = "cinder-aurochs"


def abilities(kind: type) -> list[tuple[str, str | None, str]]:
    """Golem, Knight and ability of every ability of a kind."""
    own = [(g.id, None, a.id) for g in CORE.golems.values() for a in g.ability if type(a) is kind]
    added = [
        (CARRIER, k.id, a.id) for k in CORE.knights.values() for a in k.ability if type(a) is kind
    ]
    return own + added


def written(golem: str, knight: str | None, where: str) -> str:
    driven = f"+{knight}" if knight else ""
    return f"s1={golem}{driven}@{where}:{CORE.golems[golem].hp}"


@pytest.mark.parametrize(("golem", "knight", "ability"), abilities(Walk) + abilities(Fly))
def test_every_movement_moves_and_cools(at, golem: str, knight: str | None, ability: str) -> None:
    table = at(f"{written(golem, knight, 'c9')};n1=sand-lion@i1:50").do(f"move s1 {ability} c7")
    card = CORE.abilities(golem, knight)[ability]
    assert "@c7" in table.unit("s1")
    assert table.unit("s1").endswith(f"%{ability}.1.1")
    assert table.purse("south")[0] == 6 - card.ap


@pytest.mark.parametrize(("golem", "knight", "ability"), abilities(Attack))
def test_every_attack_does_its_damage(at, golem: str, knight: str | None, ability: str) -> None:
    """At a Marble Halberdier (armor 10) in the open; a Colossus fights hand to hand by charging."""
    attack = CORE.abilities(golem, knight)[ability]
    assert isinstance(attack, Attack)
    charging = attack.mode == "melee" and CORE.golems[golem].size == "colossus"
    there = "a9" if attack.mode == "melee" and not charging else "b9"
    table = at(f"{written(golem, knight, 'a9')};n1=marble-halberdier@{there}:80;n2=sand-lion@i1:50")
    target = there if attack.area else "n1"
    by = next(a for a in CORE.golems[golem].ability if isinstance(a, Walk)).id if charging else ""
    verb = f"charge s1 {ability} {by}" if charging else f"attack s1 {ability}"
    table.do(f"{verb} {target}")
    (aim,) = open_figures(table.state)
    assert aim.accuracy == attack.accuracy
    assert aim.damage == max(attack.damage - 10, 0)
    times = attack.critical or 0
    assert aim.critical == (aim.damage * times if times else aim.damage * 3 // 2)
    table.do("dice 01")
    left = 80 - aim.damage
    assert table.unit("n1").startswith("marble-halberdier@") == (left > 0)
    if left > 0:
        assert f":{left}" in table.unit("n1")
    assert f"%{ability}.2.1" in table.unit("s1")


@pytest.mark.parametrize(("golem", "knight", "ability"), abilities(Power))
def test_every_knights_power_is_paid_for(at, golem: str, knight: str, ability: str) -> None:
    power = CORE.abilities(golem, knight)[ability]
    assert isinstance(power, Power)
    table = at(
        f"s1={golem}+{knight}@a9:100;n1=sand-lion@a9:50;n2=sand-lion@i1:50",
        seats="south:6:20:0:-;north:0:0:0:-",
    )
    target = {"self": "", "ally": " s1", "enemy": " n1", "region": " b9"}[power.target]
    table.do(f"use s1 {ability}{target}")
    assert table.purse("south")[:2] == (6 - power.ap, 20 - power.mana)
    assert table.facts


@pytest.mark.parametrize("relic", CORE.relics)
def test_every_relic_is_used_and_paid_for(at, relic: str) -> None:
    card = CORE.relics[relic]
    power = card.ability
    table = at(
        f"s1=duneheart-engine*{relic}.{card.charges}@a9:200%walk.1.1;n1=sand-lion@b9:50",
        seats="south:6:20:0:-;north:0:20:0:-",
    )
    target = {"self": "", "ally": " s1", "enemy": " n1", "region": " a8"}[power.target]
    table.do(f"relic s1 {power.id}{target}")
    gained = {"colossus-yoke": (3, 0), "thirsting-chalice": (0, 4)}.get(relic, (0, 0))
    assert table.purse("south")[:2] == (6 - power.ap + gained[0], 20 - power.mana + gained[1])
    assert f"*{relic}.{card.charges - 1}@" in table.unit("s1")


@pytest.mark.parametrize(
    ("ancient", "power"), [(a.id, p.id) for a in CORE.ancients.values() for p in a.power]
)
def test_every_power_of_an_ancient_one_is_invoked(at, ancient: str, power: str) -> None:
    card = next(each for each in CORE.ancients[ancient].power if each.id == power)
    table = at(
        "s1=sand-lion@a9:20%walk.1.1;n1=sand-lion@b9:50",
        seats=f"south:6:20:0:{ancient};north:0:0:0:-",
    )
    table.do(f"invoke {ancient} {power}" + ("" if isinstance(card, Miracle) else " b9"))
    assert table.purse("south")[1] == 20 - card.mana
    laid = "-" if isinstance(card, Miracle) else f"south.{ancient}.{power}@b9"
    assert table.field(10) == laid


@pytest.mark.parametrize(
    ("golem", "knight", "where", "condition", "action", "figure", "amount"),
    [
        ("sand-lion", "yeshe", "a9", "", "attack s1 bite n1", "accuracy", 5),
        ("sand-lion", "ortrud", "a9", "", "attack s1 bite n1", "damage", 6),
        ("cinder-aurochs", None, "b9", "", "charge s1 horn-toss walk n1", "damage", 8),
        ("sand-lion", None, "a9", "!ember-lens.focus:accuracy:15:1:south", "attack s1 bite n1",
         "accuracy", 15),
        ("sand-lion", None, "a9", "!korvane.blood-price:damage:10:1:south", "attack s1 bite n1",
         "damage", 10),
    ],
)  # fmt: skip
def test_passives_and_effects_of_the_attacker(
    at, golem: str, knight: str | None, where: str, condition: str, action: str, figure: str,
    amount: int,
) -> None:  # fmt: skip
    """The target is a Marble Halberdier in a9: larger than a Warsprite."""
    attacker = written(golem, knight, where) + condition
    table = at(f"{attacker};n1=marble-halberdier@a9:80").do(action)
    attack = CORE.abilities(golem, knight)[action.split(" ")[2]]
    assert isinstance(attack, Attack)
    (aim,) = open_figures(table.state)
    printed = attack.accuracy if figure == "accuracy" else attack.damage - 10
    assert getattr(aim, figure) == printed + amount


@pytest.mark.parametrize(
    ("target", "where", "action", "figure", "value"),
    [
        ("dune-viper", "b9", "attack s2 shard-shot n1", "dodge", -22),
        ("dune-viper", "b6", "attack s2 shard-shot n1", "dodge", -12),
        ("horned-blight", "a9", "attack s1 bite n1", "damage", 31 - 14),
        ("horned-blight", "b9", "attack s2 shard-shot n1", "damage", 18 - 4),
        ("mossback-elder", "a9", "attack s1 bite n1", "damage", 31 - 20),
        ("mossback-elder", "b9", "attack s2 shard-shot n1", "damage", 18 - 14),
        ("marble-halberdier+ortrud", "a9", "attack s1 bite n1", "damage", 31 - 14),
    ],
)
def test_passives_of_the_target(
    at, target: str, where: str, action: str, figure: str, value: int
) -> None:
    """Evasion without cover, Relentless in melee, Deep Roots and Shield Wall when engaged."""
    hp = CORE.golems[target.partition("+")[0]].hp
    shooter = "b8" if where == "b9" else "c6"
    if where == "b6":
        shooter = "b7"
    shooter = "c9" if where == "b9" else shooter
    table = at(f"s1=sand-lion@a9:50;s2=prism-archer@{shooter}:40;n1={target}@{where}:{hp}")
    (aim,) = open_figures(table.do(action).state)
    assert getattr(aim, figure) == value


@pytest.mark.parametrize("scenario", CORE.scenarios)
def test_every_scenario_can_be_set_up_and_begun(scenario: str) -> None:
    state = GAME.start(Options(scenario=scenario))
    while state.turn is None:
        (prompt,) = GAME.turn(state)
        action = next(GAME.legal(state, prompt.seat))
        outcome = GAME.decide(state, prompt.seat, action)
        for fact in outcome.facts:
            state = GAME.evolve(state, fact)
    assert state.round == 1
    assert all(isinstance(golem, Golem) for golem in state.golems.values())


def test_every_tile_has_nine_regions() -> None:
    assert len(CORE.tiles) == 32
    assert all(len(row.split()) == 3 for tile in CORE.tiles.values() for row in tile.rows)


def test_what_the_rulebook_attests_is_kept() -> None:
    golems = CORE.golems
    assert CORE.abilities("bramblehorn", None)["walk"].ap == 1
    assert CORE.abilities("dune-viper", None)["slippery-strike"].ap == 1
    vines = CORE.abilities("wildwood-dryad", None)["grasping-vines"]
    assert isinstance(vines, Attack)
    assert (vines.mode, vines.accuracy, vines.damage) == ("ranged", 75, 25)
    blight = golems["horned-blight"]
    assert (blight.size, blight.dodge, blight.armor) == ("warsprite", 10, 4)
