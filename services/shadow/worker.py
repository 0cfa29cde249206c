"""The process in which a shadow runs: reads steps, a JSON object a line, and answers each.

It is started as `python -m services.shadow.worker MODULE`, by `services.shadow.beside`. It has no
secrets and little memory, so whatever the shadow does there hurts nobody.
"""

import os
import sys
from typing import Final

import msgspec
from msgspec import Struct

from services.shadow.comparing import Divergence, Step, compare
from services.shadow.interface import NoShadowError, load_shadow

MEMORY: Final = 2 << 30
"""Bytes of address space that a shadow may have."""
NICENESS: Final = 10


class Hello(Struct, frozen=True):
    """The first line of a worker."""

    game: str = ""
    problem: str = ""
    """Why there is no shadow; empty if there is one."""


class Answer(Struct, frozen=True):
    """What came of a step."""

    differences: tuple[Divergence, ...] = ()
    problem: str = ""
    """What the shadow raised; empty if it judged."""


def main(module: str) -> None:
    """Answer steps until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a shadow prints must not be taken for an answer
    _be_modest()
    try:
        shadow = load_shadow(module)
    except NoShadowError as error:
        answers.write(_line(Hello(problem=str(error))))
        return
    answers.write(_line(Hello(shadow.GAME)))
    decode = msgspec.json.Decoder(Step).decode
    for line in sys.stdin.buffer:
        step = decode(line)
        try:
            answer = Answer(tuple(compare(shadow, step)))
        except Exception as error:  # another's code: what it raises is told, and it goes on
            answer = Answer(problem=f"{type(error).__name__}: {error}")
        answers.write(_line(answer))


def _line(value: Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def _be_modest() -> None:
    try:
        import resource

        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, OSError, ValueError):  # a system that has no such limits
        return


if __name__ == "__main__":
    main(sys.argv[1])
