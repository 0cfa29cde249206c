"""Roles of a service: everything, or one part where several services share a log.

A service in the role `play` keeps no read models: it answers from its cache and the log. One in the
role `read` builds read models from the log. `docs/scale.md` describes how calls are routed.
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
"""Proto files whose services are for play. Gateways may connect to one service and be managed
through another, which needs read models."""


WRITE_SERVICES: Final = (
    armies_pb2,
    frontends_pb2,
    gateways_pb2,
    styluses_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
)
"""Proto files whose services record events."""
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
"""Proto files whose services answer from the read models."""


def serves_service(role: str, module: ModuleType) -> bool:
    """Return whether a service in this role serves the calls of a proto file."""
    if module is admin_pb2 or role == "all":
        return True
    return module in PLAY_SERVICES if role == "play" else module is not play_service_pb2


def can_serve(module: ModuleType, *, writes: bool, reads: bool) -> bool:
    """Return whether the calls of a proto file can be served now.

    Args:
        module: The generated module of the proto file.
        writes: Whether events can be recorded.
        reads: Whether the read models are complete.
    """
    return (writes or module not in WRITE_SERVICES) and (reads or module not in READ_SERVICES)


def wrong_replica() -> ApiError:
    """Return the error of a call that needs read models, where there are none."""
    return ApiError(
        Reason.READ_MODELS_DISABLED, "this replica keeps no read models; call one that does"
    )
