"""What a scenario lays down, in lines: how it is won, with what forces, where Mana comes from.

Texts may name icons in braces.
"""

from collections.abc import Iterator
from typing import Final

from domain.games.golem_arcana.content.cards import Scenario
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.display.names import listed, regions_name, seat_name
from domain.games.golem_arcana.english import ENGLISH

_say: Final = ENGLISH.format


def scenario_lines(pack: Pack, card: Scenario) -> dict[str, tuple[str, ...]]:
    """All of it, under `victory`, `forces` and `mana`."""
    return {
        "victory": tuple(_victory(pack, card)),
        "forces": tuple(_forces(pack, card)),
        "mana": tuple(_mana(card)),
    }


def action_points(pack: Pack, card: Scenario) -> int:
    """What a seat may spend in each Turn."""
    return card.ap or pack.tables.ap_pool[str(card.apv)]


def kill_points(pack: Pack, card: Scenario) -> tuple[tuple[str, int], ...]:
    """The Victory Points for destroying a unit, by its size."""
    return tuple((card.kill_vp or pack.tables.kill_vp).items())


def _victory(pack: Pack, card: Scenario) -> Iterator[str]:
    if card.rounds:
        yield _say("scenario.rounds", n=card.rounds)
    else:
        yield _say("scenario.endless")
    if card.vp_target:
        yield _say("scenario.target", n=card.vp_target)
    yield _say(f"scenario.elimination.{card.elimination}")
    kills = [
        _say("scenario.kill", size=_say(f"size.{size}"), n=n)
        for size, n in kill_points(pack, card)
        if n
    ]
    if kills:
        yield _say("scenario.kills", list=listed(kills, most=len(kills)))
    else:
        yield _say("scenario.no-kills")
    for place in card.locations:
        regions = regions_name(place.regions)
        yield _say("scenario.place", place=place.name, regions=regions, n=place.vp)
    for seat, points in card.start_vp.items():
        yield _say("scenario.start-vp", seat=seat_name(seat), n=points)
    if card.quests:
        yield _say("scenario.quests")


def _forces(pack: Pack, card: Scenario) -> Iterator[str]:
    yield _say("scenario.order", seats=ENGLISH.format("comma").join(map(seat_name, card.seats)))
    yield _say("scenario.armies" if card.build else "scenario.armies-fixed", n=card.apv)
    yield _say("scenario.pool", n=action_points(pack, card))
    for seat in card.seats:
        if zone := card.zone.get(seat):
            yield _say("scenario.deploys", seat=seat_name(seat), zone=regions_name(zone))
    held = card.reserve
    if held.max:
        yield _say("scenario.reserve", n=held.max, round=held.round, ap=held.ap)
    else:
        yield _say("scenario.no-reserve")


def _mana(card: Scenario) -> Iterator[str]:
    yield _say("scenario.share", n=card.mana_percent)
    for well in card.wells:
        yield _say("scenario.well", region=well.at, start=well.start, depleted=well.depleted)
    if not card.wells:
        yield _say("scenario.no-wells")
    if card.encounters:
        yield _say("scenario.encounters", n=len(card.encounters))
