"""The gRPC door: every rpc of the contract has a handler, and none shows what went wrong inside."""

from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_health.v1.health_pb2_grpc import HealthStub
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from services.client import ServiceError
from services.main import Service
from services.transport.pipeline import snake_case
from services.wire.emeth.admin.v1 import admin_pb2
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

MODULES: tuple[Any, ...] = (
    admin_pb2,
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
METHODS: list[MethodDescriptor] = [
    method
    for module in MODULES
    for service in module.DESCRIPTOR.services_by_name.values()
    for method in service.methods
]


async def answer_to_nothing(channel: grpc.aio.Channel, method: MethodDescriptor) -> grpc.StatusCode:
    """The code with which a method answers an empty request."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    try:
        match method.client_streaming, method.server_streaming:
            case False, False:
                await channel.unary_unary(path)(b"", timeout=30)
            case False, True:
                await channel.unary_stream(path)(b"", timeout=3).read()
            case True, False:
                await channel.stream_unary(path)(iter([b""]), timeout=30)
            case _:
                await channel.stream_stream(path)(iter([b""]), timeout=30).read()
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


@pytest.mark.parametrize("method", METHODS, ids=lambda method: str(method.name))
async def test_every_rpc_answers_an_empty_request(
    service: Service, method: MethodDescriptor
) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        code = await answer_to_nothing(channel, method)
    assert code in (
        grpc.StatusCode.OK,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.NOT_FOUND,
        grpc.StatusCode.UNAUTHENTICATED,
    )


@pytest.mark.parametrize(
    "path", ["/emeth.v1.MatchesService/None", "/emeth.v1.None/GetMatch", "/x/y"]
)
async def test_an_unknown_call_is_refused_with_a_reason(service: Service, path: str) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        for call in (
            channel.unary_unary(path)(b"x"),
            channel.stream_unary(path)(iter([b"x"])),
            channel.unary_stream(path)(b"x").read(),
        ):
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await call
            error = ServiceError.from_rpc(refused.value)
            assert (error.code, error.reason) == (
                grpc.StatusCode.UNIMPLEMENTED,
                "METHOD_NOT_FOUND",
            )
            assert path in error.message
    assert service._pipeline.calls._metrics.calls["unknown", "grpc", "METHOD_NOT_FOUND"] == 3


async def test_every_service_reports_its_health(service: Service) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        names = {method.containing_service.full_name for method in METHODS}
        for name in ("", *names):
            answer = await HealthStub(channel).Check(HealthCheckRequest(service=name))
            assert answer.status == HealthCheckResponse.SERVING


def test_a_method_is_called_as_python_would_name_it() -> None:
    assert snake_case("SubmitAction") == "submit_action"


@pytest.mark.parametrize("package", ["grpc.reflection.v1", "grpc.reflection.v1alpha"])
async def test_both_versions_of_reflection_list_all_services(
    service: Service, package: str
) -> None:
    async with grpc.aio.insecure_channel(service.address) as channel:
        ask = channel.stream_stream(
            f"/{package}.ServerReflection/ServerReflectionInfo",
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )
        symbol = f"{package}.ServerReflection"
        requests = [
            ServerReflectionRequest(list_services=""),
            ServerReflectionRequest(file_containing_symbol=symbol),
            ServerReflectionRequest(file_containing_symbol="emeth.v1.PlayService"),
        ]
        listed, own, ours = [answer async for answer in ask(iter(requests))]
    names = {each.name for each in listed.list_services_response.service}
    assert {"emeth.v1.PlayService", symbol} <= names
    (raw,) = own.file_descriptor_response.file_descriptor_proto
    assert FileDescriptorProto.FromString(raw).package == package
    assert ours.file_descriptor_response.file_descriptor_proto
