"""Journals of offline messages: one answer for all entries."""

from collections.abc import Iterator
from typing import Final

from domain.table.events import MAX_STYLUS_ID_LENGTH
from services.devices.intake import IntakeReply
from services.mapping.messages import uint32
from services.wire.emeth.devices.v1 import connections_pb2 as pb

MAX_EVENTS: Final = 200
"""Maximum number of events in a prompt. Older ones are dropped."""


def next_confirm_seats(journal: pb.Journal) -> list[str]:
    """Return for each entry the seat that the next Confirm of its stylus names; empty for none."""
    seats: list[str] = []
    following: dict[str, str] = {}
    for entry in reversed(journal.entries):
        if entry.tap.seat:
            following[entry.tap.stylus_id] = entry.tap.seat[:MAX_STYLUS_ID_LENGTH]
        seats.append(following.get(entry.tap.stylus_id, ""))
    return seats[::-1]


class JournalAnswer:
    """The answer to the entries of a journal, with one prompt for each stylus."""

    def __init__(self, seating: int = 0) -> None:
        self.seating = seating
        """The counter of seat changes before the first entry was processed."""
        self.acknowledged = 0
        """Number up to which all messages are on disk."""
        self._prompts: dict[str, pb.DevicePrompt] = {}

    def add(self, taken: IntakeReply) -> None:
        """Add the reply to one entry."""
        self.acknowledged = max(self.acknowledged, taken.acknowledged)
        prompt = taken.prompt
        if prompt is None:
            return
        before = self._prompts.get(prompt.stylus_id)
        if before is not None:
            events = [*before.events, *prompt.events][-MAX_EVENTS:]
            del prompt.events[:]
            prompt.events.extend(events)
            prompt.replayed = prompt.replayed and before.replayed
        self._prompts[prompt.stylus_id] = prompt

    def clear(self) -> None:
        """Start a new answer: the entries before are answered."""
        self._prompts.clear()

    def prompts(self) -> Iterator[pb.DevicePrompt]:
        """Return one prompt for each stylus, with the result of all its entries."""
        for prompt in self._prompts.values():
            prompt.acknowledged_seq = uint32(self.acknowledged)
            yield prompt
