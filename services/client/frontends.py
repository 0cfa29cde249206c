"""The client's calls of FrontendsService."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from google.protobuf.field_mask_pb2 import FieldMask

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import frontends_pb2 as frontends


class FrontendsCalls(Connection):
    """Calls of FrontendsService. A `key` is the service's admin key, or where it is said so the
    frontend's own; every other call shows the key that the client was made with."""

    async def create_frontend(
        self,
        key: str,
        name: str,
        rights: Sequence[frontends.FrontendRight.ValueType] = (),
        *,
        quotas: frontends.FrontendQuotas | None = None,
        issuer: frontends.FrontendIssuer | None = None,
        webhooks: Sequence[frontends.Webhook] = (),
        request_id: str | None = None,
    ) -> frontends.CreateFrontendResponse:
        """Create a frontend. Return it with its key."""
        request = frontends.CreateFrontendRequest(
            request_id=request_id or new_request(),
            frontend=frontends.Frontend(
                name=name, rights=rights, quotas=quotas, issuer=issuer, webhooks=webhooks
            ),
        )
        return await self._call(self._frontends.CreateFrontend, request, key)

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

    async def update_frontend(
        self,
        key: str,
        frontend: frontends.Frontend,
        *update_mask: str,
        request_id: str | None = None,
    ) -> frontends.UpdateFrontendResponse:
        """Update those fields of a frontend that the mask names, or without one those that are
        set. Without an id it is the frontend whose own key it is."""
        request = frontends.UpdateFrontendRequest(
            request_id=request_id or new_request(),
            frontend=frontend,
            update_mask=FieldMask(paths=update_mask),
        )
        return await self._call(self._frontends.UpdateFrontend, request, key)

    async def delete_frontend(
        self, key: str, frontend_id: str, request_id: str | None = None
    ) -> None:
        """Delete a frontend."""
        request = frontends.DeleteFrontendRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id
        )
        await self._call(self._frontends.DeleteFrontend, request, key)

    async def rotate_frontend_key(
        self,
        key: str,
        frontend_id: str = "",
        *,
        overlap: timedelta | None = None,
        request_id: str | None = None,
    ) -> str:
        """Return a new key of a frontend; without an id of the one whose own key it is. The
        present key stays valid for the term `overlap`, a day if it is not set."""
        request = frontends.RotateFrontendKeyRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id
        )
        if overlap is not None:
            request.overlap.FromTimedelta(overlap)
        return (await self._call(self._frontends.RotateFrontendKey, request, key)).key

    async def test_webhook(
        self, key: str, webhook_id: str, frontend_id: str = "", request_id: str | None = None
    ) -> frontends.TestWebhookResponse:
        """Post a test message to a webhook. Return what its receiver answered."""
        request = frontends.TestWebhookRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id, webhook_id=webhook_id
        )
        return await self._call(self._frontends.TestWebhook, request, key)

    async def redeliver_notices(
        self,
        key: str,
        webhook_id: str,
        start: str | datetime,
        frontend_id: str = "",
        request_id: str | None = None,
    ) -> frontends.Webhook:
        """Post notices to a webhook again: from a notice on, by its ID, or from a time on."""
        request = frontends.RedeliverNoticesRequest(
            request_id=request_id or new_request(), frontend_id=frontend_id, webhook_id=webhook_id
        )
        if isinstance(start, datetime):
            request.start_time.FromDatetime(start)
        else:
            request.first_notice_id = start
        return (await self._call(self._frontends.RedeliverNotices, request, key)).webhook
