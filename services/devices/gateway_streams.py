"""The streams of all gateways that are connected to this service."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from uuid import UUID

from domain.table import Table
from services.devices.gateway_stream import GatewayStream
from services.devices.intake import TapIntake
from services.devices.pending_journals import MAX_SENDING_HOLD_SECONDS, HoldTimes
from services.runtime.errors import ApiError, Reason
from services.runtime.metrics import empty_device_metrics
from services.runtime.rate_limits import TokenBuckets
from services.wire.emeth.devices.v1 import connections_pb2 as pb


class GatewayStreams:
    """The streams of all connected gateways, one for each."""

    def __init__(self) -> None:
        self._streams: dict[str, GatewayStream] = {}
        self.metrics = empty_device_metrics()
        self._messages = TokenBuckets[str]()
        self._hold_times = HoldTimes(self._pending_upload_seconds)
        self.on_change: Callable[[str], object] = lambda _: None
        """Called with the ID of a gateway that connected or disconnected."""

    def __len__(self) -> int:
        return len(self._streams)

    def __contains__(self, gateway: str) -> bool:
        return gateway in self._streams

    @contextmanager
    def open(self, intake: TapIntake, gateway: str, epoch: str) -> Iterator[GatewayStream]:
        """Open the stream of a gateway for the duration of the context; close an older one."""
        stream = GatewayStream(
            intake, gateway, epoch, self.metrics, self._messages, self._hold_times
        )
        if (older := self._streams.pop(gateway, None)) is not None:
            older.close("the gateway has connected again")
        self._streams[gateway] = stream
        self._report_change(gateway)
        try:
            yield stream
        finally:
            if self._streams.get(gateway) is stream:
                del self._streams[gateway]
                self._report_change(gateway)

    def _report_change(self, gateway: str) -> None:
        """Report that a gateway has connected or disconnected; recheck held taps of its table."""
        self.on_change(gateway)
        table = gateway.partition(".")[0]
        for name, stream in self._streams.items():
            if name.partition(".")[0] == table:
                stream.recheck_held_taps()

    def _pending_upload_seconds(self, gateway: str) -> float:
        """Return for how many seconds a gateway may still send offline messages."""
        stream = self._streams.get(gateway)
        if stream is None or stream.is_holding:
            return inf
        return stream.offline_at + MAX_SENDING_HOLD_SECONDS - asyncio.get_running_loop().time()

    async def command(self, gateway: str, command: pb.DeviceCommand) -> pb.CommandReport:
        """Send a command to a device of a gateway.

        Raises:
            ApiError: DEVICE_OFFLINE or DEVICE_NOT_RESPONDING.
        """
        stream = self._streams.get(gateway)
        if stream is None:
            raise ApiError(Reason.DEVICE_OFFLINE)
        try:
            return await stream.command(command)
        except TimeoutError:
            raise ApiError(Reason.DEVICE_NOT_RESPONDING) from None

    def disconnect(self, gateway: str, why: str) -> None:
        """Close the stream of a gateway that has lost its access."""
        if (stream := self._streams.get(gateway)) is not None:
            stream.close(why)

    def refresh(self, table: Table) -> None:
        """Refresh the gateways of a table after a change of its match or of seats."""
        for gateway in table.gateways:
            if (stream := self._streams.get(gateway)) is not None:
                stream.refresh()

    def is_connected(self, table: UUID) -> bool:
        """Return whether a gateway of this table is connected."""
        return any(stream.table == table for stream in self._streams.values())

    def apply_change(self, table: Table) -> None:
        """Apply a change of this table by another replica.

        Gateways that lost access, or connected to that replica, are disconnected; the others
        refresh.
        """
        for name, gateway in table.gateways.items():
            if (stream := self._streams.get(name)) is not None:
                if table.closed or gateway.revoked or not stream.is_of(gateway):
                    stream.close("the gateway has connected elsewhere, or may not any more")
                else:
                    stream.refresh()

    def close(self) -> None:
        """Disconnect all gateways, since the service is about to stop."""
        for stream in self._streams.values():
            stream.close("the service is about to stop: connect again")
