"""The options of a new match as a request gives them: with the saved armies that it names."""

from typing import Any, Final

from domain.kernel.game import AnyGame
from services.api.new_matches import NewMatches
from services.api.requests import parse_json_field, parse_uuid, require_armies
from services.runtime.errors import field_invalid
from services.store.army_cache import ArmyCache
from services.wire.emeth.v1 import matches_pb2 as pb

MAX_OPTIONS_BYTES: Final = 65_536
"""Bytes of a match's options, at most."""


class SavedArmyOptions:
    """Puts saved armies into options: the log of a match has to hold all of it."""

    def __init__(self, new_matches: NewMatches, armies: ArmyCache) -> None:
        self._new_matches = new_matches
        self._armies = armies

    async def options(
        self, game: AnyGame, request: pb.CreateMatchRequest, request_id: str
    ) -> dict[str, Any]:
        """The options, not yet decoded. ARMY_NOT_FOUND, NO_ARMIES, or FIELD_INVALID for an army of
        another game."""
        given = parse_json_field("options", request.options, MAX_OPTIONS_BYTES)
        if not request.armies:
            return given
        armies = require_armies(game)
        # An army may have changed since this request came first, but the answer may not.
        made = await self._new_matches.earlier_options(request_id)
        for seat, name in sorted(request.armies.items()):
            field = f"armies[{seat}]"
            identity = parse_uuid(name)
            if made is not None:
                army = armies.army_of(made, seat)
            else:
                saved = (await self._armies.saved(identity)).saved
                if saved.game != game.slug:
                    raise field_invalid(field, f"the army is one of {saved.game}")
                army = saved.content
            given = armies.set_army(given, seat, army)
        return given
