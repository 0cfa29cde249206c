"""A benchmark of durable actions by PlayService.Session and by unary calls, against a floor.

The floor is a bare bidirectional handler of grpc.aio that commits one row for each message. One
writer thread commits all waiting rows in one transaction. There are no games, tokens or digests,
and the response is the message itself. Servers and clients are separate processes on the same
machine. The service's clients let receipts of a commit share a signature, as its own client does.
Printed are calls a second, the server's processor time for a call, and latencies.
"""

import argparse
import asyncio
import os
import queue
import tempfile
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import grpc
import grpc.aio
import uvloop
from submit import GAME, PROCESSES, commit_groups, long_line, play_emeth, race, serve_emeth

from services.client import Client, new_request
from services.wire.emeth.v1 import play_pb2, session_pb2

TICKS = os.sysconf("SC_CLK_TCK")


def serve_floor(folder: str, ready: Connection) -> None:
    """Run the floor's server, and send its address."""

    async def serve() -> None:
        loop = asyncio.get_running_loop()
        waiting: queue.SimpleQueue[tuple[bytes, asyncio.Future[None]]] = queue.SimpleQueue()
        threading.Thread(target=commit_groups, args=(folder, waiting, loop), daemon=True).start()

        async def session(_: Any, context: Any) -> None:
            answers: asyncio.Queue[bytes] = asyncio.Queue()

            async def send() -> None:
                while True:
                    await context.write(await answers.get())

            sending, tasks = asyncio.create_task(send()), set()

            async def commit(request: bytes) -> None:
                done = loop.create_future()
                waiting.put((request, done))
                await done
                answers.put_nowait(request)

            while (request := await context.read()) is not grpc.aio.EOF:
                task = asyncio.create_task(commit(request))
                tasks.add(task)
                task.add_done_callback(tasks.discard)
            sending.cancel()

        server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        method = grpc.stream_stream_rpc_method_handler(session)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("floor.Floor", {"Session": method}),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        ready.send(f"127.0.0.1:{port}")
        await server.wait_for_termination()

    uvloop.run(serve())


async def play_floor(address: str, clients: int, seconds: float) -> list[float]:
    """Return the latencies of `clients` callers on one stream of the floor."""
    async with grpc.aio.insecure_channel(address) as channel:
        connect: Any = channel.stream_stream("/floor.Floor/Session")
        stream, waiting, turn = connect(), {}, asyncio.Lock()
        numbers = iter(range(1 << 30))

        async def read() -> None:
            while (answer := await stream.read()) is not grpc.aio.EOF:
                waiting.pop(answer[:8]).set_result(None)

        async def one(_: Any) -> None:
            number = next(numbers).to_bytes(8)
            waiting[number] = asyncio.get_running_loop().create_future()
            answered = waiting[number]
            async with turn:
                await stream.write(number + b"x" * 292)
            await answered

        reading = asyncio.create_task(read())
        took = await race(clients, seconds, lambda: None, one)
        reading.cancel()
        return took


async def play_basic(address: str, clients: int, seconds: float) -> list[float]:
    """Return the latencies of a session with BASIC responses."""
    return await play_session(address, clients, seconds, play_pb2.RESPONSE_VIEW_BASIC)


