"""A match as an HTML page that replays it offline, as far as the caller may see it."""

from functools import partial
from typing import Final
from uuid import UUID

from projections.views import board_views
from projections.views.replay.page import (
    Inclusion,
    MatchProof,
    ReplayPage,
    page_title,
    render_frame,
)
from services.accounts.context import RequestContext, can_export
from services.api.background_work import BackgroundWork
from services.api.match_files import ExportedFile, MatchFiles, chunks
from services.api.permissions import viewing_role
from services.api.proofs import Proofs
from services.runtime.thread_switching import run_cpu_bound
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import audit_pb2

MAX_COUNTED_EVENTS: Final = 150
"""Maximum number of events of a page that are charged to the caller's rate limit."""
EVENTS_PER_READ: Final = 16
"""Number of events that are read at once."""


class ReplayPages:
    """A factory of replay pages."""

    def __init__(
        self, read_models: ReadModelQueries, files: MatchFiles, proofs: Proofs, work: BackgroundWork
    ) -> None:
        self._read_models = read_models
        self._files = files
        self._proofs = proofs
        self._work = work

    async def open(self, call: RequestContext, identity: UUID) -> ExportedFile:
        """Create a page, including the file of the match if the caller may export it."""
        viewer = await viewing_role(self._read_models, identity, call)
        match = (await self._read_models.match_row(identity)).match
        file, until = b"", match.version
        # The read models have left out the origins that strangers may not know.
        newest = await self._read_models.current_match(identity)
        if can_export(newest, viewer) and await self._files.can_know_origins(call, newest, viewer):
            opened = await self._files.open(call, identity)
            # The page ends with the last event of the file, even if the match has newer ones.
            file, until = b"".join([each async for each in opened.content]), opened.version
            await self._read_models.wait_for_version(identity, until, call.seconds_left)
        call.charge_events(min(until, MAX_COUNTED_EVENTS))
        page = await self._draw(identity, viewer, until)
        proof = MatchProof(file, await self._inclusion(call, identity, until)) if file else None
        raw = (await run_cpu_bound(page.html, page_title(match), proof)).encode()
        return ExportedFile(match.game, until, chunks(raw))

    async def _draw(self, identity: UUID, viewer: str, until: int) -> ReplayPage:
        page = ReplayPage()
        for after in range(0, until, EVENTS_PER_READ):
            limit = min(EVENTS_PER_READ, until - after)
            look_up = partial(
                board_views.read_transitions, match=identity, after=after, limit=limit
            )
            steps = await self._read_models.ask(look_up)
            for each in await self._work.collect(render_frame(step, viewer) for step in steps):
                page.add(each)
        return page

    async def _inclusion(self, call: RequestContext, identity: UUID, version: int) -> Inclusion:
        """Return the proof that the last event is in the log, once that is published."""
        await self._proofs.wait_until_published(call, identity, version)
        asked = audit_pb2.GetProofRequest(
            event=audit_pb2.EventReference(match_id=str(identity), version=version)
        )
        proof = (await self._proofs.get_proof(call, asked)).proof
        head = await self._proofs.get_checkpoint(call, audit_pb2.GetCheckpointRequest())
        return Inclusion(head.verifier_key, proof)
