"""The seats that bots of the service hold in a match, and what they are asked there.

Nothing is kept of what they think: it follows from the match, the seat, its level and the service's
secret, so whoever asks the same again is answered the same.
"""

from domain.bots.levels import LEVELS
from domain.match import AnyMatch
from domain.match.known_states import known_shape, write_known
from services.bots.thinking import Question, seed_of
from services.tokens import Mint, key_of


def bot_key(mint: Mint, match: AnyMatch, seat: str) -> str:
    """The digest of the token by which a bot of the service takes a seat; nobody is given it."""
    return key_of(mint.token("bot", str(match.id), seat))


def levels_held(mint: Mint, match: AnyMatch) -> dict[str, str]:
    """The seats that bots of this service hold, with their levels. Where seats were drawn, a bot
    may have another than it took."""
    keys = {bot_key(mint, match, seat) for seat in match.seats}
    return {
        seat: holder.bot
        for seat, holder in match.holders.items()
        if holder.bot in LEVELS and holder.key in keys
    }


def question(
    mint: Mint, match: AnyMatch, seat: str, level: str, *, until: float, judging: bool = False
) -> Question:
    """What a seat should do in a match as it stands, or only how it stands."""
    return Question(
        game=match.game,
        shape=known_shape(match.rules),
        state=write_known(match, seat),
        seat=seat,
        level=level,
        seed=seed_of(mint.token("thinking", str(match.id), seat, str(match.version))),
        until=until,
        judging=judging,
    )
