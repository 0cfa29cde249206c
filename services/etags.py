"""Etags: version tags of resources, which a client sends back with an update (AIP-154)."""

from services.errors import ApiError, Reason


def etag_of(version: int) -> str:
    """Return the etag of a resource at a version. Clients compare it and read nothing from it."""
    return f"v{version}"


def check_etag(etag: str, version: int) -> None:
    """Raise VERSION_STALE if a request has the etag of another version. An empty one fits any."""
    if etag and etag != etag_of(version):
        raise ApiError(
            Reason.VERSION_STALE,
            f"the etag is {etag_of(version)}, not {etag[:40]}",
            etag=etag_of(version),
            expected=etag[:40],
        )
