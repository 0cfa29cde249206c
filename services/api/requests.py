"""Parsing requests at the edge, once: ids, texts, roles, pages. Each error names its field."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from secrets import token_bytes
from typing import Any, Final, TypeVar
from uuid import UUID

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from google.protobuf.struct_pb2 import Struct as ProtoStruct

from domain.kernel.any_game import read_options
from domain.kernel.armies import AnyArmies
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.log.digests import canonical_bytes, digest
from domain.log.ledger import Rejection
from domain.log.origin import CommandContext
from domain.match import AnyMatch, is_expectation_current
from domain.registry import GAMES
from services.accounts.tokens import TokenIssuer
from services.runtime.display_names import is_text, visible_name
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.json_values import ValueMissing, from_struct
from services.store.match_cache import CachedMatch, MatchCache

T = TypeVar("T")

_SALT: Final = token_bytes(16)
CONTROL_CHARACTERS: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Controls, separators of lines, and what changes the direction of the text that follows."""
MAX_ARMY_BYTES: Final = 16_384
"""Bytes of an army, or of what it is for, at most."""


@lru_cache(maxsize=4096)
def parse_uuid(text: str) -> UUID:
    """Return the UUID in a field whose bounds say that it is one: matches are named again and
    again."""
    return UUID(text)


def parse_id_field(field: str, text: str) -> UUID:
    """Return the UUID in a field whose bounds allow other texts too, as an empty one. Raises
    FIELD_INVALID for these."""
    try:
        return parse_uuid(text)
    except ValueError:
        raise field_invalid(
            field, "it is a UUID, as 123e4567-e89b-42d3-a456-426614174000"
        ) from None


def parse_name(field: str, text: str, most: int, least: int = 0) -> str:
    """Return a name for people: of a player, a match, a frontend, an army, a table, a stylus.

    Characters that show nothing are taken out, so that no two names differ by them alone.
    Raises FIELD_INVALID for controls, and if what is left is too long or too short.
    """
    name = visible_name(text)
    if not is_text(name):
        raise field_invalid(field, "it has no control or private characters")
    if not least <= len(name) <= most:
        raise field_invalid(field, f"it has {least} to {most} characters, not {len(name)}")
    return name


def parse_json_field(field: str, message: ProtoStruct, most: int) -> dict[str, Any]:
    """The values of a JSON-like message of at most so many bytes. FIELD_INVALID for a larger one,
    and for a value in it that says nothing."""
    if message.ByteSize() > most:
        raise field_invalid(field, f"it has at most {most} bytes")
    try:
        return from_struct(field, message)
    except ValueMissing as error:
        why = "it is null, a number, a text, true or false, a list or fields"
        raise field_invalid(error.place, why) from None


def decode_field(field: str, given: ProtoStruct, read: Callable[[dict[str, Any]], T]) -> T:
    """What is read of the values of a JSON-like message. FIELD_INVALID says which one is wrong."""
    values = parse_json_field(field, given, MAX_ARMY_BYTES)
    try:
        return read(values)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        raise field_invalid(field + path.rstrip("`"), why) from None


def find_game(slug: str) -> AnyGame:
    """A game of the registry; GAME_NOT_FOUND if there is none of that name."""
    game = GAMES.get(slug)
    if game is None:
        raise ApiError(
            Reason.GAME_NOT_FOUND,
            f"there is no game {slug[:40]!r}; there are {', '.join(GAMES)}",
            game=slug[:40],
        )
    return game


def parse_options(game: AnyGame, given: dict[str, Any], library: Library) -> Any:
    """The game's options from a request. OPTIONS_INVALID says which one is wrong."""
    try:
        return read_options(game, given, library)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        field = "options" + path.rstrip("`")
        raise ApiError(
            Reason.OPTIONS_INVALID, f"{field}: {why}", violations={field: why}, game=game.slug
        ) from None


def require_armies(game: AnyGame) -> AnyArmies:
    """How armies of a game are built. NO_ARMIES for a game that has none."""
    if game.armies is None:
        raise no_armies_error(game)
    return game.armies