async def play_session(
    address: str, clients: int, seconds: float, view: int = play_pb2.RESPONSE_VIEW_FULL
) -> list[float]:
    """Return the latencies of a session with an action in flight in each of `clients` matches."""
    line = long_line(60)
    async with Client(address) as client:
        enough = clients + int(6000 * seconds / len(line))
        matches = [await client.create_match(game=GAME) for _ in range(enough)]
    async with grpc.aio.insecure_channel(address) as channel:
        connect: Any = channel.stream_stream(
            "/emeth.v1.PlayService/Session",
            request_serializer=session_pb2.SessionRequest.SerializeToString,
            response_deserializer=session_pb2.SessionResponse.FromString,
        )
        stream, waiting, turn = connect(), {}, asyncio.Lock()
        numbers = iter(range(1, 1 << 30))
        unsent: list[session_pb2.SessionCall] = []

        async def read() -> None:
            async for response in stream:
                for answer in response.responses:
                    waiting.pop(answer.call_id).set_result(answer)

        async def call(**what: Any) -> session_pb2.CallResponse:
            number = next(numbers)
            waiting[number] = asyncio.get_running_loop().create_future()
            answered = waiting[number]
            unsent.append(session_pb2.SessionCall(call_id=number, **what))
            async with turn:
                if unsent:
                    calls = tuple(unsent)
                    unsent.clear()
                    await stream.write(session_pb2.SessionRequest(calls=calls))
            return await answered

        async def one(actions: Any) -> None:
            seat, request = await anext(actions)
            answer = await call(token_id=seat, submit_action=request)
            if not answer.submit_action.HasField("accepted"):
                raise SystemExit(f"not accepted: {answer}")

        async def actions() -> Any:
            place = 2 * next(callers)
            while matches:
                match = matches.pop()
                seats = {"white": place + 1, "black": place + 2}
                for seat, number in seats.items():
                    given = session_pb2.Authenticate(token_id=number, token=match.tokens[seat])
                    await call(authenticate=given)
                for seat, action in line:
                    yield (
                        seats[seat],
                        play_pb2.SubmitActionRequest(
                            request_id=new_request(),
                            match_id=match.match.match_id,
                            action=action,
                            view=view,  # type: ignore[arg-type]
                            group_receipt=True,
                        ),
                    )

        callers = iter(range(clients))
        reading = asyncio.create_task(read())
        took = await race(clients, seconds, actions, one)
        reading.cancel()
        return took


def client_process(
    play: Any, address: str, clients: int, seconds: float, server: int, out: Connection
) -> None:
    """Play, and send the latencies and the server's processor time meanwhile."""
    began: list[float] = []

    async def timed() -> list[float]:
        return await play(address, clients, seconds)

    def race_begins(*_: Any) -> None:
        began.append(used(server))

    import submit  # its clock starts when the race does

    plain = submit.race

    async def watched(*arguments: Any) -> list[float]:
        race_begins()
        took = await plain(*arguments)
        began.append(used(server))
        return took

    submit.race = globals()["race"] = watched
    out.send((uvloop.run(timed()), began[1] - began[0]))


def used(process: int) -> float:
    """Return the processor time that a process has used, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def measure(name: str, serve: Any, play: Any, clients: int, seconds: float) -> float:
    """Print the figures of one kind of call, and return calls a second."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = PROCESSES.Pipe()
        server = PROCESSES.Process(target=serve, args=(folder, there), daemon=True)
        server.start()
        address = here.recv()
        arguments = (play, address, clients, seconds, server.pid, there)
        caller = PROCESSES.Process(target=client_process, args=arguments, daemon=True)
        caller.start()
        took, cpu = here.recv()
        caller.join()
        server.terminate()
        server.join()
    rate = len(took) / seconds
    p99 = quantiles(took, n=100)[98]
    print(
        f"{name:8} {clients:3} at once {rate:8.0f} calls/s  server {cpu / len(took) * 1e6:5.0f} us"
        f"  p50 {median(took) * 1e3:6.2f} ms  p99 {p99 * 1e3:6.2f} ms",
        flush=True,
    )
    return rate


def main() -> None:
    """Measure the floor, unary calls and sessions for each number of clients."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 64])
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    for clients in given.clients:
        floor = measure("floor", serve_floor, play_floor, clients, given.seconds)
        measure("unary", serve_emeth, play_emeth, clients, given.seconds)
        session = measure("session", serve_emeth, play_session, clients, given.seconds)
        measure("basic", serve_emeth, play_basic, clients, given.seconds)
        print(f"ratio    {clients:3} at once {session / floor:8.2f} of the floor", flush=True)


if __name__ == "__main__":
    main()
