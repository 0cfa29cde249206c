"""Verification of matches, checkpoints of the log, and proofs of inclusion and consistency."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import aclosing
from functools import partial
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from domain.kernel.game import REFEREE
from domain.kernel.packs import Library
from domain.match import AnyMatch, Audit, Finding, evolve
from projections.queries import log_tree, match_list
from services.accounts.context import RequestContext, require_admin, require_viewer
from services.accounts.tokens import token_digest
from services.api.background_work import BackgroundWork
from services.api.permissions import viewing_role
from services.api.requests import parse_uuid
from services.api.store_errors import api_error
from services.mapping import messages
from services.proof.published_tree import PublishedTree
from services.proof.signed_notes import Checkpoint, Inclusion
from services.proof.signing import Signer
from services.runtime.errors import ApiError, Reason
from services.store.audit import new_audit, run_audit
from services.store.errors import RecordDamaged
from services.store.log import Log
from services.store.match_cache import MatchCache
from services.store.read_models import ReadModelQueries
from services.wire.emeth.v1 import audit_pb2 as pb

MAX_FINDINGS: Final = 200
"""Maximum number of findings for one match; one more says that there are others."""
MATCHES_PER_READ: Final = 500
"""Number of matches that are read at once."""


class Proofs:
    """Verifies matches, and proves what the log contains."""

    def __init__(
        self,
        live: MatchCache,
        read_models: ReadModelQueries,
        log: Log,
        signer: Signer,
        admin_key: str,
        work: BackgroundWork,
        wait_until_published: PublishedTree,
        cosigned: Callable[[], str],
    ) -> None:
        """Create proofs.

        `cosigned` returns the newest checkpoint that witnesses cosigned, or nothing.
        """
        self._cosigned = cosigned
        self._published = wait_until_published
        self._live = live
        self._read_models = read_models
        self._log = log
        self._signer = signer
        self._admin_key = token_digest(admin_key)
        self._work = work

    # --- judging again ---------------------------------------------------------------------------

    async def verify_match(
        self, call: RequestContext, request: pb.VerifyMatchRequest
    ) -> pb.VerifyMatchResponse:
        """Verify one match in the log."""
        identity = parse_uuid(request.match_id)
        viewer = await self._viewer(identity, call)
        audit = new_audit(identity, self._live.library)
        judged = await self._work.collect(run_audit(self._log, identity, audit))
        found = [finding for findings in judged for finding in findings]
        return pb.VerifyMatchResponse(
            sound=not found,
            findings=_findings(identity, audit, found, viewer),
            event_count=audit.match.version if audit.match else 0,
            digest=audit.match.digest if audit.match else "",
        )

    async def _viewer(self, identity: UUID, call: RequestContext) -> str:
        """Return the role of the caller.

        For a damaged match it is read from the invitations in the log.
        """
        try:
            return await viewing_role(self._read_models, identity, call)
        except (ApiError, RecordDamaged) as refused:
            if api_error(refused).reason is not Reason.RECORD_DAMAGED:
                raise
            created = await asyncio.to_thread(_created, self._log, identity, self._live.library)
            if created is None:
                raise
        return require_viewer(created, call)

    async def readjudicate_matches(
        self, call: RequestContext, request: pb.ReadjudicateMatchesRequest
    ) -> AsyncIterator[pb.ReadjudicateMatchesResponse]:
        """Adjudicate one match or all again, and yield the findings of each."""
        if request.match_id:
            identity = parse_uuid(request.match_id)
            viewer = await viewing_role(self._read_models, identity, call)
            matches, total = iter([identity]), 1
        else:
            require_admin(call, self._admin_key)
            viewer = REFEREE
            await self._read_models.wait_until_caught_up()
            total = await self._read_models.ask(match_list.count_matches)
            matches = self._all()
        done = 0
        yield pb.ReadjudicateMatchesResponse(done_count=0, total_count=total)
        async with aclosing(self._work.slices(self._findings_by_slice(matches, viewer))) as slices:
            async for steps in slices:
                ended = sum(each for _, each in steps)
                if ended:
                    done += ended
                    found = [finding for findings, _ in steps for finding in findings]
                    for begin in range(0, max(1, len(found)), MAX_FINDINGS):
                        yield pb.ReadjudicateMatchesResponse(
                            done_count=done,
                            total_count=max(done, total),
                            findings=found[begin : begin + MAX_FINDINGS],
                        )

    def _findings_by_slice(
        self, matches: Iterator[UUID], viewer: str
    ) -> Iterator[tuple[list[pb.Finding], int]]:
        """Yield the findings after each adjudicated event, and whether a match is done. Blocks."""
        for identity in matches:
            audit = new_audit(identity, self._live.library)
            found: list[Finding] = []
            for findings in run_audit(self._log, identity, audit):
                found += findings
                yield [], 0  # so that a long match takes several slices
            yield _findings(identity, audit, found, viewer), 1

    def _all(self) -> Iterator[UUID]:
        """Yield the IDs of all matches, read in pages. Blocks on the disk."""
        page = self._read_models.ask_blocking(
            partial(match_list.match_ids, after=0, limit=MATCHES_PER_READ)
        )
        while page:
            yield from (identity for _, identity in page)
            page = self._read_models.ask_blocking(
                partial(match_list.match_ids, after=page[-1][0], limit=MATCHES_PER_READ)
            )

    # --- the whole log ---------------------------------------------------------------------------

    async def get_checkpoint(
        self, call: RequestContext, request: pb.GetCheckpointRequest
    ) -> pb.GetCheckpointResponse:
        """Return the signed checkpoint of the published log."""
        del call, request
        head = await self._published.head()
        return pb.GetCheckpointResponse(
            checkpoint=self._sign(head),
            verifier_key=str(self._signer.key),
            cosigned_checkpoint=self._cosigned(),
        )

    async def get_proof(
        self, call: RequestContext, request: pb.GetProofRequest
    ) -> pb.GetProofResponse:
        """Return a proof that an event is in the log, or that the log only grew."""
        match request.WhichOneof("proof_target"):
            case "event":
                return await self._inclusion(call, request.event, request.log_size)
            case _:
                return await self._consistency(request.extended_size, request.log_size)

    async def _inclusion(
        self, call: RequestContext, wanted: pb.EventReference, size: int
    ) -> pb.GetProofResponse:
        identity = parse_uuid(wanted.match_id)
        version = wanted.version
        present = (await self._live.get(identity)).state.version
        if not 1 <= version <= present:
            raise ApiError(
                Reason.VERSION_OUT_OF_RANGE,
                f"the match has versions 1 to {present}, not {version}",
                match=identity,
                version=present,
            )
        await self._read_models.wait_for_version(identity, version, call.seconds_left)
        published = await self._published.head(size)

        def answer(connection: Connection) -> pb.GetProofResponse:
            head = _head(connection, size, published)
            place = log_tree.leaf_of_event(connection, identity, version)
            assert place is not None
            if place.index >= published.size:
                raise self._published.checkpoint_pending()
            if place.index >= head.size:
                raise _too_small(place.index + 1, head.size)
            path = log_tree.inclusion_proof(connection, place.index, head.size)
            checkpoint = self._sign(head)
            return pb.GetProofResponse(
                checkpoint=checkpoint,
                log_index=place.index,
                hashes=path,
                proof=Inclusion(place.index, tuple(path), checkpoint).text,
            )

        return await self._read_models.ask(answer)

    async def wait_until_published(self, call: RequestContext, match: UUID, version: int) -> None:
        """Wait until an event is in the published tree. Raise CHECKPOINT_PENDING after a while."""
        await self._read_models.wait_for_version(match, version, call.seconds_left)
        place = await self._read_models.ask(
            partial(log_tree.leaf_of_event, match=match, version=version)
        )
        assert place is not None
        await self._published.until(place.index + 1, call.seconds_left)

    async def _consistency(self, old: int, size: int) -> pb.GetProofResponse:
        published = await self._published.head(max(old, size))

        def answer(connection: Connection) -> pb.GetProofResponse:
            head = _head(connection, size, published)
            if old > head.size:
                raise _too_small(old, head.size)
            return pb.GetProofResponse(
                checkpoint=self._sign(head),
                hashes=log_tree.consistency_proof(connection, old, head.size),
            )

        return await self._read_models.ask(answer)

    def _sign(self, head: log_tree.TreeHead) -> str:
        checkpoint = Checkpoint(self._signer.key.name, head.size, head.root)
        return self._signer.note(checkpoint.text)


def _head(connection: Connection, size: int, published: log_tree.TreeHead) -> log_tree.TreeHead:
    """Return the tree with this number of events; the published tree for 0.

    Raises:
        ApiError: TREE_SIZE_OUT_OF_RANGE for a tree that is not published.
    """
    head = log_tree.tree_head_at(connection, size or published.size)
    if head is None or size > published.size:
        raise _too_small(size, published.size)
    return head


def _too_small(wanted: int, size: int) -> ApiError:
    return ApiError(
        Reason.TREE_SIZE_OUT_OF_RANGE,
        f"the published log has {size} events, not {wanted}",
        size=size,
    )


def _findings(identity: UUID, audit: Audit, found: list[Finding], viewer: str) -> list[pb.Finding]:
    """Return the findings that this viewer may know."""
    match = audit.match
    whole = viewer == REFEREE or (match is not None and not match.rules.has_hidden_information)
    shown = [messages.finding(identity, finding, whole=whole) for finding in found[:MAX_FINDINGS]]
    if len(found) > MAX_FINDINGS:
        more = found[MAX_FINDINGS]
        sentence = f"{len(found) - MAX_FINDINGS} more findings, from this event on"
        shown.append(
            pb.Finding(
                match_id=str(identity),
                version=more.version,
                kind=messages.FINDING_KINDS[more.check],
                sentence=sentence,
            )
        )
    return shown


def _created(log: Log, identity: UUID, library: Library) -> AnyMatch | None:
    """Return a match from its first event in the log, even if damaged; None if unreadable."""
    try:
        first = next(log.unchecked(identity), None)
        return evolve(None, first, library=library) if first else None
    except Exception:  # a damaged event can bring anything to raise, and looking must not
        return None
