"""Lists of tables with their devices, and of recorded taps.

Taps may reveal hidden information, such as a card in a hand. So only three callers may see them:
the admin; the referee of the match that they were for; and the gateway that sent them.
"""

from collections.abc import AsyncGenerator
from functools import partial
from hmac import compare_digest
from typing import Final
from uuid import UUID

from msgspec import Struct

from domain.kernel.game import REFEREE
from domain.table import Event, StylusStatusReported, Table, TapTaken
from projections.queries import devices
from projections.queries.devices import TableSummary
from projections.views import board_views
from services.accounts.context import RequestContext
from services.accounts.tokens import token_digest
from services.api.filters import id_field, parse_values, text_field
from services.api.permissions import viewing_role
from services.api.requests import PageTokens, page_size, parse_id_field, parse_uuid
from services.api.topics import OpenTopic, TopicMessage, topic_started
from services.devices.device_messages import device_event_message, table_message, without_tap_counts
from services.devices.gateway_keys import authenticated_gateway, is_gateway_key, owned_table
from services.devices.gateway_streams import GatewayStreams
from services.runtime.errors import ApiError, Reason, field_invalid
from services.runtime.thread_switching import run_cpu_bound
from services.store.log import Log
from services.store.read_models import ReadModelQueries
from services.store.table_cache import TableCache
from services.store.taps import next_events
from services.store.watchers import Watchers
from services.wire.emeth.devices.v1 import gateways_pb2, styluses_pb2
from services.wire.emeth.v1 import tables_pb2

DEFAULT_PAGE_SIZE: Final = 50
MAX_PAGE_SIZE: Final = 200
DEFAULT_TAPS_PAGE_SIZE: Final = 100
MAX_TAPS_PAGE_SIZE: Final = 500
TABLE_FIELDS: Final = {"match_id": id_field()}
"""Fields by which tables can be filtered."""
TAP_FIELDS: Final = {"stylus_id": text_field()}
"""Fields by which taps can be filtered."""


class _TapFilter(Struct, frozen=True):
    """A filter of the taps of a table; unset fields match all."""

    gateway: str = ""
    match: UUID | None = None
    stylus: str = ""

    def matches(self, event: Event) -> bool:
        """Return whether an event is a tap or stylus status that the filter matches."""
        if not isinstance(event, TapTaken | StylusStatusReported):
            return False
        if self.match is not None and getattr(event, "match", None) != self.match:
            return False
        return self.gateway in ("", event.gateway) and self.stylus in ("", event.stylus)


