"""Messages for armies: validation faults, saved armies, and their status in a match."""

import msgspec

from domain.army import SavedArmy
from domain.kernel.armies import ArmyReport, SideStatus, StatusRow, UnitStatus
from domain.kernel.game import AnyGame
from domain.kernel.rulings import explain
from services.mapping import messages, scene_messages
from services.runtime.json_values import to_struct
from services.wire.emeth.v1 import (
    armies_pb2,
    match_views_pb2,
)


def validation(game: AnyGame, checked: ArmyReport) -> armies_pb2.ArmyValidation:
    """Return the message with the points and the faults of a roster."""
    return armies_pb2.ArmyValidation(
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
        max_points=checked.limit,
    )


def etag_of(army: SavedArmy) -> str:
    """Return the etag of an army, which changes with each update."""
    return f"v{army.version}"


def army(army: SavedArmy) -> armies_pb2.Army:
    """Return the message of a saved army, without anything that identifies its owner."""
    return armies_pb2.Army(
        army_id=str(army.id),
        etag=etag_of(army),
        game=army.saved.game,
        name=army.saved.name,
        roster=to_struct(army.saved.content),
        constraints=to_struct(army.saved.occasion),
        points=army.saved.points,
        create_time=messages.timestamp(army.created),
        update_time=messages.timestamp(army.updated),
    )


def side_status(side: SideStatus, player: str) -> match_views_pb2.SideStatus:
    """Return the message with the status of a side and the player who leads it."""
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


def _status_row(row: StatusRow) -> match_views_pb2.StatusRow:
    return match_views_pb2.StatusRow(**msgspec.structs.asdict(row))
