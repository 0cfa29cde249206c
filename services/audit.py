"""AuditService: explaining, disputing and proving what was played, put together from its parts."""

from services.disputing import DisputeHandlers
from services.explaining import ExplainHandlers
from services.reads import Reads
from services.requests import Pages
from services.store.live import Live
from services.tokens import Mint


class AuditHandlers(ExplainHandlers, DisputeHandlers):
    """The rpcs of AuditService."""

    def __init__(self, live: Live, reads: Reads, pages: Pages, mint: Mint, admin_key: str) -> None:
        ExplainHandlers.__init__(self, reads)
        DisputeHandlers.__init__(self, live, reads, pages, mint, admin_key)
