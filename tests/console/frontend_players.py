"""A site with accounts, for pages that are a player's."""

import json
import urllib.request
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.console.conftest import ConsoleService


class Member:
    """A player of a frontend."""

    def __init__(self, served: ConsoleService, name: str, introduced: dict[str, Any]) -> None:
        self._served = served
        self.name = name
        self.id = str(introduced["player"]["playerId"])
        self.token = str(introduced["token"])

    def call(self, method: str, **request: object) -> dict[str, Any]:
        """A call that changes something."""
        return self._served.call(method, {"requestId": str(uuid4()), **request}, self.token)

    def sit(self, match: str, seat: str, code: str) -> None:
        self.call("MatchesService/JoinMatch", matchId=match, role=seat, inviteCode=code)

    def act(self, match: str, action: str) -> None:
        answer = self.call("PlayService/SubmitAction", matchId=match, action=action)
        assert "accepted" in answer, answer

    @property
    def link(self) -> str:
        """The address of the pages, for this player."""
        return f"{self._served.url}/#player={self.token}"


def members(served: ConsoleService, *names: str) -> list[Member]:
    """Players of a frontend that is created for them."""
    admin = Path(served.folder, "data", "admin.key").read_text().strip()
    created = {"requestId": str(uuid4()), "frontend": {"name": f"Club {uuid4()}"}}
    site = served.call("FrontendsService/CreateFrontend", created, admin)
    return [Member(served, name, _introduced(served, site["key"], name)) for name in names]


def _introduced(served: ConsoleService, key: str, name: str) -> dict[str, Any]:
    player = {"externalId": name, "name": name}
    request = {"requestId": str(uuid4()), "player": player, "allowMissing": True}
    headers = {"Content-Type": "application/json", "emeth-frontend": key}
    url = f"{served.url}/emeth.v1.PlayersService/UpdatePlayer"
    asked = urllib.request.Request(url, json.dumps(request).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(asked, timeout=30) as answer:  # noqa: S310
        introduced: dict[str, Any] = json.load(answer)
    return introduced


def table_of(served: ConsoleService, white: Member, black: Member, **terms: object) -> str:
    """A match of A.G.O.G. between two members."""
    match = served.create("agog", **terms)
    for seat, member in (("white", white), ("black", black)):
        member.sit(match.id, seat, match.tokens[seat])
    return match.id
