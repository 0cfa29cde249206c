"""The client's calls about conditional actions."""

from collections.abc import Iterable

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import plans_pb2 as plans


class PlansCalls(Connection):
    """Calls of PlansService. All take the token of the plan's own seat."""

    async def set_plan(
        self,
        token: str,
        match_id: str,
        nodes: Iterable[plans.PlanNode],
        *,
        expected_version: int | None = None,
        seat: str = "",
        request_id: str | None = None,
    ) -> plans.Plan:
        """Leave a plan, in place of any that the seat had. Who has several seats names one."""
        request = plans.SetPlanRequest(
            request_id=request_id or new_request(),
            match_id=match_id,
            nodes=nodes,
            expected_version=expected_version,
            seat=seat,
        )
        return (await self._call(self._plans.SetPlan, request, token)).plan

    async def plan(self, token: str, match_id: str, seat: str = "") -> plans.Plan | None:
        """The plan of the seat, how far it has come, and why it ended; None if there is none."""
        request = plans.GetPlanRequest(match_id=match_id, seat=seat)
        answer = await self._call(self._plans.GetPlan, request, token)
        return answer.plan if answer.HasField("plan") else None

    async def cancel_plan(
        self, token: str, match_id: str, *, seat: str = "", request_id: str | None = None
    ) -> plans.Plan:
        """Take the plan back."""
        request = plans.CancelPlanRequest(
            request_id=request_id or new_request(), match_id=match_id, seat=seat
        )
        return (await self._call(self._plans.CancelPlan, request, token)).plan
