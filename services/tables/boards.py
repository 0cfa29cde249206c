"""How a board that senses its pieces compares with the position, as a message of the API."""

from collections.abc import Iterable, Iterator
from typing import Final

from domain.stylus.boards import Step
from domain.stylus.taps import Moment
from domain.table import Stylus
from services.wire.emeth.v1 import gateways_pb2 as pb

MOST_STEPS: Final = 64
"""Pieces that a prompt tells to move, at most."""


def board(stylus: Stylus, moment: Moment) -> pb.Board:
    """What this stylus's board shows now, beside the position."""
    read = moment.boards.read(stylus.board, frozenset(stylus.touched))
    return pb.Board(
        agrees=read.agrees,
        steps=_steps(read.steps),
        nearest=read.nearest,
        lacking=_steps(read.lacking),
        corrected=[
            pb.CorrectedSpace(space=space, read=each.read, meant=each.meant)
            for space, each in stylus.corrected.items()
        ],
    )


def _steps(steps: Iterable[Step]) -> Iterator[pb.BoardStep]:
    for _, step in zip(range(MOST_STEPS), steps, strict=False):
        yield pb.BoardStep(
            sign=step.sign,
            name=step.name,
            stands=step.stands,
            belongs=step.belongs,
            sentence=step.sentence,
        )
