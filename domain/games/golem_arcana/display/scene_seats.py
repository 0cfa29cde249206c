"""What lies before the seats: their reserves and Ancient Ones, the cards of their units, what they
have to spend; and what is common to all."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.battle.board import COLUMNS
from domain.games.golem_arcana.content.cards import Seat
from domain.games.golem_arcana.content.scenario_words import action_points
from domain.games.golem_arcana.display.names import regions_name, seat_name, unit_name, unit_piece
from domain.games.golem_arcana.english import ENGLISH
from domain.games.golem_arcana.state import (
    OFF,
    UNPLACED,
    DealQuest,
    DeployArmy,
    Hide,
    Purse,
    seat_of,
)
from domain.kernel.game import REFEREE
from domain.kernel.scene import Counter, Phase, Place, Side, Track, Zone

_say: Final = ENGLISH.format


def zones(battle: Battle, viewer: str) -> Iterator[Zone]:
    """The board, what lies before each seat, the cards of all Golems, the scenario, secrets."""
    yield _board(battle.board.width, battle.board.height)
    for seat in battle.seats:
        yield from _off_board(battle, seat)
        for ancient in battle.state.seats[seat].ancients:
            yield _ancient(seat, ancient, battle.pack.ancients[ancient].name)
    for name in battle.golems:
        yield _card(name, unit_piece(battle, name), unit_name(battle, name))
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
        yield Zone(f"muster-{seat}", name, seat, place="table", arrangement="row", description=told)
    if held := places.count(OFF):
        told = _say("scene.reserve-many", seat=whose, n=held)
        name = _say("scene.reserve", seat=whose)
        yield Zone(
            f"reserve-{seat}", name, seat, place="table", arrangement="row", description=told
        )


@lru_cache(maxsize=256)
def _ancient(seat: str, ancient: str, name: str) -> Zone:
    return Zone(
        f"ancient-{seat}-{ancient}", _say("scene.ancient", ancient=name), seat, place="table",
        arrangement="row",
        description=_say("scene.ancient-of", seat=seat_name(seat), ancient=name),
    )  # fmt: skip


@lru_cache(maxsize=1024)
def _card(name: str, piece: str, unit: str) -> Zone:
    told = _say("scene.card", unit=unit)
    return Zone(f"card-{name}", unit, seat_of(name), {}, piece, "card", description=told)


@lru_cache(maxsize=64)
def _board(width: int, height: int) -> Zone:
    rows = tuple(str(n) for n in range(1, height + 1))
    return Zone(
        "board", _say("scene.board"), place="main", arrangement="board",
        columns=tuple(COLUMNS[:width]), rows=rows,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _scenario(name: str) -> Zone:
    words = _say("scenario.zone", name=name)
    return Zone("scenario", words, arrangement="row", description=words)


@lru_cache(maxsize=8)
def _common(zone: str) -> Zone:
    words = _say(f"scene.{zone}")
    place: Place = "supply" if zone == "secrets" else ""
    return Zone(zone, words, place=place, arrangement="row", description=words)


# --- seats and phases ----------------------------------------------------------------------------


def sides(battle: Battle) -> tuple[Side, ...]:
    """Return the seats in Turn order, with what they have to spend and to score."""
    pool, target = action_points(battle.pack, battle.scenario), battle.scenario.vp_target
    golems: dict[str, list[str]] = {}
    for name, golem in battle.state.golems.items():
        golems.setdefault(name[0], []).append(golem.where)
    return tuple(
        [
            _side(seat, battle.state.seats[seat], len(there), there.count(UNPLACED), pool, target)
            for seat in battle.seats
            for there in (golems.get(seat[0], ()),)
        ]
    )


@lru_cache(maxsize=1024)
def _side(
    seat: Seat, purse: Purse, golems: int, waiting: int, pool: int, target: int | None
) -> Side:
    if purse.out:
        note = _say("army.out")
    else:
        note = _say("scene.unplaced", n=waiting) if waiting else _say("scene.golems", n=golems)
    counters = (
        Counter("vp", purse.vp, target, note=_purse_words(seat, "vp")[0]),
        Counter("ap", purse.ap, max(pool, purse.ap), "coins", note=_purse_words(seat, "ap")[0]),
        Counter("mana", purse.mana, note=_purse_words(seat, "mana")[0]),
    )
    return Side(seat, note, "golem", counters)


def round_counter(battle: Battle) -> Counter:
    """Return the Round, with the last one if there is one."""
    rounds = battle.scenario.rounds
    return Counter("round", battle.state.round, max(rounds, battle.state.round) if rounds else None)


_PHASES: Final[dict[type, str]] = {Hide: "hide", DealQuest: "quest", DeployArmy: "deploy"}


def phases(battle: Battle) -> tuple[Phase, ...]:
    """Return what is done before the first Round, while it is."""
    now = _PHASES.get(type(battle.state.todo[0])) if battle.state.todo else None
    if now is None:
        return ()
    there = {
        "hide": any(len(each.candidates) > 1 for each in battle.scenario.encounters),
        "quest": bool(battle.scenario.quests),
        "deploy": bool(battle.scenario.zone),
        "battle": True,
    }
    names = [name for name, is_there in there.items() if is_there or name == now]
    at = names.index(now)
    return tuple(
        Phase(_say(f"phase.{name}"), "now" if n == at else "done" if n < at else "next")
        for n, name in enumerate(names)
    )


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
    piece = unit_piece(battle, unit)
    return Track(f"hp-{unit}", name, left, seat_of(unit), most, piece, "hp", label)


@lru_cache(maxsize=1024)
def _hit_point_words(unit: str) -> tuple[str, str]:
    return _say("scene.hp", unit=unit), _say("scene.hp-label")
