"""The lobby topic: changes of a list of matches."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import ExitStack
from sqlite3 import Connection
from typing import Final
from uuid import UUID

from msgspec import Struct

from projections.queries import match_list
from projections.views.board_views import MatchRow, UnreadableMatch, listed_match_id
from services.accounts.context import RequestContext
from services.api.requests import PageTokens
from services.api.topics import OpenTopic, TopicMessage, topic_started
from services.mapping import match_messages
from services.runtime.signals import Signal
from services.store.read_models import ReadModelQueries
from services.store.watchers import ANY_MATCH, Watchers
from services.wire.emeth.v1 import subscriptions_pb2 as pb

MATCHES_PER_READ: Final = 100
"""Number of changed matches that are read at once."""
MIN_PAUSE_SECONDS: Final = 0.1
"""Shortest pause between two reads, so that a busy service does not read after each event."""
MAX_REMEMBERED_MATCHES: Final = 10_000
"""Number of matches for which a topic remembers whether they were sent."""


class LobbyFilter(Struct, frozen=True):
    """Which matches a lobby shows, and to whom."""

    filter: match_list.MatchFilter
    reader: match_list.Reader
    can_see: Callable[[MatchRow | UnreadableMatch], bool] | None = None
    """Returns whether a match that was requested by its ID is shown; None if the reader decides."""


ReadFilter = Callable[[RequestContext, pb.LobbyTopic], Awaitable[LobbyFilter]]
"""Reads the filter of a topic."""


class Lobby:
    """Follows lists of matches for subscriptions."""

    def __init__(
        self,
        read_models: ReadModelQueries,
        watchers: Watchers,
        cursors: PageTokens,
        filter_of: ReadFilter,
    ) -> None:
        self._filter_of = filter_of
        self._read_models = read_models
        self._watchers = watchers
        self._cursors = cursors

    async def follow(self, opened: OpenTopic) -> AsyncGenerator[TopicMessage, None]:
        """Yield the matches that fit the filter from a cursor on, and those that fit no longer."""
        asked = await self._filter_of(opened.call, opened.topic.lobby)
        # The cursor is encrypted, since it reveals the number of events.
        position = self._cursors.start(opened.topic.cursor, "lobby")
        began, sent = position, OrderedDict[str, bool]()
        is_new, woken = began == 0, Signal()

        def message(**event: object) -> TopicMessage:
            cursor = self._cursors.write(str(position), "lobby")
            return TopicMessage("lobby_event", pb.LobbyEvent(**event), cursor)  # type: ignore[arg-type]

        yield topic_started(opened.topic.cursor)
        with ExitStack() as waking:
            # A topic of certain matches is notified only of these.
            for about in map(UUID, asked.filter.ids) if asked.filter.ids else (ANY_MATCH,):
                waking.enter_context(self._watchers.watching(about, woken))
            while not self._watchers.closing:
                woken.clear()  # before reading, so that no change is missed
                opened.call.check()
                async with opened.lookups:
                    page = await self._page(asked, position)
                    for each in page:
                        position = each.position
                        identity = str(listed_match_id(each.standing))
                        # A removal must not reveal the ID of a match that was never shown.
                        was_listed = each.is_listed or _was_listed(each.standing)
                        known = sent.get(identity, was_listed and each.number <= began)
                        fits = each.fits and (asked.can_see is None or asked.can_see(each.standing))
                        if fits:
                            yield message(match=match_messages.match_or_fault(each.standing))
                        elif known:
                            yield message(removed=identity)
                        sent[identity] = fits
                        sent.move_to_end(identity)
                        if len(sent) > MAX_REMEMBERED_MATCHES:
                            sent.popitem(last=False)
                if len(page) == MATCHES_PER_READ:
                    continue
                if is_new and not any(sent.values()):
                    yield message(snapshot_empty=True)
                is_new = False
                await woken.wait()
                await asyncio.sleep(MIN_PAUSE_SECONDS)

    async def _page(self, asked: LobbyFilter, position: int) -> list[match_list.ChangedMatch]:
        def answer(connection: Connection) -> list[match_list.ChangedMatch]:
            return match_list.changed_matches(
                connection, asked.filter, position, MATCHES_PER_READ, asked.reader
            )

        return await self._read_models.ask(answer)


def _was_listed(found: MatchRow | UnreadableMatch) -> bool:
    """Return whether everybody could see the match while it waited for players."""
    if isinstance(found, UnreadableMatch):
        return False
    terms = found.match.terms
    return terms.admission == "anybody" and terms.visibility != "unlisted"
