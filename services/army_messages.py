"""Armies as messages of the API: what is wrong with one, saved ones, catalogs, and their status."""

import msgspec

from domain.army.army import SavedArmy
from domain.kernel.armies import Checked, Entry, Row, SideStatus, UnitStatus
from domain.kernel.game import AnyGame
from domain.kernel.rulings import explain
from services import messages, scene_messages
from services.json_values import to_struct
from services.wire.emeth.v1 import (
    armies_pb2,
    match_views_pb2,
)


def army_check(game: AnyGame, checked: Checked) -> armies_pb2.ArmyCheck:
    """What is to be said of an army."""
    return armies_pb2.ArmyCheck(
        faults=[
            armies_pb2.ArmyFault(
                rule=fault.rule,
                path=fault.path,
                why=fault.why,
                sentence=explain(game.rules[fault.rule]),
            )
            for fault in checked.faults
        ],
        points=checked.points,
        limit=checked.limit,
    )


def saved_army(army: SavedArmy) -> armies_pb2.SavedArmy:
    """A saved army, without what tells its owner."""
    return armies_pb2.SavedArmy(
        army_id=str(army.id),
        version=army.version,
        game=army.saved.game,
        name=army.saved.name,
        army=to_struct(army.saved.content),
        occasion=to_struct(army.saved.occasion),
        points=army.saved.points,
        created_at=messages.timestamp(army.created),
        updated_at=messages.timestamp(army.updated),
    )


def catalog_entry(entry: Entry) -> armies_pb2.CatalogEntry:
    """An entry of a catalog."""
    return armies_pb2.CatalogEntry(**msgspec.structs.asdict(entry))


def side_status(side: SideStatus, player: str) -> match_views_pb2.SideStatus:
    """How a side stands, and who leads it."""
    return match_views_pb2.SideStatus(
        seat=side.seat,
        player=player,
        tracks=map(scene_messages.part, side.tracks),
        units=map(_unit_status, side.units),
        losses=map(_unit_status, side.losses),
        rows=map(_status_row, side.rows),
    )


def _unit_status(unit: UnitStatus) -> match_views_pb2.UnitStatus:
    return match_views_pb2.UnitStatus(
        id=unit.id,
        kind=unit.kind,
        name=unit.name,
        where=unit.where,
        tracks=map(scene_messages.part, unit.tracks),
        rows=map(_status_row, unit.rows),
        attributes=unit.attributes,
    )


def _status_row(row: Row) -> match_views_pb2.StatusRow:
    return match_views_pb2.StatusRow(**msgspec.structs.asdict(row))
