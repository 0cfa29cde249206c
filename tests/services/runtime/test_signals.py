"""Signals: tasks that wait until one is set."""

import asyncio

import pytest

from services.runtime.signals import Signal


async def test_all_waiting_tasks_continue_in_order_when_the_signal_is_set() -> None:
    signal, heard = Signal(), []

    async def listen(name: str) -> None:
        await signal.wait()
        heard.append(name)

    tasks = [asyncio.create_task(listen(name)) for name in "abc"]
    await asyncio.sleep(0)
    assert not heard
    signal.set()
    signal.clear()  # waiting tasks have received it all the same
    await asyncio.gather(*tasks)
    assert heard == ["a", "b", "c"]


async def test_it_is_waited_for_only_until_it_has_rung() -> None:
    signal = Signal()
    assert not signal.is_set()
    signal.set()
    signal.set()
    async with asyncio.timeout(5):
        await signal.wait()
    signal.clear()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await signal.wait()


async def test_a_cancelled_waiter_does_not_block_the_signal() -> None:
    signal = Signal()
    gone, stays = (asyncio.create_task(signal.wait()) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.sleep(0)
    signal.set()
    async with asyncio.timeout(5):
        await stays
    assert gone.cancelled()
