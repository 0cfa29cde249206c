"""The rules by which a table refuses taps, in any game.

Their ids are `stylus.*`. A game whose reference has its own ids for them lists these in
`Game.stylus_rule_ids`; on a table with that game the service cites those.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from domain.kernel.game import AnyGame
from domain.kernel.rulings import Refused, Rule


def _rule(name: str, meaning: str) -> Rule:
    return Rule(f"stylus.{name}", meaning, "docs/gateway.md")


_ALL: Final = (
    _rule("pin", "a stylus is paired by its PIN, which is 0000 from the factory"),
    _rule("locked", "too many wrong PINs lock a stylus for a while, for the gateway that tries "
          "them, and then that gateway, as do too many new styluses at once"),
    _rule("name", "a name has 1 to 24 printable characters and is not used by another stylus at "
          "the table; a PIN has four digits and is not 0000"),
    _rule("busy", "a stylus that another gateway hears cannot be paired again"),
    _rule("unpaired", "taps of a stylus that is not paired with this gateway do nothing"),
    _rule("no-match", "taps do nothing before a match is placed on the table"),
    _rule("seat", "a stylus acts for the seats whose tokens it was given"),
    _rule("stale", "a tap must belong to the prompt that its user looked at"),
    _rule("gap", "messages that are missing are sent again before any later one"),
    _rule("nothing", "a tap must mean something that can be done now"),
    _rule("unready", "Confirm needs an armed action"),
    _rule("table", "a match that is played with styluses of other gateways stays on the table"),
    _rule("match", "a request about the match must be possible there"),
)  # fmt: skip

RULES: Final[Mapping[str, Rule]] = {rule.id: rule for rule in _ALL}


def nothing_refusal(what: str) -> Refused:
    """Return the refusal of a tap that has no meaning now."""
    return Refused("stylus.nothing", f"{what} means nothing here")


def cite_game_rule(game: AnyGame, refused: Refused) -> Refused:
    """Return the refusal with the game's own rule id, if it has one."""
    own = game.stylus_rule_ids.get(refused.rule)
    return refused if own is None else replace(refused, rule=own)
