"""The client's calls of FrontendsService."""

from collections.abc import Sequence

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import frontends_pb2 as frontends


class FrontendsCalls(Connection):
    """Calls of FrontendsService. A `key` is the service's admin key, or where it is said so the
    frontend's own; every other call shows the key that the client was made with."""

    async def register_frontend(
        self,
        key: str,
        name: str,
        rights: Sequence[frontends.FrontendRight.ValueType] = (),
        *,
        quotas: frontends.FrontendQuotas | None = None,
        issuer: frontends.FrontendIssuer | None = None,
        request_id: str | None = None,
    ) -> frontends.RegisterFrontendResponse:
        """Let a frontend call from now on; its key."""
        request = frontends.RegisterFrontendRequest(
            request_id=request_id or new_request(),
            name=name,
            rights=rights,
            quotas=quotas,
            issuer=issuer,
        )
        return await self._call(self._frontends.RegisterFrontend, request, key)

    async def list_frontends(self, key: str) -> list[frontends.Frontend]:
        """All frontends, with what they use."""
        found: list[frontends.Frontend] = []
        page = ""
        while True:
            request = frontends.ListFrontendsRequest(page_token=page)
            answer = await self._call(self._frontends.ListFrontends, request, key)
            found += answer.frontends
            page = answer.next_page_token
            if not page:
                return found

    async def frontend(self, key: str, frontend_id: str = "") -> frontends.Frontend:
        """One frontend; without an id the one whose own key it is."""
        request = frontends.GetFrontendRequest(frontend_id=frontend_id)
        return (await self._call(self._frontends.GetFrontend, request, key)).frontend

    async def set_frontend_terms(
        self,
        key: str,
        frontend_id: str,
        rights: Sequence[frontends.FrontendRight.ValueType] = (),
        *,
        quotas: frontends.FrontendQuotas | None = None,
        issuer: frontends.FrontendIssuer | None = None,
        request_id: str | None = None,
    ) -> frontends.Frontend:
        """Set what a frontend may do, how much, and who signs for its players: all of it anew."""
        request = frontends.SetFrontendTermsRequest(
            request_id=request_id or new_request(),
            frontend_id=frontend_id,
            rights=rights,
            quotas=quotas,
            issuer=issuer,
        )
        return (await self._call(self._frontends.SetFrontendTerms, request, key)).frontend

    async def rotate_frontend_key(
        self, key: str, frontend_id: str = "", request_id: str | None = None
    ) -> str:
        """Another key for a frontend; without an id for the one whose own key it is."""
        request = frontends.RotateFrontendKeyRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id
        )
        return (await self._call(self._frontends.RotateFrontendKey, request, key)).key

    async def revoke_frontend(
        self, key: str, frontend_id: str, request_id: str | None = None
    ) -> None:
        """End a frontend."""
        request = frontends.RevokeFrontendRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id
        )
        await self._call(self._frontends.RevokeFrontend, request, key)
