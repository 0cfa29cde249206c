"""A version that a match never had is OUT_OF_RANGE for every call, and nobody waits for it."""

import asyncio
from typing import Any

import grpc
import grpc.aio
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message_factory import GetMessageClass

from services.client import ServiceError
from services.main import Service
from tests.services.conftest import Table
from tests.services.transport.any_request import METHODS

NEVER = 4_000_000_000
FIELDS = ("at_least_version", "version")
ASKED = [
    (method, field)
    for method in METHODS
    if method.full_name.startswith("emeth.v1.") and "match_id" in method.input_type.fields_by_name
    for field in FIELDS
    if field in method.input_type.fields_by_name
]
SECONDS = 3.0
"""Less than a read waits for a version that is on its way."""


@pytest.mark.parametrize(
    ("method", "field"), ASKED, ids=[f"{method.name}.{field}" for method, field in ASKED]
)
async def test_a_version_that_never_was_is_out_of_range(
    service: Service, table: Table, method: MethodDescriptor, field: str
) -> None:
    request: Any = GetMessageClass(method.input_type)(match_id=table.id)
    for name, value in {
        "request_id": table.id,
        "reason": "why",
        "version": 1,
        field: NEVER,
    }.items():
        if name in method.input_type.fields_by_name:
            setattr(request, name, value)
    path = f"/{method.containing_service.full_name}/{method.name}"
    async with grpc.aio.insecure_channel(service.address) as channel, asyncio.timeout(SECONDS):
        metadata = (("authorization", f"Bearer {table.white}"),)
        call = channel.unary_stream(path)(request.SerializeToString(), metadata=metadata)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            async for _ in call:
                pass
    error = ServiceError.from_rpc(refused.value)
    assert (error.code, error.reason) == (grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE")
