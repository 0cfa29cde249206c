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

    GAME_NOT_FOUND = Code.NOT_FOUND, "there is no such game"
    MATCH_NOT_FOUND = Code.NOT_FOUND, "there is no such match"
    TICKET_INVALID = Code.UNAUTHENTICATED, "the ticket has expired, or opened a stream before"
    SUBSCRIPTION_NOT_FOUND = Code.NOT_FOUND, "this process has no such subscription"
    ARMY_NOT_FOUND = Code.NOT_FOUND, "there is no such saved army"
    BOTS_DISABLED = Code.FAILED_PRECONDITION, "this service has no bots"
    HELP_FORBIDDEN = (
        Code.FAILED_PRECONDITION,
        "nobody is helped in a match while it goes on",
    )
    BOTS_BUSY = Code.RESOURCE_EXHAUSTED, "bots hold as many seats as they may"
    OPTIONS_INVALID = Code.INVALID_ARGUMENT, "an option is unknown or out of its bounds"
    FIELD_INVALID = Code.INVALID_ARGUMENT, "a field of the request is malformed"
    MESSAGE_MALFORMED = Code.INVALID_ARGUMENT, "the bytes are not a message of this call"
    MESSAGE_TOO_LARGE = Code.INVALID_ARGUMENT, "the request is larger than the call takes"
    METHOD_NOT_FOUND = Code.UNIMPLEMENTED, "there is no such call on this port"
    HTTP_METHOD_NOT_ALLOWED = Code.INVALID_ARGUMENT, "the call is made by another method of HTTP"
    CONTENT_TYPE_UNSUPPORTED = Code.INVALID_ARGUMENT, "the request is in a form that is not taken"
    COMPRESSION_UNSUPPORTED = (
        Code.UNIMPLEMENTED,
        "the request is compressed in a way that is not known",
    )
    HEADER_INVALID = Code.INVALID_ARGUMENT, "a header of the request is malformed"
    HOST_NOT_ALLOWED = Code.INVALID_ARGUMENT, "the service does not answer for that host"
    PAGE_TOKEN_INVALID = Code.INVALID_ARGUMENT, "a page token was not made for this call"
    VERSION_OUT_OF_RANGE = Code.OUT_OF_RANGE, "the match has not reached that version"
    VERSION_STALE = Code.ABORTED, "the match or the resource has changed since"
    REQUEST_ID_REUSED = Code.ALREADY_EXISTS, "the request id was used for something else"
    RESPONSE_WITHHELD = (
        Code.PERMISSION_DENIED,
        "the request was made before, perhaps by another caller, and its response holds secrets",
    )
    TOKEN_MISSING = Code.UNAUTHENTICATED, "the call needs a token"
    TOKEN_WRONG_MATCH = Code.PERMISSION_DENIED, "the token is not one of this match's"
    NOT_OWNER = Code.PERMISSION_DENIED, "the token is not that of the owner"
    ROLE_NOT_ALLOWED = Code.PERMISSION_DENIED, "the token's role may not do this"
    ADMIN_KEY_INVALID = Code.PERMISSION_DENIED, "the call needs the service's admin key"
    GATEWAY_KEY_INVALID = Code.PERMISSION_DENIED, "the call needs a gateway's own key"
    FRONTEND_KEY_MISSING = (
        Code.UNAUTHENTICATED,
        "the call needs a frontend's key, in `emeth-frontend`",
    )
    FRONTEND_KEY_INVALID = Code.PERMISSION_DENIED, "the key is no frontend's, or not any more"
    FRONTEND_RIGHT_MISSING = Code.PERMISSION_DENIED, "the frontend may not do this"
    FRONTEND_NOT_FOUND = Code.NOT_FOUND, "there is no such frontend"
    FRONTEND_DELETED = Code.FAILED_PRECONDITION, "the frontend was deleted"
    WEBHOOK_NOT_FOUND = Code.NOT_FOUND, "the frontend has no such webhook"
    ISSUER_TAKEN = Code.ALREADY_EXISTS, "another frontend has that issuer"
    URL_NOT_ALLOWED = Code.INVALID_ARGUMENT, "the service does not call that address"
    QUOTA_EXCEEDED = (
        Code.RESOURCE_EXHAUSTED,
        "the frontend has as much as it may, or a seat had all its hints",
    )
    PLAYER_NOT_FOUND = Code.NOT_FOUND, "there is no such player"
    PLAYER_ACCESS_DENIED = Code.PERMISSION_DENIED, "the player is not the caller's to ask for"
    PLAYERS_ONLY = (
        Code.PERMISSION_DENIED,
        "seats of the match are for players of frontends alone",
    )
    PLAYER_NAME_TAKEN = Code.ALREADY_EXISTS, "another player of the frontend has that name"
    PLAYER_TOKEN_INVALID = (
        Code.UNAUTHENTICATED,
        "the token is no player's, or not any more: the frontend can give the present one",
    )
    PLAYER_TOKEN_EXPIRED = Code.UNAUTHENTICATED, "the player's token has expired"
    JWT_INVALID = Code.UNAUTHENTICATED, "the JSON Web Token is not good"
    JWT_KEYS_UNAVAILABLE = Code.UNAVAILABLE, "the issuer's keys cannot be fetched now"
    CODE_INVALID = Code.PERMISSION_DENIED, "the code was used, is too old, or never was one"
    DEVICE_OFFLINE = Code.FAILED_PRECONDITION, "the gateway is not connected to this service"
    DEVICE_NOT_RESPONDING = Code.UNAVAILABLE, "the gateway has not answered in time"
    TABLE_NOT_FOUND = Code.NOT_FOUND, "there is no such table"
    TABLE_CLOSED = Code.FAILED_PRECONDITION, "the table is closed"
    GATEWAY_NOT_FOUND = Code.NOT_FOUND, "the table has no such gateway"
    GATEWAY_NOT_LISTENING = Code.FAILED_PRECONDITION, "the gateway does not listen in that epoch"
    TABLE_FULL = Code.FAILED_PRECONDITION, "the table has as many of these as it can have"
    SEAT_INVALID = Code.INVALID_ARGUMENT, "the match has no such seat"
    MATCH_FULL = Code.FAILED_PRECONDITION, "all seats of the match are taken"
    SEAT_TAKEN = Code.FAILED_PRECONDITION, "somebody holds the seat"
    SEAT_OPEN = Code.FAILED_PRECONDITION, "nobody holds the seat"
    SEAT_ELIMINATED = Code.FAILED_PRECONDITION, "the seat gave up, and is out of the game"
    MATCH_OVER = Code.FAILED_PRECONDITION, "the match is over"
    MATCH_NOT_OVER = Code.FAILED_PRECONDITION, "the match is not over"
    MATCH_STARTED = Code.FAILED_PRECONDITION, "the match has started"
    MATCH_CANCELLED = Code.FAILED_PRECONDITION, "the match was cancelled"
    MATCH_NOT_STARTED = Code.FAILED_PRECONDITION, "the match waits for its seats to be taken"
    REFEREE_CONFLICT = (
        Code.FAILED_PRECONDITION,
        "one person would referee and play a game that hides",
    )
    NO_REFEREE = Code.FAILED_PRECONDITION, "the match has no referee"
    CONSENT_REQUIRED = Code.FAILED_PRECONDITION, "the players must consent to drawing afresh"
    MATCH_PAUSED = Code.FAILED_PRECONDITION, "the match waits for a verdict"
    UNDO_FORBIDDEN = Code.FAILED_PRECONDITION, "in this match nothing can be taken back"
    NOTHING_TO_UNDO = Code.FAILED_PRECONDITION, "nothing has been played that could be taken back"
    NOTHING_TO_REDO = (
        Code.FAILED_PRECONDITION,
        "nothing has been undone that could be taken up again",
    )
    NOT_IN_MAINLINE = Code.FAILED_PRECONDITION, "the version was undone"
    ALREADY_IN_MAINLINE = Code.FAILED_PRECONDITION, "the version was not undone"
    NOT_PLAYABLE = Code.FAILED_PRECONDITION, "at that version the players had ended the match"
    PROPOSAL_PENDING = Code.FAILED_PRECONDITION, "another proposal waits for responses"
    NO_PROPOSAL = Code.FAILED_PRECONDITION, "no such proposal is pending"
    SEAT_NOT_AWAITED = Code.FAILED_PRECONDITION, "nothing is awaited from the seat now"
    NO_CONDITIONAL_MOVES = Code.FAILED_PRECONDITION, "no conditional moves of the seat wait"
    NO_DRAWS = Code.FAILED_PRECONDITION, "the game has no draws"
    TRANSCRIPT_INVALID = Code.INVALID_ARGUMENT, "a line of the transcript is wrong"
    RULE_NOT_FOUND = Code.NOT_FOUND, "the game has no such rule"
    DISPUTE_NOT_OPEN = Code.FAILED_PRECONDITION, "no such dispute is open"
    DISPUTE_ALREADY_OPEN = (
        Code.FAILED_PRECONDITION,
        "the seat's dispute of that event is open already",
    )
    TOO_MANY_DISPUTES = Code.FAILED_PRECONDITION, "too many disputes of the seat are open"
    FACTS_IMPOSSIBLE = Code.FAILED_PRECONDITION, "the facts do not give a position of the game"
    MATCH_FILE_INVALID = Code.INVALID_ARGUMENT, "the file of a match does not verify"
    FILE_TOO_LARGE = Code.INVALID_ARGUMENT, "the file is larger than the service takes"
    MATCH_CONFLICT = Code.ALREADY_EXISTS, "the log has this match with other events"
    TREE_SIZE_OUT_OF_RANGE = Code.OUT_OF_RANGE, "the log has not reached that size"
    CHECKPOINT_PENDING = Code.UNAVAILABLE, "the event is newer than the newest checkpoint"
    SEED_MISSING = (
        Code.FAILED_PRECONDITION,
        "the service does not have the seed of the match's draws",
    )
    NO_ARMIES = Code.FAILED_PRECONDITION, "the game has no armies to build"
    NO_SCORE_NOTATION = Code.FAILED_PRECONDITION, "the game has no score notation"
    REBUILD_RUNNING = Code.ABORTED, "a rebuild is under way"
    MATCH_BUSY = Code.RESOURCE_EXHAUSTED, "too many calls wait for this match"
    LIMIT_EXCEEDED = Code.RESOURCE_EXHAUSTED, "the caller asks for more than it may have at once"
    LOG_OVERLOADED = Code.RESOURCE_EXHAUSTED, "too many events wait to be written"
    LOG_UNAVAILABLE = Code.UNAVAILABLE, "the log cannot be written now"
    RECORD_DAMAGED = Code.DATA_LOSS, "the stored events are not what was recorded"
    REPLICA_LAG = Code.UNAVAILABLE, "the read models have not reached that version in time"
    DEADLINE_EXCEEDED = Code.DEADLINE_EXCEEDED, "there was no answer in the time given"
    READ_MODELS_DISABLED = Code.FAILED_PRECONDITION, "the service keeps no read models"
    SHUTTING_DOWN = Code.UNAVAILABLE, "the service is about to stop"
    INTERNAL = Code.INTERNAL, "the service failed; its log has the details"

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
        f"the match had not begun at {time.isoformat(timespec='milliseconds')}",
        match=match,
        time=time.isoformat(),
    )
