"""AdminService: maintenance of the service. All calls need the admin key."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator

from projections.projector.rebuild import RebuildProgress, RebuildRunningError
from services.accounts.context import RequestContext, require_admin
from services.accounts.tokens import token_digest
from services.runtime.errors import ApiError, Reason
from services.runtime.thread_switching import run_cpu_bound
from services.wire.emeth.admin.v1 import admin_pb2 as pb

Rebuild = Callable[[], Generator[RebuildProgress, None, None]]


class AdminHandlers:
    """Handlers of the rpcs of AdminService."""

    def __init__(self, admin_key: str, rebuild: Rebuild) -> None:
        self._key = token_digest(admin_key)
        self._rebuild = rebuild

    async def rebuild_projections(
        self, call: RequestContext, request: pb.RebuildProjectionsRequest
    ) -> AsyncIterator[pb.RebuildProjectionsResponse]:
        """Rebuild the read models, and yield the progress."""
        del request
        require_admin(call, self._key)
        steps = self._rebuild()
        step: asyncio.Task[RebuildProgress | None] | None = None
        try:
            while True:
                # Each step blocks on the disk, so it runs in another thread.
                step = asyncio.create_task(run_cpu_bound(next, steps, None))
                if (progress := await asyncio.shield(step)) is None:
                    return
                yield pb.RebuildProjectionsResponse(
                    processed_events=progress.done,
                    total_events=progress.total,
                    done=progress.finished,
                )
        except RebuildRunningError as error:
            raise ApiError(Reason.REBUILD_RUNNING, str(error)) from None
        finally:
            # If the client leaves during a step, the step is finished first.
            if step is not None:
                await asyncio.wait([step])
            steps.close()
