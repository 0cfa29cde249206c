"""Errors as `google.rpc.Status`, which each transport sends in its own format."""

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
"""Retry delay in seconds for errors of these reasons."""
RETRY_BY_CODE: Final[Mapping[Code, float]] = {
    Code.UNAVAILABLE: 1,
    Code.RESOURCE_EXHAUSTED: 60,
}
"""Retry delay for all other reasons with these codes: 503 and 429 in HTTP."""
MAX_TEXT_BYTES: Final = 800
MAX_METADATA_BYTES: Final = 200
MAX_VIOLATIONS_BYTES: Final = 3000
"""Maximum bytes of a text, of a name or number, and of all field violations together. Errors are
sent in headers, which clients limit to 8 KiB, and may repeat input."""


def retry_seconds(error: ApiError) -> float:
    """Return the seconds to wait before a retry; 0 if a retry does not help."""
    by_code = RETRY_BY_CODE.get(error.reason.code, 0)
    return error.retry_seconds or RETRY_SECONDS.get(error.reason, by_code)


def rich_status(error: ApiError) -> status_pb2.Status:
    """Return an error as `google.rpc.Status` with ErrorInfo and further details."""
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
    """Return as many violations as fit, at least the first."""
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


def _truncate(text: str, max_bytes: int) -> str:
    """Return a text cut to at most `max_bytes` bytes."""
    raw = text.encode(errors="replace")
    return text if len(raw) <= max_bytes else raw[: max_bytes - 3].decode(errors="ignore") + "..."
