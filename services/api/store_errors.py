"""Conversion of store errors to API errors."""

from typing import Any

from services.runtime.errors import ApiError, Reason
from services.store.errors import (
    AccountBusy,
    ArmyBusy,
    ArmyUnknown,
    ConditionalMovesBusy,
    ConditionalMovesUnknown,
    FrontendUnknown,
    LogOverloaded,
    MatchBusy,
    MatchUnknown,
    PlayerUnknown,
    RecordDamaged,
    SeedMissing,
    StoreError,
    TableBusy,
    TableUnknown,
)


def api_error(error: ApiError | StoreError) -> ApiError:
    """Return the API error for an error that a handler raised."""
    match error:
        case ApiError():
            return error
        case MatchUnknown(identity=match):
            return ApiError(Reason.MATCH_NOT_FOUND, str(error), match=match)
        case ArmyUnknown(identity=army):
            return ApiError(Reason.ARMY_NOT_FOUND, str(error), army=army)
        case TableUnknown(identity=table):
            return ApiError(Reason.TABLE_NOT_FOUND, table=table)
        case TableBusy(identity=table):
            return ApiError(Reason.MATCH_BUSY, table=table)
        case MatchBusy(identity=match):
            return ApiError(Reason.MATCH_BUSY, match=match)
        case ArmyBusy(identity=army):
            return ApiError(Reason.LOG_OVERLOADED, str(error), army=army)
        case FrontendUnknown(identity=frontend):
            return ApiError(Reason.FRONTEND_NOT_FOUND, str(error), frontend=frontend)
        case PlayerUnknown(identity=player):
            return ApiError(Reason.PLAYER_NOT_FOUND, str(error), player=player)
        case AccountBusy(identity=account):
            return ApiError(Reason.LOG_OVERLOADED, str(error), account=account)
        case ConditionalMovesUnknown():
            return ApiError(Reason.NO_CONDITIONAL_MOVES)
        case ConditionalMovesBusy():
            return ApiError(Reason.LOG_OVERLOADED, str(error))
        case SeedMissing(identity=match):
            return ApiError(Reason.SEED_MISSING, str(error), match=match)
        case RecordDamaged():
            figures: dict[str, Any] = {error.kind: error.identity, "version": error.version}
            return ApiError(Reason.RECORD_DAMAGED, str(error), **figures)
        case LogOverloaded():
            return ApiError(Reason.LOG_OVERLOADED, str(error))
        case _:
            return ApiError(Reason.LOG_UNAVAILABLE, str(error))
