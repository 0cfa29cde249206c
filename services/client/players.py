"""The client's calls of PlayersService."""

from collections.abc import AsyncGenerator, AsyncIterable
from contextlib import aclosing
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from services.client.connection import Connection, bearer, new_request
from services.wire.emeth.v1 import players_pb2 as players


class PlayersCalls(Connection):
    """Calls of PlayersService. A `token` is a player's, or a JSON Web Token in its place; a
    frontend leaves it empty, and shows the key that the client was made with."""

    async def introduce_player(
        self,
        external_id: str,
        name: str = "",
        token: str = "",
        *,
        expires_at: datetime | None = None,
        request_id: str | None = None,
    ) -> players.IntroducePlayerResponse:
        """Introduce a player, or find one who was introduced before; the player's token."""
        request = players.IntroducePlayerRequest(
            request_id=request_id or new_request(),
            external_id=external_id,
            name=name,
            expires_at=_time(expires_at),
        )
        return await self._call(self._players.IntroducePlayer, request, token)

    async def player(self, token: str, player_id: str = "") -> players.Player:
        """A player; without an id the one whose token it is."""
        request = players.GetPlayerRequest(player_id=player_id)
        return (await self._call(self._players.GetPlayer, request, token)).player

    async def rotate_player_token(
        self,
        token: str,
        player_id: str = "",
        *,
        expires_at: datetime | None = None,
        request_id: str | None = None,
    ) -> str:
        """Another token for a player; without an id for the one whose token it is."""
        request = players.RotatePlayerTokenRequest(
            request_id=request_id or new_request(),
            player_id=player_id,
            expires_at=_time(expires_at),
        )
        return (await self._call(self._players.RotatePlayerToken, request, token)).token

    async def erase_player(self, token: str, player_id: str, request_id: str | None = None) -> None:
        """Forget who a player is. Takes the frontend's key, or the admin key as the token."""
        request = players.ErasePlayerRequest(
            request_id=request_id or new_request(), player_id=player_id
        )
        await self._call(self._players.ErasePlayer, request, token)

    async def watch_player(
        self, token: str, player_id: str = "", *, after: int | None = None
    ) -> AsyncGenerator[players.Notice, None]:
        """What happens in a player's matches, each once, over restarts of the service: from now on,
        or what comes after the notice of this number."""

        def start() -> AsyncIterable[players.WatchPlayerResponse]:
            request = players.WatchPlayerRequest(player_id=player_id, after=after)
            return self._players.WatchPlayer(request, metadata=bearer(token, self._frontend_key))

        stream = self._watch(start)
        async with aclosing(stream):
            async for each in stream:
                if each.HasField("notice"):
                    after = each.notice.number
                    yield each.notice
                else:
                    after = each.after


def _time(at: datetime | None) -> Timestamp | None:
    if at is None:
        return None
    message = Timestamp()
    message.FromDatetime(at)
    return message
