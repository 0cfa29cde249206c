"""The versions that a client has seen of each match: its reads include its own writes."""

from collections import OrderedDict
from typing import Any, Final

from google.protobuf.message import Message

from services.wire.emeth.v1.matches_pb2 import LeaveMatchRequest

SPECTATOR: Final = "spectator"
MAX_MATCHES: Final = 1000
"""Maximum number of matches whose versions and tokens are remembered, the latest used ones."""


class SeenVersions:
    """The newest version of each match that a response has reported to this client."""

    def __init__(self) -> None:
        self._newest: OrderedDict[str, int] = OrderedDict()

    def learn(self, request: Message, response: Message) -> None:
        """Record the version that a command created."""
        takes, asked, answer = (
            request.DESCRIPTOR.fields_by_name,
            _untyped(request),
            _untyped(response),
        )
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
        """Have a read wait for the newest version seen, unless the request names a version."""
        wanted = _untyped(request)
        fields = wanted.DESCRIPTOR.fields_by_name
        if {"match_id", "at_least_version"}.issubset(fields) and not wanted.at_least_version:
            wanted.at_least_version = self._newest.get(wanted.match_id, 0)

    def _keep(self, match: str, version: int) -> None:
        self._newest[match] = max(version, self._newest.get(match, 0))
        self._newest.move_to_end(match)
        if len(self._newest) > MAX_MATCHES:
            self._newest.popitem(last=False)


class MatchTokens:
    """A token of each match that this client has used or received: it opens the match for reads."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, str] = OrderedDict()

    def get(self, match: str) -> str:
        """Return the token of a match; empty if none is known."""
        return self._tokens.get(match, "")

    def learn(self, request: Message, response: Message, token: str) -> None:
        """Record the token of a successful call, or the token that its response contains."""
        takes, asked, answer = (
            request.DESCRIPTOR.fields_by_name,
            _untyped(request),
            _untyped(response),
        )
        gives = answer.DESCRIPTOR.fields_by_name
        if isinstance(request, LeaveMatchRequest):
            self.forget(request.match_id, token)
        elif "tokens" in gives and "match" in gives:
            self._keep(answer.match.match_id, answer.tokens.get(SPECTATOR, ""))
        elif "token" in gives and "match" in gives and answer.token:
            if self.get(answer.match.match_id) in ("", token):
                # What was shown is good for nothing any more.
                self._keep(answer.match.match_id, answer.token)
        elif "match_id" in takes and token and not self.get(asked.match_id):
            self._keep(asked.match_id, token)
        if "rematch_seat" in gives and answer.HasField("rematch_seat"):
            # A player's own token stands for every seat.
            self._keep(answer.rematch_seat.match_id, answer.rematch_seat.token or token)

    def forget(self, match: str, token: str) -> None:
        """Remove a token of a match that is no longer valid."""
        if self.get(match) == token:
            del self._tokens[match]

    def _keep(self, match: str, token: str) -> None:
        if token:
            self._tokens[match] = token
            self._tokens.move_to_end(match)
        if len(self._tokens) > MAX_MATCHES:
            self._tokens.popitem(last=False)


def _untyped(message: Message) -> Any:
    """Return the message without its static type."""
    return message
