"""A request out of its declared bounds is refused before its handler, with all that is wrong."""

import asyncio
import json
from collections.abc import Awaitable, Callable

import grpc
import grpc.aio
import pytest
from google.protobuf.json_format import ParseDict

from services.client import ServiceError
from services.main import Service
from services.wire.emeth.v1 import frontends_pb2
from services.wire.emeth.v1.frontends_pb2_grpc import FrontendsServiceStub
from tests.services.transport.test_connect_errors import JSON, read_error
from tests.services.transport.test_fuzzed_streams import spoken

WRONG = {
    "requestId": "1",
    "frontend": {"name": "x" * 81, "etag": "none such", "quotas": {"storedBytes": "1" * 17}},
}
VIOLATED = {"request_id", "frontend.name", "frontend.quotas.stored_bytes"}
"""Not the etag: that there is none such is for the handler to find."""


async def over_grpc(service: Service) -> set[str]:
    async with grpc.aio.insecure_channel(service.address) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await FrontendsServiceStub(channel).UpdateFrontend(
                ParseDict(WRONG, frontends_pb2.UpdateFrontendRequest())
            )
    error = ServiceError.from_rpc(caught.value)
    assert (error.code, error.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "FIELD_INVALID")
    return set(error.violations)


async def over_http(service: Service) -> set[str]:
    path, body = "/emeth.v1.FrontendsService/UpdateFrontend", json.dumps(WRONG).encode()
    status, said = await asyncio.to_thread(spoken, service.http_address, path, "POST", JSON, body)
    error = read_error(said)
    assert (status, error["code"]) == (400, "invalid_argument")
    (bad,) = (each["debug"] for each in error["details"] if each["type"].endswith("BadRequest"))
    return {violation["field"] for violation in bad["fieldViolations"]}


@pytest.mark.parametrize("call", [over_grpc, over_http])
async def test_all_violations_are_reported_at_once(
    service: Service, call: Callable[[Service], Awaitable[set[str]]]
) -> None:
    assert await call(service) == VIOLATED
