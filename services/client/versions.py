"""What a client has seen of each match, so that its reads are never older than its own writes."""

from collections import OrderedDict
from typing import Any, Final

from google.protobuf.message import Message

MATCHES: Final = 1000
"""Matches whose versions are kept; the least lately used are forgotten."""


class SeenVersions:
    """The newest version of each match that a service has told this client of."""

    def __init__(self) -> None:
        self._newest: OrderedDict[str, int] = OrderedDict()

    def learn(self, request: Message, response: Message) -> None:
        """Keep the version that a command made."""
        takes, asked, answer = request.DESCRIPTOR.fields_by_name, _any(request), _any(response)
        gives = answer.DESCRIPTOR.fields_by_name
        if "request_id" not in takes:
            return
        if "match" in gives:
            self._keep(answer.match.match_id, answer.match.version)
        if "match_id" not in takes:
            return
        for name in ("accepted", "consent"):
            if name in gives and answer.HasField(name):
                self._keep(asked.match_id, getattr(answer, name).version)
        if "version" in gives:
            self._keep(asked.match_id, answer.version)
        if "dispute" in gives:
            dispute = answer.dispute
            self._keep(asked.match_id, max(dispute.number, dispute.verdict.version))

    def ask(self, request: Message) -> None:
        """Have a read wait for what this client has seen, unless it says itself what it wants."""
        wanted = _any(request)
        if "at_least_version" in wanted.DESCRIPTOR.fields_by_name and not wanted.at_least_version:
            wanted.at_least_version = self._newest.get(wanted.match_id, 0)

    def _keep(self, match: str, version: int) -> None:
        self._newest[match] = max(version, self._newest.get(match, 0))
        self._newest.move_to_end(match)
        if len(self._newest) > MATCHES:
            self._newest.popitem(last=False)


def _any(message: Message) -> Any:
    """The message, with the fields that only its own type has."""
    return message
