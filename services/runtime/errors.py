"""Errors that callers see. Each transport encodes them in its own protocol.

A move that the rules forbid is no error but a response (`Refusal` in the API). `docs/errors.md`
lists the reasons; a test compares that page with this module.
"""

from datetime import datetime
from enum import Enum
from typing import Final
from uuid import UUID

DOMAIN: Final = "emeth.dev"
"""The domain of every `google.rpc.ErrorInfo`."""


class Code(Enum):
    """Canonical status codes, under the names that gRPC and Connect share."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    ABORTED = "ABORTED"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    UNAVAILABLE = "UNAVAILABLE"
    DATA_LOSS = "DATA_LOSS"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    UNIMPLEMENTED = "UNIMPLEMENTED"
    INTERNAL = "INTERNAL"


class Reason(Enum):
    """Machine-readable reasons for failed calls. The code of a reason never changes."""

    GAME_NOT_FOUND = Code.NOT_FOUND, "no game has this name: ListGames lists the games"
    MATCH_NOT_FOUND = Code.NOT_FOUND, "no match has this ID, or the token may not see it"
    TICKET_INVALID = (
        Code.UNAUTHENTICATED,
        "the stream ticket has expired or was used: get a new one",
    )
    SUBSCRIPTION_NOT_FOUND = (
        Code.NOT_FOUND,
        "this process has no such subscription: open the stream again",
    )
    ARMY_NOT_FOUND = Code.NOT_FOUND, "no saved army has this ID"
    BOTS_DISABLED = (
        Code.FAILED_PRECONDITION,
        "this service runs no bots: see the setting EMETH_BOTS",
    )
    HELP_FORBIDDEN = (
        Code.FAILED_PRECONDITION,
        "the match does not allow help while it is in progress",
    )
    BOTS_BUSY = Code.RESOURCE_EXHAUSTED, "all bots of the service are playing: try again later"
    OPTIONS_INVALID = Code.INVALID_ARGUMENT, "an option of the game is unknown or out of range"
    FIELD_INVALID = Code.INVALID_ARGUMENT, "a field of the request is invalid"
    MESSAGE_MALFORMED = (
        Code.INVALID_ARGUMENT,
        "the request body cannot be decoded as a message of this method",
    )
    MESSAGE_TOO_LARGE = Code.INVALID_ARGUMENT, "the request is larger than the method accepts"
    METHOD_NOT_FOUND = Code.UNIMPLEMENTED, "this port has no such method"
    HTTP_METHOD_NOT_ALLOWED = (
        Code.INVALID_ARGUMENT,
        "the path takes another HTTP method, such as POST",
    )
    CONTENT_TYPE_UNSUPPORTED = (
        Code.INVALID_ARGUMENT,
        "the content type of the request is not supported",
    )
    COMPRESSION_UNSUPPORTED = (
        Code.UNIMPLEMENTED,
        "the compression of the request is not supported",
    )
    HEADER_INVALID = Code.INVALID_ARGUMENT, "a header of the request is malformed"
    HOST_NOT_ALLOWED = (
        Code.INVALID_ARGUMENT,
        "the service does not accept requests for this Host header",
    )
    PAGE_TOKEN_INVALID = (
        Code.INVALID_ARGUMENT,
        "the page token is not from an earlier response to the same query",
    )
    VERSION_OUT_OF_RANGE = Code.OUT_OF_RANGE, "the match has no such version"
    VERSION_STALE = (
        Code.ABORTED,
        "the match or resource has changed since it was read: read it again",
    )
    REQUEST_ID_REUSED = (
        Code.ALREADY_EXISTS,
        "the request ID was used for another request: use a new ID",
    )
    RESPONSE_WITHHELD = (
        Code.PERMISSION_DENIED,
        "the request was made before, and its response with secrets is sent only once",
    )
    TOKEN_MISSING = Code.UNAUTHENTICATED, "the method needs a token"
    TOKEN_WRONG_MATCH = (
        Code.PERMISSION_DENIED,
        "the token belongs to another match, or is no longer valid",
    )
    NOT_OWNER = Code.PERMISSION_DENIED, "the method needs the owner's token"
    ROLE_NOT_ALLOWED = Code.PERMISSION_DENIED, "the role of the token may not call this method"
    ADMIN_KEY_INVALID = Code.PERMISSION_DENIED, "the method needs the service's admin key"
    GATEWAY_KEY_INVALID = Code.PERMISSION_DENIED, "the method needs the gateway's key"
    FRONTEND_KEY_MISSING = (
        Code.UNAUTHENTICATED,
        "the method needs a frontend's key in the header `emeth-frontend`",
    )
    FRONTEND_KEY_INVALID = (
        Code.PERMISSION_DENIED,
        "no frontend has this key, or the key was replaced",
    )
    FRONTEND_RIGHT_MISSING = (
        Code.PERMISSION_DENIED,
        "the frontend does not have the right to call this method",
    )
    FRONTEND_NOT_FOUND = Code.NOT_FOUND, "no frontend has this ID"
    FRONTEND_DELETED = Code.FAILED_PRECONDITION, "the frontend was deleted"
    WEBHOOK_NOT_FOUND = Code.NOT_FOUND, "the frontend has no webhook with this ID"
    ISSUER_TAKEN = Code.ALREADY_EXISTS, "another frontend has this token issuer"
    URL_NOT_ALLOWED = Code.INVALID_ARGUMENT, "the service may not call this URL"
    QUOTA_EXCEEDED = (
        Code.RESOURCE_EXHAUSTED,
        "a quota of the frontend, or the limit of hints of a seat, is used up",
    )
    PLAYER_NOT_FOUND = Code.NOT_FOUND, "no player has this ID"
    PLAYER_ACCESS_DENIED = Code.PERMISSION_DENIED, "the caller may not read or change this player"
    PLAYERS_ONLY = (
        Code.PERMISSION_DENIED,
        "only players of frontends may take seats in this match",
    )
    PLAYER_NAME_TAKEN = Code.ALREADY_EXISTS, "another player of the frontend has this name"
    PLAYER_TOKEN_INVALID = (
        Code.UNAUTHENTICATED,
        "the player's token is invalid or was replaced: get a new one from the frontend",
    )
    PLAYER_TOKEN_EXPIRED = (
        Code.UNAUTHENTICATED,
        "the player's token has expired: get a new one from the frontend",
    )
    JWT_INVALID = Code.UNAUTHENTICATED, "the JSON Web Token is invalid or not from a known issuer"
    JWT_KEYS_UNAVAILABLE = (
        Code.UNAVAILABLE,
        "the issuer's keys cannot be fetched now: try again later",
    )
    CODE_INVALID = Code.PERMISSION_DENIED, "the code is wrong, expired or already used"
    DEVICE_OFFLINE = Code.FAILED_PRECONDITION, "the gateway is not connected to this service"
    DEVICE_NOT_RESPONDING = Code.UNAVAILABLE, "the gateway did not respond in time"
    TABLE_NOT_FOUND = Code.NOT_FOUND, "no table has this ID, or the caller may not see it"
    TABLE_CLOSED = Code.FAILED_PRECONDITION, "the table was closed"
    GATEWAY_NOT_FOUND = Code.NOT_FOUND, "the table has no gateway with this ID"
    GATEWAY_NOT_LISTENING = (
        Code.FAILED_PRECONDITION,
        "the gateway has no open Listen call with this epoch: call Listen first",
    )
    TABLE_FULL = (
        Code.FAILED_PRECONDITION,
        "the table has reached its limit of gateways, styluses or codes",
    )
    SEAT_INVALID = Code.INVALID_ARGUMENT, "the match has no such seat"
    MATCH_FULL = Code.FAILED_PRECONDITION, "all seats of the match are taken"
    SEAT_TAKEN = Code.FAILED_PRECONDITION, "another player holds the seat"
    SEAT_OPEN = Code.FAILED_PRECONDITION, "no player holds the seat"
    SEAT_ELIMINATED = Code.FAILED_PRECONDITION, "the seat has resigned and is out of the game"
    MATCH_OVER = Code.FAILED_PRECONDITION, "the match is over"
    MATCH_NOT_OVER = (
        Code.FAILED_PRECONDITION,
        "the match is still in progress: call again when it is over",
    )
    MATCH_STARTED = Code.FAILED_PRECONDITION, "the match has already started"
    MATCH_CANCELLED = Code.FAILED_PRECONDITION, "the match was cancelled"
    MATCH_NOT_STARTED = Code.FAILED_PRECONDITION, "the match starts when all its seats are taken"
    REFEREE_CONFLICT = (
        Code.FAILED_PRECONDITION,
        "a player may not referee a game with hidden information",
    )
    NO_REFEREE = Code.FAILED_PRECONDITION, "the match has no referee"
    CONSENT_REQUIRED = (
        Code.FAILED_PRECONDITION,
        "the undo would draw chance again, so the other players must agree first",
    )
    MATCH_PAUSED = (
        Code.FAILED_PRECONDITION,
        "the match is paused until the referee resolves a dispute",
    )
    UNDO_FORBIDDEN = Code.FAILED_PRECONDITION, "the undo policy of the match allows no takebacks"
    NOTHING_TO_UNDO = Code.FAILED_PRECONDITION, "there is no action to undo"
    NOTHING_TO_REDO = (
        Code.FAILED_PRECONDITION,
        "there is no undone action to redo",
    )
    NOT_IN_MAINLINE = (
        Code.FAILED_PRECONDITION,
        "the version is on an undone branch, not on the mainline",
    )
    ALREADY_IN_MAINLINE = (
        Code.FAILED_PRECONDITION,
        "the version is on the mainline: it was not undone",
    )
    NOT_PLAYABLE = (
        Code.FAILED_PRECONDITION,
        "the match had ended at that version, so it cannot continue from there",
    )
    PROPOSAL_PENDING = (
        Code.FAILED_PRECONDITION,
        "another proposal is pending: it must be answered first",
    )
    NO_PROPOSAL = Code.FAILED_PRECONDITION, "no such proposal is pending"
    SEAT_NOT_AWAITED = Code.FAILED_PRECONDITION, "it is not the seat's turn"
    NO_CONDITIONAL_MOVES = Code.FAILED_PRECONDITION, "the seat has no conditional moves set"
    NO_DRAWS = Code.FAILED_PRECONDITION, "the game cannot end in a draw by agreement"
    TRANSCRIPT_INVALID = Code.INVALID_ARGUMENT, "a line of the transcript is invalid"
    RULE_NOT_FOUND = Code.NOT_FOUND, "the game has no rule with this ID"
    DISPUTE_NOT_OPEN = Code.FAILED_PRECONDITION, "the match has no open dispute with this number"
    DISPUTE_ALREADY_OPEN = (
        Code.FAILED_PRECONDITION,
        "the seat already has an open dispute of this event",
    )
    TOO_MANY_DISPUTES = Code.FAILED_PRECONDITION, "the seat has reached its limit of open disputes"
    FACTS_IMPOSSIBLE = (
        Code.FAILED_PRECONDITION,
        "the facts do not lead to a position that the game allows",
    )
    MATCH_FILE_INVALID = Code.INVALID_ARGUMENT, "the match file does not verify"
    FILE_TOO_LARGE = Code.INVALID_ARGUMENT, "the file is larger than the service accepts"
    MATCH_CONFLICT = Code.ALREADY_EXISTS, "the log already has this match with different events"
    TREE_SIZE_OUT_OF_RANGE = (
        Code.OUT_OF_RANGE,
        "the log has fewer events than the requested tree size",
    )
    CHECKPOINT_PENDING = (
        Code.UNAVAILABLE,
        "the event is not yet covered by a checkpoint: try again in a moment",
    )
    SEED_MISSING = (
        Code.FAILED_PRECONDITION,
        "the service does not have the secret seed of the match's draws",
    )
    NO_ARMIES = Code.FAILED_PRECONDITION, "the game has no armies"
    NO_SCORE_NOTATION = Code.FAILED_PRECONDITION, "the game has no score notation"
    REBUILD_RUNNING = Code.ABORTED, "a rebuild of the read models is already running"
    MATCH_BUSY = (
        Code.RESOURCE_EXHAUSTED,
        "too many calls are waiting for this match: try again later",
    )
    LIMIT_EXCEEDED = Code.RESOURCE_EXHAUSTED, "the caller has reached a limit: try again later"
    LOG_OVERLOADED = (
        Code.RESOURCE_EXHAUSTED,
        "too many events are waiting to be written: try again later",
    )
    LOG_UNAVAILABLE = Code.UNAVAILABLE, "the log cannot be written now: try again later"
    RECORD_DAMAGED = (
        Code.DATA_LOSS,
        "the stored events do not match their digests: the operator must restore a backup",
    )
    REPLICA_LAG = (
        Code.UNAVAILABLE,
        "this replica has not received the requested version in time: try again",
    )
    DEADLINE_EXCEEDED = Code.DEADLINE_EXCEEDED, "the call did not finish within its deadline"
    READ_MODELS_DISABLED = (
        Code.FAILED_PRECONDITION,
        "this service keeps no read models: call one that does",
    )
    SHUTTING_DOWN = (
        Code.UNAVAILABLE,
        "the service is shutting down: call again when it has restarted",
    )
    INTERNAL = Code.INTERNAL, "the service failed unexpectedly; its log has the details"

    def __init__(self, code: Code, meaning: str) -> None:
        self.code = code
        self.meaning = meaning


class ApiError(Exception):
    """An error response to a call.

    Attributes:
        message: Description for people.
        figures: The variables of the message, by name.
        violations: The malformed fields of a request, each with what is wrong with it.
        retry_seconds: Time after which the same call may succeed; 0 if unknown.
    """

    def __init__(
        self,
        reason: Reason,
        message: str = "",
        *,
        violations: dict[str, str] | None = None,
        retry_seconds: float = 0.0,
        **figures: object,
    ) -> None:
        self.reason = reason
        self.message = message or reason.meaning
        self.violations = violations or {}
        self.retry_seconds = retry_seconds
        self.figures = {name: str(value) for name, value in figures.items()}
        super().__init__(self.message)


def field_invalid(field: str, why: str) -> ApiError:
    """Return the error for a malformed field of a request (FIELD_INVALID)."""
    return ApiError(Reason.FIELD_INVALID, f"{field}: {why}", violations={field: why})


def version_out_of_range(match: UUID, present: int, wanted: int) -> ApiError:
    """Return the error for a version that the match has not (VERSION_OUT_OF_RANGE)."""
    return ApiError(
        Reason.VERSION_OUT_OF_RANGE,
        f"the match has versions 1 to {present}, not {wanted}",
        match=match,
        version=present,
    )


def time_out_of_range(match: UUID, time: datetime) -> ApiError:
    """Return the error for a time before the match started (VERSION_OUT_OF_RANGE)."""
    return ApiError(
        Reason.VERSION_OUT_OF_RANGE,
        f"the match had not started at {time.isoformat(timespec='milliseconds')}",
        match=match,
        time=time.isoformat(),
    )
