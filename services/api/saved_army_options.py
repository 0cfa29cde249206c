"""Options of a new match, with the saved armies that the request names."""

from typing import Any, Final

from domain.kernel.game import AnyGame
from services.api.new_matches import NewMatches
from services.api.requests import parse_json_field, parse_uuid, require_armies
from services.runtime.errors import field_invalid
from services.store.army_cache import ArmyCache
from services.wire.emeth.v1 import matches_pb2 as pb

MAX_OPTIONS_BYTES: Final = 65_536
"""Maximum size of the options in bytes."""


class SavedArmyOptions:
    """Copies saved armies into options, since the log of a match must contain them."""

    def __init__(self, new_matches: NewMatches, armies: ArmyCache) -> None:
        self._new_matches = new_matches
        self._armies = armies

    async def options(
        self, game: AnyGame, request: pb.CreateMatchRequest, request_id: str
    ) -> dict[str, Any]:
        """Return the options of a request as JSON values, with its armies.

        Raises:
            ApiError: ARMY_NOT_FOUND; NO_ARMIES; or FIELD_INVALID for an army of another game.
        """
        given = parse_json_field("options", request.options, MAX_OPTIONS_BYTES)
        if not request.armies:
            return given
        armies = require_armies(game)
        # A repeated request gets the armies of the first one, even if they were changed since.
        made = await self._new_matches.earlier_options(request_id)
        for seat, name in sorted(request.armies.items()):
            field = f"armies[{seat}]"
            identity = parse_uuid(name)
            if made is not None:
                army = armies.army_of(made, seat)
            else:
                saved = (await self._armies.saved(identity)).saved
                if saved.game != game.slug:
                    raise field_invalid(
                        field, f"the saved army belongs to {saved.game}, another game"
                    )
                army = saved.content
            given = armies.set_army(given, seat, army)
        return given
