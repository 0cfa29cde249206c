"""What the worker of a page calls: bytes in, bytes out, and no exception that JavaScript would have
to understand."""

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from services.offline import ed25519

# Before anything loads the module that it stands in for.
sys.modules["services.proof.ed25519"] = ed25519

from services.errors import ApiError, Reason  # noqa: E402
from services.offline.judge import Judging  # noqa: E402
from services.offline.service import Failed, PageService  # noqa: E402

Answer = tuple[bool, bytes]
"""Did the call succeed? And what it answered, or why not, as `Failed` tells it."""


class Bridge:
    """The service of one page."""

    def __init__(self, secret: bytes, folder: str) -> None:
        """The secret has 32 bytes. A page that is given the same one again makes the same draws."""
        self._service = PageService(bytes(secret), folder)
        self._watches: dict[int, asyncio.Task[None]] = {}
        self._judging: Judging | None = None

    async def start(self) -> None:
        """Before anything is asked."""
        await self._service.start()

    async def unary(self, method: str, token: str, request: bytes) -> Answer:
        """A call that has one answer."""
        try:
            return True, await self._service.unary(method, token, bytes(request))
        except Failed as failed:
            return False, failed.told
        except Exception as error:  # the outermost layer: whoever waits must hear of it
            return False, _masked(error)

    def watch(
        self,
        number: int,
        method: str,
        token: str,
        request: bytes,
        push: Callable[[str, bytes], object],
    ) -> None:
        """A call that has many. `push` is told `each`, and at last `end` or `failed`."""

        async def watching() -> None:
            try:
                async for each in self._service.stream(method, token, bytes(request)):
                    push("each", each)
                push("end", b"")
            except Failed as failed:
                push("failed", failed.told)
            except Exception as error:  # as above
                push("failed", _masked(error))
            finally:
                self._watches.pop(number, None)

        self._watches[number] = asyncio.ensure_future(watching())

    def stop(self, number: int) -> None:
        """Nobody wants to hear more of this one."""
        if (task := self._watches.pop(number, None)) is not None:
            task.cancel()

    def judge(self, raw: bytes) -> None:
        """Begin to judge a file."""
        self._judging = Judging(bytes(raw))

    def go_on(self, seconds: float) -> bytes:
        """Judge for so long: how far it is, as JSON; `null` when it is through."""
        assert self._judging is not None
        return msgspec.json.encode(self._judging.go_on(seconds))

    async def verdict(self) -> bytes:
        """What was found, as JSON."""
        assert self._judging is not None
        judged, self._judging = self._judging, None
        found: dict[str, Any] = await judged.verdict(self._service)
        return msgspec.json.encode(found)


def _masked(error: Exception) -> bytes:
    why = f"{type(error).__name__}: {error}"
    return Failed(ApiError(Reason.INTERNAL, why)).told
