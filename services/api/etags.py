"""Etags: version tags of resources, which a client sends back with an update (AIP-154).

Clients only compare etags, so each resource has its own format.
"""

from services.runtime.errors import ApiError, Reason


def check_etag(sent: str, present: str) -> None:
    """Raise VERSION_STALE if a request has another etag than the resource. An empty one matches."""
    if sent and sent != present:
        raise ApiError(
            Reason.VERSION_STALE,
            f"the etag is {present}, not {sent[:40]}: get the resource again",
            etag=present,
            expected=sent[:40],
        )
