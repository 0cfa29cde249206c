"""Server reflection, with which tools list and call the API without its proto files.

It is served as `grpc.reflection.v1` and, for older tools, as `v1alpha`. Both have the same
messages; the library has only the older name.
"""

from collections.abc import AsyncIterator, Iterable
from typing import Any, Final

import grpc
import grpc.aio
from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2
from grpc_reflection.v1alpha.reflection import aio

from services.accounts.context import RequestContext
from services.transport.grpc import bind
from services.transport.pipeline import CallPipeline

V1: Final = "grpc.reflection.v1.ServerReflection"
NAMES: Final = (V1, reflection.SERVICE_NAME)


class ReflectionHandlers:
    """Handlers of the ServerReflection service."""

    def __init__(self, names: Iterable[str]) -> None:
        """Describe the services with these `names`, and reflection itself."""
        _describe_v1()
        self._servicer: Any = aio.ReflectionServicer((*names, *NAMES))

    async def server_reflection_info(
        self, call: RequestContext, requests: AsyncIterator[reflection_pb2.ServerReflectionRequest]
    ) -> AsyncIterator[reflection_pb2.ServerReflectionResponse]:
        """Yield the descriptors that the client requests."""
        del call
        async for response in self._servicer.ServerReflectionInfo(requests, None):
            yield response


def add_reflection(server: grpc.aio.Server, names: Iterable[str], pipeline: CallPipeline) -> None:
    """Add reflection for these services to a server."""
    service: Any
    (service,) = reflection_pb2.DESCRIPTOR.services_by_name.values()
    _, methods = bind(service, ReflectionHandlers(names), pipeline)
    for name in NAMES:
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, methods),))


def _describe_v1() -> None:
    """Register a copy of the older proto file under the newer name."""
    pool = descriptor_pool.Default()
    try:
        pool.FindServiceByName(V1)
    except KeyError:
        older = FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(older)
        text = text_format.MessageToString(older).replace("v1alpha", "v1")
        pool.Add(text_format.Parse(text, FileDescriptorProto()))
