"""The client's calls of ArmiesService."""

from collections.abc import Mapping
from typing import Any, Final

from google.protobuf.struct_pb2 import Struct as StructMessage

from services.client.connection import Connection, new_request
from services.wire.emeth.v1 import armies_pb2 as armies

LONGEST_LIST: Final = 200
LONGEST_CATALOG: Final = 500
"""Entries on a page, at most."""


class ArmiesCalls(Connection):
    """Calls of ArmiesService. Every method raises ServiceError.

    An `owner` is the token that the first `save_army` gives out.
    """

    async def validate_army(
        self, game: str, army: Mapping[str, Any], occasion: Mapping[str, Any] | None = None
    ) -> armies.ArmyCheck:
        """All that is wrong with an army, built for these options of a match."""
        request = armies.ValidateArmyRequest(
            game=game, army=_struct(army), occasion=_struct(occasion)
        )
        return (await self._call(self._armies.ValidateArmy, request)).check

    async def save_army(
        self,
        owner: str,
        game: str,
        name: str,
        army: Mapping[str, Any],
        occasion: Mapping[str, Any] | None = None,
        *,
        army_id: str = "",
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> armies.SaveArmyResponse:
        """Save an army, as a new one or over the one of this id. Without an `owner` the answer has
        the token of a new one."""
        request = armies.SaveArmyRequest(
            request_id=request_id or new_request(),
            army_id=army_id,
            expected_version=expected_version,
            game=game,
            name=name,
            army=_struct(army),
            occasion=_struct(occasion),
            client_secret=self._client_secret,
        )
        return await self._call(self._armies.SaveArmy, request, owner)

    async def list_armies(
        self, owner: str, *, game: str = "", name: str = "", most: int | None = None
    ) -> list[armies.SavedArmy]:
        """All armies of an owner, or at most so many, the latest first."""
        found: list[armies.SavedArmy] = []
        request = armies.ListArmiesRequest(game=game, name=name, page_size=LONGEST_LIST)
        while True:
            page = await self._call(self._armies.ListArmies, request, owner)
            found.extend(page.armies)
            request.page_token = page.next_page_token
            if not request.page_token or (most is not None and len(found) >= most):
                return found[:most]

    async def army(self, army_id: str) -> armies.SavedArmy:
        """A saved army."""
        request = armies.GetArmyRequest(army_id=army_id)
        return (await self._call(self._armies.GetArmy, request)).army

    async def delete_army(self, owner: str, army_id: str, request_id: str | None = None) -> int:
        """Delete an army; the number of the event that recorded it."""
        request = armies.DeleteArmyRequest(request_id=request_id or new_request(), army_id=army_id)
        return (await self._call(self._armies.DeleteArmy, request, owner)).version

    async def catalog(self, request: armies.GetCatalogRequest) -> list[armies.CatalogEntry]:
        """All entries of the catalog that fit."""
        found: list[armies.CatalogEntry] = []
        request.page_size = LONGEST_CATALOG
        while True:
            page = await self._call(self._armies.GetCatalog, request)
            found.extend(page.entries)
            request.page_token = page.next_page_token
            if not request.page_token:
                return found


def _struct(values: Mapping[str, Any] | None) -> StructMessage:
    message = StructMessage()
    message.update(dict(values or {}))
    return message