def no_armies_error(game: AnyGame) -> ApiError:
    """NO_ARMIES: the game knows no such thing."""
    return ApiError(Reason.NO_ARMIES, f"{game.name} has no armies", game=game.slug)


def raise_if_denied(outcome: T | Rejection) -> T:
    """What came of a command. The error with the reason if the match or table cannot take it."""
    if isinstance(outcome, Rejection):
        raise denial_error(outcome)
    return outcome


def denial_error(outcome: Rejection) -> ApiError:
    """The error for a command that the match or table itself cannot take."""
    return ApiError(Reason[outcome.reason], outcome.why)


def issue_context(token_issuer: TokenIssuer, match: UUID, request_id: str) -> CommandContext:
    """What is recorded with a command that is given now."""
    return token_issuer.command_context(match, request_id)


def check_same(request_id: str, version: int, first: Any, now: Any) -> None:
    """REQUEST_ID_REUSED unless a request that comes again asks for what it asked for at first, when
    it made event `version`. The error has salted digests of both: whoever asks may be another
    caller, who is not to find out by trying what the first asked for."""
    # By their bytes: what comes from the log has lists where a request has tuples.
    was, wanted = canonical_bytes(first), canonical_bytes(now)
    if was != wanted:
        raise ApiError(
            Reason.REQUEST_ID_REUSED,
            f"request {request_id} made event {version}, and asked for something else: "
            "give each new request an id of its own",
            version=version,
            first=digest(_SALT + was),
            now=digest(_SALT + wanted),
        )


def check_version(match: AnyMatch, expected: int) -> None:
    """VERSION_STALE if the match is not at the version that the caller has in mind."""
    if match.version != expected:
        raise ApiError(
            Reason.VERSION_STALE,
            f"the match is at version {match.version}, not {expected}",
            version=match.version,
            expected=expected,
        )


async def check_expected(
    store: MatchCache, live: CachedMatch, match: AnyMatch, expected: int, seat: str
) -> None:
    """VERSION_STALE if the match, which is as it is live, has moved on since the version that the
    caller has in mind, and with it what the seat may do."""
    if 1 <= expected < match.version and is_expectation_current(
        await store.at(live, expected), match, seat
    ):
        return
    check_version(match, expected)


def page_size(wanted: int, usual: int, most: int) -> int:
    """Return how many rows to give: more than the most is the most, none is the usual number."""
    return min(wanted or usual, most)


PAGE_START_BYTES: Final = 32
"""Bytes of a place in a page token, so that its length tells nothing of it."""


class PageTokens:
    """Makes page tokens, which only the call that they were made for can use.

    A place is encrypted: most are places in the log, which tell how many events there are.
    """

    def __init__(self, token_issuer: TokenIssuer) -> None:
        self._cipher = AESSIV(token_issuer.key("page tokens"))

    def begin(self, token: str, *query: object) -> int:
        """Where the page of this token begins; 0, the first, without one."""
        return int(self.read(token, *query)) if token else 0

    def next(self, place: int | None, *query: object) -> str:
        """The token for the page that begins there; empty if there is none."""
        return self.write(str(place), *query) if place else ""

    def write(self, place: str, *query: object) -> str:
        """A token for the page that begins at `place` of this query."""
        sealed = self._cipher.encrypt(place.encode().ljust(PAGE_START_BYTES), [_query_bytes(query)])
        return urlsafe_b64encode(sealed).decode().rstrip("=")

    def read(self, token: str, *query: object) -> str:
        """The place in a token of this query. PAGE_TOKEN_INVALID for any other text."""
        try:
            sealed = urlsafe_b64decode(token.encode() + b"=" * (-len(token) % 4))
            return self._cipher.decrypt(sealed, [_query_bytes(query)]).decode().rstrip()
        except (ValueError, InvalidTag):
            raise ApiError(Reason.PAGE_TOKEN_INVALID) from None


def _query_bytes(query: tuple[object, ...]) -> bytes:
    return canonical_bytes([*map(str, query)])
