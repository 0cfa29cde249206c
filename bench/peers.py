"""A comparison of actions a second with boardgame.io, with as many matches and moves.

boardgame.io runs on Node with its durable adapter, and in memory, with its own socket client. Its
game counts moves, has no rules, and responds with the state. Actions of Emeth include rules,
signatures, and one disk sync for all commands that wait together. A BASIC response only confirms
the action, signed; a FULL one narrates all that followed. Needs `node` and `npm`; the first run
installs the library into build/.
"""

import argparse
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from sessions import measure, play_basic, play_session
from submit import serve_emeth

HERE = Path(__file__).parent / "boardgame_io"
BUILD = Path(__file__).parents[1] / "build" / "boardgame_io"


def install() -> None:
    """Install the library and the two scripts into build/."""
    BUILD.mkdir(parents=True, exist_ok=True)
    for each in HERE.iterdir():
        shutil.copy(each, BUILD)
    wanted, installed = (HERE / "package.json").read_text(), BUILD / ".installed"
    if not installed.exists() or installed.read_text() != wanted:
        subprocess.run(["npm", "install", "--silent", "--no-audit"], cwd=BUILD, check=True)
        installed.write_text(wanted)


LEAST_A_SECOND = 20
"""Moves a second below which its client is ended: it waits for a lost move forever."""


def moves_a_second(folder: str, matches: int, moves: int) -> float:
    """Return the moves a second of boardgame.io, stored in `folder`, or in memory if empty."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = os.environ | {"PORT": port, "FOLDER": folder, "NODE_ENV": "production"}
    server = subprocess.Popen(
        ["node", "server.js"], cwd=BUILD, env=environment, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        if not server.stdout.readline():
            raise SystemExit("the server of boardgame.io ended")
        client = subprocess.run(
            ["node", "client.js", str(matches), str(moves)],
            cwd=BUILD,
            env=environment,
            stdout=subprocess.PIPE,
            check=True,
            timeout=60 + moves / LEAST_A_SECOND,
        )
        return float(client.stdout.split()[-1])
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Compare sessions with boardgame.io, durable and in memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    install()
    full, basic = (
        measure(name, serve_emeth, play, given.matches, given.seconds)
        for name, play in (("session", play_session), ("basic", play_basic))
    )
    moves = int(full * given.seconds)
    with tempfile.TemporaryDirectory() as folder:
        for name, where in (("durable", folder), ("memory", "")):
            theirs = moves_a_second(where, given.matches, moves)
            print(
                f"boardgame.io {name:8} {theirs:8.0f} moves/s of {moves}"
                f"  ratio {full / theirs:8.2f}  basic {basic / theirs:8.2f}"
            )


if __name__ == "__main__":
    main()
