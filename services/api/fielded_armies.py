"""The options of a new match as a request gives them: with the saved armies that it names."""

from typing import Any, Final

from domain.kernel.game import AnyGame
from services.api.new_matches import NewMatches
from services.api.requests import armies_of, json_of, uuid_of
from services.runtime.errors import malformed
from services.store.army_cache import LiveArmies
from services.wire.emeth.v1 import matches_pb2 as pb

LARGEST_OPTIONS: Final = 65_536
"""Bytes of a match's options, at most."""


class FieldedArmies:
    """Puts saved armies into options: the log of a match has to hold all of it."""

    def __init__(self, new_matches: NewMatches, armies: LiveArmies) -> None:
        self._new_matches = new_matches
        self._armies = armies

    async def options(
        self, game: AnyGame, request: pb.CreateMatchRequest, request_id: str
    ) -> dict[str, Any]:
        """The options, not yet decoded. ARMY_NOT_FOUND, NO_ARMIES, or FIELD_INVALID for an army of
        another game."""
        given = json_of("options", request.options, LARGEST_OPTIONS)
        if not request.armies:
            return given
        armies = armies_of(game)
        # An army may have changed since this request came first, but the answer may not.
        made = await self._new_matches.options_made(request_id)
        for seat, name in sorted(request.armies.items()):
            field = f"armies[{seat}]"
            identity = uuid_of(name)
            if made is not None:
                army = armies.fielded(made, seat)
            else:
                saved = (await self._armies.saved(identity)).saved
                if saved.game != game.slug:
                    raise malformed(field, f"the army is one of {saved.game}")
                army = saved.content
            given = armies.muster(given, seat, army)
        return given
