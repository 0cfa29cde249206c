"""The client's calls of AdminService, with the admin key."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from services.client.connection import Connection
from services.wire.emeth.admin.v1 import admin_pb2 as admin


class AdminCalls(Connection):
    """Calls of AdminService. Every method raises ServiceError."""

    async def rebuild(
        self, admin_key: str
    ) -> AsyncGenerator[admin.RebuildProjectionsResponse, None]:
        """Make the read models anew; tells how far it is."""
        request = admin.RebuildProjectionsRequest()
        stream = self._stream(self._admin.RebuildProjections, request, admin_key)
        async with aclosing(stream):
            async for progress in stream:
                yield progress
