"""Parsing of request fields: IDs, texts, JSON values, page tokens. Errors name the field."""

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
"""Control characters, line separators, and marks of text direction."""
MAX_ARMY_BYTES: Final = 16_384
"""Maximum size of an army or of its constraints in bytes."""


@lru_cache(maxsize=4096)
def parse_uuid(text: str) -> UUID:
    """Parse the UUID in a field that is known to hold one. Results are cached."""
    return UUID(text)


def parse_id_field(field: str, text: str) -> UUID:
    """Parse the UUID in a field that may hold other texts. Raise FIELD_INVALID for these."""
    try:
        return parse_uuid(text)
    except ValueError:
        raise field_invalid(
            field, "it must be a UUID such as 123e4567-e89b-42d3-a456-426614174000"
        ) from None


def parse_name(field: str, text: str, limit: int, least: int = 0) -> str:
    """Return a display name without invisible characters.

    No two names differ only in characters that cannot be seen.

    Raises:
        ApiError: FIELD_INVALID for control characters, or if the result is too long or too short.
    """
    name = visible_name(text)
    if not is_text(name):
        raise field_invalid(field, "it must not have control or private-use characters")
    if not least <= len(name) <= limit:
        raise field_invalid(field, f"it must have {least} to {limit} characters, not {len(name)}")
    return name


def parse_json_field(field: str, message: ProtoStruct, limit: int) -> dict[str, Any]:
    """Return the values of a JSON-like message.

    Raises:
        ApiError: FIELD_INVALID if it has more than `limit` bytes, or a value without a kind.
    """
    if message.ByteSize() > limit:
        raise field_invalid(field, f"it must have at most {limit} bytes")
    try:
        return from_struct(field, message)
    except ValueMissing as error:
        why = "it must be null, a number, a text, true, false, a list or an object"
        raise field_invalid(error.place, why) from None


def decode_field(field: str, given: ProtoStruct, read: Callable[[dict[str, Any]], T]) -> T:
    """Decode the values of a JSON-like message.

    Raise FIELD_INVALID with the path of a wrong one.
    """
    values = parse_json_field(field, given, MAX_ARMY_BYTES)
    try:
        return read(values)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        raise field_invalid(field + path.rstrip("`"), why) from None


def find_game(slug: str) -> AnyGame:
    """Return a game of the registry. Raise GAME_NOT_FOUND for an unknown name."""
    game = GAMES.get(slug)
    if game is None:
        raise ApiError(
            Reason.GAME_NOT_FOUND,
            f"there is no game {slug[:40]!r}; the games are {', '.join(GAMES)}",
            game=slug[:40],
        )
    return game


def parse_options(game: AnyGame, given: dict[str, Any], library: Library) -> Any:
    """Parse the game options of a request. Raise OPTIONS_INVALID with the path of a wrong one."""
    try:
        return read_options(game, given, library)
    except msgspec.ValidationError as error:
        why, _, path = str(error).partition(" - at `$")
        field = "options" + path.rstrip("`")
        raise ApiError(
            Reason.OPTIONS_INVALID, f"{field}: {why}", violations={field: why}, game=game.slug
        ) from None


def require_armies(game: AnyGame) -> AnyArmies:
    """Return the army rules of a game. Raise NO_ARMIES for a game without armies."""
    if game.armies is None:
        raise no_armies_error(game)
    return game.armies


def no_armies_error(game: AnyGame) -> ApiError:
    """Return NO_ARMIES for a game without armies."""
    return ApiError(Reason.NO_ARMIES, f"{game.name} has no armies", game=game.slug)


def raise_if_denied(outcome: T | Rejection) -> T:
    """Return the outcome of a command. Raise the API error if it was denied."""
    if isinstance(outcome, Rejection):
        raise denial_error(outcome)
    return outcome


def denial_error(outcome: Rejection) -> ApiError:
    """Return the API error for a command that a match or table denied."""
    return ApiError(Reason[outcome.reason], outcome.why)


def issue_context(token_issuer: TokenIssuer, match: UUID, request_id: str) -> CommandContext:
    """Return the context of a command that is given now."""
    return token_issuer.command_context(match, request_id)


def check_same(request_id: str, version: int, first: Any, now: Any) -> None:
    """Raise REQUEST_ID_REUSED unless a repeated request asks for the same as the first one.

    The error has salted digests of both, so that another caller cannot find out by trying what the
    first one asked for.
    """
    # Compared as bytes, since the log has lists where a request has tuples.
    was, wanted = canonical_bytes(first), canonical_bytes(now)
    if was != wanted:
        raise ApiError(
            Reason.REQUEST_ID_REUSED,
            f"request {request_id} made event {version}, with other content: "
            "use a new ID for each new request",
            version=version,
            first=digest(_SALT + was),
            now=digest(_SALT + wanted),
        )


def check_version(match: AnyMatch, expected: int) -> None:
    """Raise VERSION_STALE if the match is not at the version that the caller expects."""
    if match.version != expected:
        raise ApiError(
            Reason.VERSION_STALE,
            f"the match is at version {match.version}, not {expected}: get the match again",
            version=match.version,
            expected=expected,
        )


async def check_expected(
    store: MatchCache, live: CachedMatch, match: AnyMatch, expected: int, seat: str
) -> None:
    """Raise VERSION_STALE if the seat's legal actions changed since the expected version."""
    if 1 <= expected < match.version and is_expectation_current(
        await store.at(live, expected), match, seat
    ):
        return
    check_version(match, expected)


def page_size(wanted: int, usual: int, limit: int) -> int:
    """Return the number of rows to return: `usual` if none is wanted, and at most `limit`."""
    return min(wanted or usual, limit)


PAGE_START_BYTES: Final = 32
"""Size to which positions in page tokens are padded, so that the length reveals nothing."""


class PageTokens:
    """Creates page tokens that are only valid for one query.

    The positions in them are encrypted, since positions in the log reveal the number of events.
    """

    def __init__(self, token_issuer: TokenIssuer) -> None:
        self._cipher = AESSIV(token_issuer.key("page tokens"))

    def start(self, token: str, *query: object) -> int:
        """Return the position where the page of this token starts; 0 without a token."""
        return int(self.read(token, *query)) if token else 0

    def next(self, place: int | None, *query: object) -> str:
        """Return the token for the page that starts at `place`; empty if there is none."""
        return self.write(str(place), *query) if place else ""

    def write(self, place: str, *query: object) -> str:
        """Return a token for the page that starts at `place` of this query."""
        sealed = self._cipher.encrypt(place.encode().ljust(PAGE_START_BYTES), [_query_bytes(query)])
        return urlsafe_b64encode(sealed).decode().rstrip("=")

    def read(self, token: str, *query: object) -> str:
        """Return the position in a token of this query.

        Raise PAGE_TOKEN_INVALID for other texts.
        """
        try:
            sealed = urlsafe_b64decode(token.encode() + b"=" * (-len(token) % 4))
            return self._cipher.decrypt(sealed, [_query_bytes(query)]).decode().rstrip()
        except (ValueError, InvalidTag):
            raise ApiError(Reason.PAGE_TOKEN_INVALID) from None


def _query_bytes(query: tuple[object, ...]) -> bytes:
    return canonical_bytes([*map(str, query)])
