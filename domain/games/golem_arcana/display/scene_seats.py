"""What lies before the seats: their reserves and Ancient Ones, the cards of their units, what they
have to spend; and what is common to all."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.display.names import regions_name, seat_name, unit_name
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import OFF, UNPLACED, seat_of
from domain.kernel.game import REFEREE
from domain.kernel.scene import Track, Zone

_say: Final = ENGLISH.format


def zones(battle: Battle, viewer: str) -> Iterator[Zone]:
    """What lies before each seat, the cards of all Golems, the scenario, places, secrets."""
    for seat in battle.seats:
        yield from _off_board(battle, seat)
        for ancient in battle.state.seats[seat].ancients:
            yield _ancient(seat, ancient, battle.pack.ancients[ancient].name)
    for name in battle.golems:
        yield _card(name, unit_name(battle, name))
    yield _scenario(battle.scenario.name)
    if battle.scenario.locations:
        yield _common("places")
    if battle.scenario.quests or any(
        each.triggered or viewer == REFEREE for each in battle.state.encounters.values()
    ):
        yield _common("secrets")


def _off_board(battle: Battle, seat: Seat) -> Iterator[Zone]:
    """Golems that are still to be deployed, and those in reserve."""
    places = [g.where for name, g in battle.state.golems.items() if name[0] == seat[0]]
    whose = seat_name(seat)
    if waiting := places.count(UNPLACED):
        where = regions_name(battle.scenario.zone.get(seat, ()))
        told = _say("scene.muster-many", seat=whose, n=waiting, zone=where)
        name = _say("scene.muster", seat=whose, zone=where)
        yield Zone(f"muster-{seat}", name, seat, place="mat", arrangement="row", description=told)
    if held := places.count(OFF):
        told = _say("scene.reserve-many", seat=whose, n=held)
        name = _say("scene.reserve", seat=whose)
        yield Zone(f"reserve-{seat}", name, seat, place="mat", arrangement="row", description=told)


@lru_cache(maxsize=256)
def _ancient(seat: str, ancient: str, name: str) -> Zone:
    return Zone(
        f"ancient-{seat}-{ancient}", _say("scene.ancient", ancient=name), seat, place="mat",
        arrangement="row",
        description=_say("scene.ancient-of", seat=seat_name(seat), ancient=name),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _card(name: str, unit: str) -> Zone:
    told = _say("scene.card", unit=unit)
    return Zone(f"card-{name}", unit, seat_of(name), {}, name, "card", description=told)


@lru_cache(maxsize=64)
def _scenario(name: str) -> Zone:
    words = _say("scenario.zone", name=name)
    return Zone("scenario", words, arrangement="row", description=words)


@lru_cache(maxsize=8)
def _common(zone: str) -> Zone:
    words = _say(f"scene.{zone}")
    return Zone(zone, words, arrangement="row", description=words)


# --- tracks --------------------------------------------------------------------------------------


def tracks(battle: Battle) -> Iterator[Track]:
    """The Round, what each seat has, and the Hit Points of all units."""
    rounds, target = battle.scenario.rounds or None, battle.scenario.vp_target
    yield Track("round", _say("scene.round"), battle.state.round, most=rounds, icon="round")
    for seat in battle.seats:
        purse = battle.state.seats[seat]
        amounts = (("ap", purse.ap, None), ("mana", purse.mana, None), ("vp", purse.vp, target))
        for what, amount, most in amounts:
            name, label = _purse_words(seat, what)
            yield Track(f"{what}-{seat}", name, amount, seat, most, icon=what, label=label)
    for name in battle.golems:
        most = battle.card(name).hp
        yield _hit_points(battle, name, battle.golem(name).hp, most)
    for unit in battle.constructs:
        most = battle.construct_card(unit).hp
        yield _hit_points(battle, unit, battle.state.constructs[unit].hp, most)


@lru_cache(maxsize=64)
def _purse_words(seat: str, what: str) -> tuple[str, str]:
    return _say(f"scene.{what}", seat=seat_name(seat)), _say(f"scene.{what}-label")


def _hit_points(battle: Battle, unit: str, left: int, most: int) -> Track:
    name, label = _hit_point_words(unit_name(battle, unit))
    return Track(f"hp-{unit}", name, left, seat_of(unit), most, unit, "hp", label)


@lru_cache(maxsize=1024)
def _hit_point_words(unit: str) -> tuple[str, str]:
    return _say("scene.hp", unit=unit), _say("scene.hp-label")
