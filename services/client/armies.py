"""The client's calls of ArmiesService."""

from collections.abc import Mapping
from typing import Any, Final

from services.client.connection import Connection, new_request
from services.json_values import to_struct
from services.wire.emeth.v1 import armies_pb2 as armies

LARGEST_PAGE: Final = 200
"""Armies on a page, at most."""


class ArmiesCalls(Connection):
    """Calls of ArmiesService. Every method raises ServiceError.

    An `owner` is the token that the first `create_army` returns.
    """

    async def validate_army(
        self, game: str, roster: Mapping[str, Any], constraints: Mapping[str, Any] | None = None
    ) -> armies.ArmyValidation:
        """Return every fault of a roster under these constraints, and what it is worth."""
        request = armies.ValidateArmyRequest(
            game=game,
            roster=to_struct(dict(roster)),
            constraints=to_struct(dict(constraints or {})),
        )
        return (await self._call(self._armies.ValidateArmy, request)).validation

    async def create_army(
        self,
        owner: str,
        game: str,
        name: str,
        roster: Mapping[str, Any],
        constraints: Mapping[str, Any] | None = None,
        *,
        request_id: str | None = None,
    ) -> armies.CreateArmyResponse:
        """Create an army. Without an `owner` the response has the token of a new one."""
        army = armies.Army(
            game=game,
            name=name,
            roster=to_struct(dict(roster)),
            constraints=to_struct(dict(constraints or {})),
        )
        request = armies.CreateArmyRequest(
            request_id=request_id or new_request(), army=army, client_secret=self._client_secret
        )
        return await self._call(self._armies.CreateArmy, request, owner)

    async def update_army(
        self,
        owner: str,
        army_id: str,
        *,
        name: str | None = None,
        roster: Mapping[str, Any] | None = None,
        constraints: Mapping[str, Any] | None = None,
        etag: str = "",
        request_id: str | None = None,
    ) -> armies.UpdateArmyResponse:
        """Update what is given of an army. With an `etag`, only while the army has it."""
        army = armies.Army(army_id=army_id, etag=etag, name=name or "")
        request = armies.UpdateArmyRequest(request_id=request_id or new_request(), army=army)
        if name is not None:
            request.update_mask.paths.append("name")
        for field, given in (("roster", roster), ("constraints", constraints)):
            if given is not None:
                getattr(request.army, field).CopyFrom(to_struct(dict(given)))
                request.update_mask.paths.append(field)
        return await self._call(self._armies.UpdateArmy, request, owner)

    async def list_armies(
        self, owner: str, *, wanted: str = "", order_by: str = "", most: int | None = None
    ) -> list[armies.Army]:
        """List all armies of an owner that fit a filter, as `game = golem-arcana`, or at most so
        many; by default the latest created first."""
        found: list[armies.Army] = []
        request = armies.ListArmiesRequest(filter=wanted, order_by=order_by, page_size=LARGEST_PAGE)
        while True:
            page = await self._call(self._armies.ListArmies, request, owner)
            found.extend(page.armies)
            request.page_token = page.next_page_token
            if not request.page_token or (most is not None and len(found) >= most):
                return found[:most]

    async def army(self, army_id: str) -> armies.Army:
        """Get a saved army."""
        request = armies.GetArmyRequest(army_id=army_id)
        return (await self._call(self._armies.GetArmy, request)).army

    async def delete_army(
        self, owner: str, army_id: str, request_id: str | None = None, *, etag: str = ""
    ) -> None:
        """Delete an army. With an `etag`, only while the army has it."""
        request = armies.DeleteArmyRequest(
            request_id=request_id or new_request(), army_id=army_id, etag=etag
        )
        await self._call(self._armies.DeleteArmy, request, owner)
