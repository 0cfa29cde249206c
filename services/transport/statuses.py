"""Errors as `google.rpc.Status`, which every door tells in its protocol's way."""

from collections.abc import Mapping
from typing import Final

from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2

from services.runtime.errors import DOMAIN, ApiError, Code, Reason

RETRY_SECONDS: Final[Mapping[Reason, float]] = {
    Reason.MATCH_BUSY: 1,
    Reason.LOG_OVERLOADED: 1,
    Reason.SHUTTING_DOWN: 0.5,
}
"""What a caller is told to wait before the same call is made again."""
RETRY_BY_CODE: Final[Mapping[Code, float]] = {
    Code.UNAVAILABLE: 1,
    Code.RESOURCE_EXHAUSTED: 60,
}
"""The same for every other reason with such a code: 503 and 429 in HTTP."""
MAX_TEXT_BYTES: Final = 800
MAX_METADATA_BYTES: Final = 200
MAX_VIOLATIONS_BYTES: Final = 3000
"""Bytes of a text in an error, of a name or number, and of all violations of fields together. An
error goes in headers, of which clients take 8 KiB, and what was sent may be repeated in it."""


def retry_seconds(error: ApiError) -> float:
    """Return how long to wait before the same call is made again; 0 if that is of no use."""
    by_code = RETRY_BY_CODE.get(error.reason.code, 0)
    return error.retry_seconds or RETRY_SECONDS.get(error.reason, by_code)


def rich_status(error: ApiError) -> status_pb2.Status:
    """The error as `google.rpc.Status`, with ErrorInfo and what else fits."""
    reason = error.reason
    figures = {name: _truncate(value, MAX_METADATA_BYTES) for name, value in error.figures.items()}
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=reason.name, domain=DOMAIN, metadata=figures)
    ]
    if error.violations:
        details.append(_bad_request(error.violations))
    if wait := retry_seconds(error):
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromNanoseconds(int(wait * 1_000_000_000))
        details.append(retry)
    if bound := error.figures.get("quota") or error.figures.get("limit"):
        quota = error_details_pb2.QuotaFailure()
        quota.violations.add(
            subject=_truncate(bound, MAX_METADATA_BYTES),
            description=_truncate(error.message, MAX_METADATA_BYTES),
        )
        details.append(quota)
    packed = []
    for detail in details:
        packed.append(any_pb2.Any())
        packed[-1].Pack(detail)
    return status_pb2.Status(
        code=code_pb2.Code.Value(reason.code.value),
        message=_truncate(error.message, MAX_TEXT_BYTES),
        details=packed,
    )


def _bad_request(violations: Mapping[str, str]) -> error_details_pb2.BadRequest:
    """Return the violations that fit, of which the first always does."""
    bad, left = error_details_pb2.BadRequest(), MAX_VIOLATIONS_BYTES
    for field, why in violations.items():
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_truncate(field, MAX_METADATA_BYTES), description=_truncate(why, MAX_TEXT_BYTES)
        )
        left -= violation.ByteSize()
        if left < 0:
            break
        bad.field_violations.append(violation)
    return bad


def _truncate(text: str, most: int) -> str:
    """A text for an error, of so many bytes at most."""
    raw = text.encode(errors="replace")
    return text if len(raw) <= most else raw[: most - 3].decode(errors="ignore") + "..."