class DeviceQueries:
    """Lists devices and taps."""

    def __init__(
        self,
        live: TableCache,
        read_models: ReadModelQueries,
        log: Log,
        pages: PageTokens,
        admin_key: str,
        streams: GatewayStreams,
        watchers: Watchers,
    ) -> None:
        self._streams = streams
        self._watchers = watchers
        streams.on_change = lambda gateway: watchers.wake((UUID(gateway.partition(".")[0]),))
        self._live = live
        self._read_models = read_models
        self._log = log
        self._pages = pages
        self._admin_key = token_digest(admin_key)

    async def list_devices(
        self, call: RequestContext, request: gateways_pb2.ListDevicesRequest
    ) -> gateways_pb2.ListDevicesResponse:
        """List tables with gateways and styluses: all for the admin, else the caller's own."""
        wanted = _optional_id(request.table_id)
        match = _optional_id(parse_values(request.filter, TABLE_FIELDS).get("match_id", ""))
        gateway, wanted = await self._permitted_scope(call, wanted, request.gateway_id)
        if wanted is not None and request.at_least_version and not await self._hides_match(gateway):
            await self._read_models.wait_for_version(
                wanted, request.at_least_version, call.seconds_left, devices.version
            )
        else:
            await self._read_models.catch_up_briefly()
        size = page_size(request.page_size, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
        query = ("devices", wanted, match)
        after = self._pages.start(request.page_token, *query) or None
        page = await self._read_models.ask(
            lambda connection: devices.table_page(
                connection, size, table=wanted, match=match, after=after
            )
        )
        return gateways_pb2.ListDevicesResponse(
            tables=[await self._visible_table(each, gateway) for each in page.tables],
            next_page_token=self._pages.next(page.next, *query),
        )

    async def follow(self, opened: OpenTopic) -> AsyncGenerator[TopicMessage, None]:
        """Yield the table with its devices, now and after each change, for a table topic."""
        call, table_id = opened.call, opened.topic.table.table_id
        gateway, wanted = await self._permitted_scope(call, _optional_id(table_id))
        if wanted is None:
            raise field_invalid("table.table_id", "it is required with the admin key")
        identity = (await self._live.get(wanted)).state.id
        await self._read_models.catch_up_briefly()
        shown = None
        with self._watchers.watching(identity) as woken:
            yield topic_started()
            while not self._watchers.closing:
                woken.clear()  # before reading, so that no change is missed
                if not self._is_admin(call) and await owned_table(self._live, call) is None:
                    await authenticated_gateway(self._live, call)  # the key may have been rotated
                async with opened.lookups:
                    page = await self._read_models.ask(
                        lambda connection: devices.table_page(connection, 1, table=identity)
                    )
                    now = [await self._visible_table(each, gateway) for each in page.tables]
                    if now and now != shown:
                        yield TopicMessage("table", now[0])
                        shown = now
                await woken.wait()

    async def _permitted_scope(
        self, call: RequestContext, wanted: UUID | None, gateway_id: str = ""
    ) -> tuple[str, UUID | None]:
        """Return the gateway whose key was sent, empty for the owner or admin, and the table."""
        if self._is_admin(call):
            return "", wanted
        if (owned := await owned_table(self._live, call)) is not None:
            return "", _own_table(owned, wanted)
        gateway, own = await authenticated_gateway(self._live, call, gateway_id)
        return gateway, _own_table(own, wanted)

    async def _visible_table(self, standing: TableSummary, gateway: str) -> tables_pb2.Table:
        """Return a table as a gateway may see it; with an empty ID, as the owner or admin may."""
        found = table_message(standing, self._streams.__contains__)
        if await self._hides_match(gateway):
            without_tap_counts(found, gateway)
        return found

    async def _hides_match(self, gateway: str) -> bool:
        """Return whether tap counts are hidden from a gateway: its match hides information.

        An empty ID stands for the owner or the admin, who see them.
        """
        if not gateway:
            return False
        match = (await self._live.get(UUID(gateway.partition(".")[0]))).state.match
        if match is None:
            return False
        present = await self._read_models.ask(partial(board_views.find_match_row, match=match))
        return present is None or present.match.rules.has_hidden_information

    async def list_taps(
        self, call: RequestContext, request: styluses_pb2.ListTapsRequest
    ) -> styluses_pb2.ListTapsResponse:
        """List the taps and stylus statuses of a table that the caller may see, in order."""
        match = _optional_id(request.match_id)
        stylus = parse_values(request.filter, TAP_FIELDS).get("stylus_id", "")
        gateway, live = await self._find_watched(call, request.table_id, match)
        wanted = _TapFilter(gateway, match, stylus)
        size = page_size(request.page_size, DEFAULT_TAPS_PAGE_SIZE, MAX_TAPS_PAGE_SIZE)
        query = ("taps", live.id, gateway, match, request.filter)
        after = self._pages.start(request.page_token, *query)
        events, following = await run_cpu_bound(next_events, self._log, live.id, after)
        fitting = [event for event in events if wanted.matches(event)]
        if len(fitting) > size:
            following = fitting[size - 1].version
        numbered = not await self._hides_match(gateway)
        return styluses_pb2.ListTapsResponse(
            taps=[_tap(live, event, numbered=numbered) for event in fitting[:size]],
            next_page_token=self._pages.next(following, *query),
        )

    async def _find_watched(
        self, call: RequestContext, table_id: str, match: UUID | None
    ) -> tuple[str, Table]:
        """Return the gateway whose taps the caller may see, empty for all, and the table."""
        if not self._is_admin(call):
            if match is None or (call.player is None and is_gateway_key(call.token)):
                gateway, own = await authenticated_gateway(self._live, call)
                _own_table(own, _optional_id(table_id))
                return gateway, own
            await self._check_referee(match, call)
        return "", (await self._live.get(parse_id_field("table_id", table_id))).state

    async def _check_referee(self, match: UUID, call: RequestContext) -> None:
        role = await viewing_role(self._read_models, match, call)
        if role != REFEREE:
            raise ApiError(
                Reason.ROLE_NOT_ALLOWED,
                f"the token is {role}'s; only the referee may see what was tapped",
                role=role,
            )

    def _is_admin(self, call: RequestContext) -> bool:
        return compare_digest(token_digest(call.token), self._admin_key)


def _optional_id(text: str) -> UUID | None:
    return parse_uuid(text) if text else None


def _own_table(own: Table, wanted: UUID | None) -> UUID:
    """Return the key's table. Raise GATEWAY_KEY_INVALID if the request names another."""
    if wanted not in (None, own.id):
        raise ApiError(Reason.GATEWAY_KEY_INVALID, "the key belongs to a gateway of another table")
    return own.id


def _tap(live: Table, event: Event, *, numbered: bool) -> tables_pb2.RecordedTap:
    assert isinstance(event, TapTaken | StylusStatusReported)
    stylus = live.stylus(event.stylus)
    return device_event_message(
        event, live.gateways[event.gateway].name, stylus.name, numbered=numbered, own_run=True
    )
