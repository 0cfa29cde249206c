"""WatchLobby: what changes in a list of matches, as it changes."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from projections import match_list
from projections.board_views import Standing, UnreadableMatch, match_id
from services import match_messages
from services.bells import Bell
from services.reads import Reads
from services.store.watchers import ANY, Watchers
from services.wire.emeth.v1 import matches_pb2 as pb

PAGE: Final = 100
"""Matches that are looked at between two looks at the read models."""
LEAST_PAUSE_SECONDS: Final = 0.1
"""Between two looks, so that a busy service does not look after each event."""
REMEMBERED: Final = 10_000
"""Matches of which a stream remembers whether they were told."""


class Lobby:
    """Tells what changes."""

    def __init__(self, reads: Reads, watchers: Watchers) -> None:
        self._reads = reads
        self._watchers = watchers

    async def watch(
        self,
        wanted: match_list.MatchFilter,
        position: int,
        reader: match_list.Reader,
        sees: Callable[[Standing | UnreadableMatch], bool] | None = None,
    ) -> AsyncIterator[pb.WatchLobbyResponse]:
        """The matches that fit, from a position of the log on, and those that do so no more.
        `sees` tells of each whether it is shown, where the reader alone does not."""
        began, told = position, OrderedDict[str, bool]()
        is_new, woken = began == 0, Bell()
        with ExitStack() as waking:
            # Who asks for certain matches is not woken for the others.
            for about in map(UUID, wanted.ids) if wanted.ids else (ANY,):
                waking.enter_context(self._watchers.watching(about, woken))
            while not self._watchers.closing:
                woken.clear()  # before looking, so that no news falls between
                page = await self._page(wanted, position, reader)
                for each in page:
                    position = each.position
                    identity = str(match_id(each.standing))
                    # Nobody is told the id of a match that they did not know.
                    was_listed = each.is_listed or _was_open(each.standing)
                    known = told.get(identity, was_listed and each.number <= began)
                    fits = each.fits and (sees is None or sees(each.standing))
                    if fits:
                        match = match_messages.listed_match(each.standing)
                        yield pb.WatchLobbyResponse(match=match, position=position)
                    elif known:
                        yield pb.WatchLobbyResponse(gone=identity, position=position)
                    told[identity] = fits
                    told.move_to_end(identity)
                    if len(told) > REMEMBERED:
                        told.popitem(last=False)
                if len(page) == PAGE:
                    continue
                if is_new and not any(told.values()):
                    yield pb.WatchLobbyResponse(empty=True, position=position)
                is_new = False
                await woken.wait()
                await asyncio.sleep(LEAST_PAUSE_SECONDS)
        yield pb.WatchLobbyResponse(stopping=True, position=position)

    async def _page(
        self, wanted: match_list.MatchFilter, position: int, reader: match_list.Reader
    ) -> list[match_list.ChangedMatch]:
        def answer(connection: Connection) -> list[match_list.ChangedMatch]:
            return match_list.changed(connection, wanted, position, PAGE, reader)

        return await self._reads.ask(answer)


def _was_open(found: Standing | UnreadableMatch) -> bool:
    """Was the match listed for everybody as long as it waited for players?"""
    if isinstance(found, UnreadableMatch):
        return False
    terms = found.match.terms
    return terms.admission == "anybody" and terms.visibility != "unlisted"
