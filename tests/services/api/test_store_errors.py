"""What errors of the store mean to callers is said in one place."""

from uuid import UUID

import pytest

from services.api.store_errors import api_error
from services.runtime.errors import ApiError, Reason
from services.store import errors
from services.store.errors import (
    AccountBusy,
    ArmyBusy,
    ArmyUnknown,
    ConditionalMovesBusy,
    ConditionalMovesUnknown,
    EventsUnstorable,
    FrontendUnknown,
    LogFailed,
    LogOverloaded,
    LogUnavailable,
    MatchBusy,
    MatchUnknown,
    PlayerUnknown,
    ProfilesUnavailable,
    RecordDamaged,
    SeedMissing,
    StoreError,
    TableBusy,
    TableUnknown,
    VersionConflict,
)

NAME = UUID(int=7)
AT_START = {
    "CipherKeyMissing",
    "KeysDiffer",
    "LogDamaged",
    "LogForeign",
    "LogLocked",
    "LogNotDurable",
    "LogTooNew",
    "LogsDiffer",
    "StoreUnknown",
}
"""Errors by which no service comes to be."""


@pytest.mark.parametrize(
    ("error", "reason", "figures"),
    [
        (MatchUnknown(NAME), Reason.MATCH_NOT_FOUND, {"match": str(NAME)}),
        (MatchBusy(NAME), Reason.MATCH_BUSY, {"match": str(NAME)}),
        (SeedMissing(NAME, "lost"), Reason.SEED_MISSING, {"match": str(NAME)}),
        (ConditionalMovesUnknown(NAME), Reason.NO_CONDITIONAL_MOVES, {}),
        (ConditionalMovesBusy(NAME), Reason.LOG_OVERLOADED, {}),
        (ArmyUnknown(NAME), Reason.ARMY_NOT_FOUND, {"army": str(NAME)}),
        (ArmyBusy(NAME), Reason.LOG_OVERLOADED, {"army": str(NAME)}),
        (FrontendUnknown(NAME), Reason.FRONTEND_NOT_FOUND, {"frontend": str(NAME)}),
        (PlayerUnknown(NAME), Reason.PLAYER_NOT_FOUND, {"player": str(NAME)}),
        (AccountBusy(NAME), Reason.LOG_OVERLOADED, {"account": str(NAME)}),
        (ProfilesUnavailable("the disk is full"), Reason.LOG_UNAVAILABLE, {}),
        (errors.DeliveriesUnavailable("the disk is full"), Reason.LOG_UNAVAILABLE, {}),
        (TableUnknown(NAME), Reason.TABLE_NOT_FOUND, {"table": str(NAME)}),
        (TableBusy(NAME), Reason.MATCH_BUSY, {"table": str(NAME)}),
        (
            RecordDamaged("table", NAME, 3, "was changed"),
            Reason.RECORD_DAMAGED,
            {"table": str(NAME), "version": "3"},
        ),
        (LogOverloaded(9, 8), Reason.LOG_OVERLOADED, {}),
        (LogUnavailable("the disk is full"), Reason.LOG_UNAVAILABLE, {}),
        (LogFailed("the disk failed"), Reason.LOG_UNAVAILABLE, {}),
        (errors.LogUncertain("the connection broke"), Reason.LOG_UNAVAILABLE, {}),
        (errors.LogClosed(), Reason.LOG_UNAVAILABLE, {}),
        (EventsUnstorable("too large"), Reason.LOG_UNAVAILABLE, {}),
        (VersionConflict({NAME: 2}), Reason.LOG_UNAVAILABLE, {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_error_of_the_store_has_a_reason_and_its_figures(
    error: StoreError, reason: Reason, figures: dict[str, str]
) -> None:
    seen = api_error(error)
    assert (seen.reason, seen.figures) == (reason, figures)


def test_every_error_of_a_running_store_is_listed_above() -> None:
    (mark,) = test_an_error_of_the_store_has_a_reason_and_its_figures.pytestmark  # type: ignore[attr-defined]
    listed = {type(row[0]).__name__ for row in mark.args[1]}
    known = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, StoreError)
    }
    assert listed == known - AT_START - {"StoreError"}


def test_an_error_of_the_api_is_printed_unchanged() -> None:
    error = ApiError(Reason.SEAT_TAKEN)
    assert api_error(error) is error
