"""What a service does, of all that there is to do: everything, or a part where several share a log.

A service that plays keeps no read models: it answers from matches in memory and from the log. One
that reads follows the log into read models of its own. So neither pays for the other's work, and
`docs/scale.md` says how calls find their way.
"""

from types import ModuleType
from typing import Final

from services.runtime.errors import ApiError, Reason
from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)

PLAY_SERVICES: Final = (play_service_pb2, gateways_pb2, styluses_pb2)
"""The proto files whose services are for those who play. Where gateways connect, and where their
styluses are paired and listed, may be two places: the latter takes read models."""


WRITE_SERVICES: Final = (
    armies_pb2,
    frontends_pb2,
    gateways_pb2,
    styluses_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
)
"""The proto files whose services are there to record something."""
READ_SERVICES: Final = (
    analysis_pb2,
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    history_pb2,
    matches_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)
"""The proto files whose services answer from the read models."""


def serves_service(role: str, module: ModuleType) -> bool:
    """Does a service in this role have the calls of this proto file?"""
    if module is admin_pb2 or role == "all":
        return True
    return module in PLAY_SERVICES if role == "play" else module is not play_service_pb2


def can_serve(module: ModuleType, *, writes: bool, reads: bool) -> bool:
    """Return whether the calls of a proto file can be served, where events can be recorded (or not)
    and the read models are complete (or not)."""
    return (writes or module not in WRITE_SERVICES) and (reads or module not in READ_SERVICES)


def wrong_replica() -> ApiError:
    """The error of a call that wants read models, where there are none."""
    return ApiError(
        Reason.READ_MODELS_DISABLED, "this service keeps no read models: ask one that does"
    )
