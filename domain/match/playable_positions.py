"""A check whether a given position can be stored, read again, shown and played on."""

from typing import Any

import msgspec

from domain.kernel.game import AnyGame
from domain.kernel.packs import library_of
from domain.log.digests import canonical_bytes
from domain.match.seats import roles


def is_playable(game: AnyGame, options: Any, position: Any) -> bool:
    """Return whether a position can be written, read, stored, shown to every role and played on.

    It may raise any exception for a position that cannot. A game handles only its own
    positions.
    """
    # The text must hold the whole position, since forks and exports start from the text.
    if game.read_position(game.write_position(position), options) != position:
        return False
    found = library_of(options).decode_hook(game.packs)
    if msgspec.json.decode(canonical_bytes(position), type=game.state, dec_hook=found) != position:
        return False
    over = game.result(position) is not None
    prompts = () if over else game.turn(position)
    for viewer in roles(game, options):
        for seen in (position, game.information_state(position, viewer)):
            game.scene(seen, viewer)
            game.caption(seen, viewer)
            game.write_view(seen, viewer)
            if game.status is not None:
                game.status(seen, viewer, options)
            for prompt in prompts:
                next(iter(game.legal(seen, prompt.seat)), None)
    return over or bool(prompts)
