"""One class of handlers for each proto service, with one method for each of its rpcs."""

import inspect
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, get_type_hints

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from services.api.admin import AdminHandlers
from services.api.armies import ArmiesHandlers
from services.api.audit import AuditHandlers
from services.api.frontends import FrontendsHandlers
from services.api.games import GamesHandlers
from services.api.gateways import GatewaysHandlers
from services.api.history import HistoryHandlers
from services.api.matches import MatchesHandlers
from services.api.play import PlayHandlers
from services.api.players import PlayersHandlers
from services.api.statistics import StatisticsHandlers
from services.api.styluses import StylusesHandlers
from services.api.views import ViewsHandlers
from services.transport.pipeline import snake_case
from services.wire.emeth.admin.v1 import admin_pb2
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import (
    armies_pb2,
    audit_pb2,
    frontends_pb2,
    games_pb2,
    history_pb2,
    matches_pb2,
    play_service_pb2,
    players_pb2,
    statistics_pb2,
    views_pb2,
)

HANDLERS: dict[Any, type] = {
    admin_pb2: AdminHandlers,
    armies_pb2: ArmiesHandlers,
    audit_pb2: AuditHandlers,
    frontends_pb2: FrontendsHandlers,
    games_pb2: GamesHandlers,
    gateways_pb2: GatewaysHandlers,
    styluses_pb2: StylusesHandlers,
    history_pb2: HistoryHandlers,
    matches_pb2: MatchesHandlers,
    play_service_pb2: PlayHandlers,
    players_pb2: PlayersHandlers,
    statistics_pb2: StatisticsHandlers,
    views_pb2: ViewsHandlers,
}
METHODS: list[tuple[type, MethodDescriptor]] = [
    (handlers, method)
    for module, handlers in HANDLERS.items()
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if method.name != "Session"  # a door to the others
]


TYPED = [
    each for each in METHODS if each[1].name != "Subscribe"
]  # its messages are made of topics'
OF_TOPICS = {"follow", "lobby_filter"}
"""What topics of a subscription are made of."""


@pytest.mark.parametrize(
    ("handlers", "method"), TYPED, ids=[method.full_name for _, method in TYPED]
)
def test_an_rpc_has_a_method_of_its_own_types(handlers: type, method: MethodDescriptor) -> None:
    _, request, answer = get_type_hints(getattr(handlers, snake_case(method.name))).values()
    asked: Any = GetMessageClass(method.input_type)
    answered: Any = GetMessageClass(method.output_type)
    assert request == (AsyncIterator[asked] if method.client_streaming else asked)
    streams = (AsyncIterator[answered], AsyncGenerator[answered, None])
    assert answer in (streams if method.server_streaming else (answered,))


@pytest.mark.parametrize("handlers", HANDLERS.values())
def test_a_handler_has_nothing_public_but_its_rpcs_and_topics(handlers: type) -> None:
    rpcs = {snake_case(method.name) for owner, method in METHODS if owner is handlers}
    public = {name for name, _ in inspect.getmembers(handlers) if not name.startswith("_")}
    assert public - OF_TOPICS == rpcs
