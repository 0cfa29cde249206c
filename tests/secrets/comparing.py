"""A pair of matches on a service: all that the viewer receives of the one and of the other."""

from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import Any, Final
from uuid import UUID

from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Refused
from services.wire.emeth.devices.v1 import gateways_pb2
from services.wire.emeth.v1 import history_pb2
from tests.secrets.answers import ServiceCaller
from tests.secrets.pairs import HIDING, Pair, advance_pair
from tests.secrets.viewer_requests import (
    CARD,
    READS,
    VIEWS,
    WRITES,
    Side,
    StylusCaller,
    ViewerContext,
    difference,
    read,
)

FOREIGN: Final = 15
"""Actions of others, and of no one, that the viewer tries."""
THINGS: Final = 6
"""Things on the table that are tapped."""


class LeakError(AssertionError):
    """Data that the viewer received depends on hidden information."""


class Comparison:
    """Compares pairs, one after the other, and counts what it saw."""

    def __init__(self, way: ServiceCaller, admin_key: str, random: Random, previews: int) -> None:
        self.pairs = 0
        self.answers = 0
        self.telling = 0
        """Previews of actions that do different things in the two matches."""
        self._way = way
        self._admin_key = admin_key
        self._random = random
        self._previews = previews

    async def compare(self, pair: Pair, *, whole: bool, names: Iterable[str] = READS) -> None:
        """Compare what the viewer reads of how the matches stand, by these rpcs; if `whole`, then
        also while they go on, what a stylus shows, and what else can be done. Raises LeakError."""
        sides = [await self._begin(pair, side) for side in (0, 1)]
        await self._look(pair, sides, tuple(names))
        if whole:
            for _ in range(2):
                pair = await self._go_on(pair, sides)
            await self._take_back(pair, sides)
            await self._look(pair, sides)
            if pair.viewer in pair.game.seats(pair.options):
                await self._tap(pair, sides)
            await self._act(pair, sides)
        self.pairs += 1

    async def _begin(self, pair: Pair, side: int) -> Side:
        request = history_pb2.ImportTranscriptRequest(
            request_id=self._uuid(), transcript=pair.transcript(side, self._uuid())
        )
        async for made in self._way.call("ImportTranscript", request, ""):
            return Side(self._way, made.match, dict(made.tokens))  # type: ignore[attr-defined]
        raise AssertionError("no answer")

    def _uuid(self) -> str:
        return str(UUID(int=self._random.getrandbits(128), version=4))

    # --- reading ---------------------------------------------------------------------------------

    async def _look(
        self, pair: Pair, sides: list[Side], names: tuple[str, ...] = tuple(READS)
    ) -> None:
        """Ask all that there is to be asked of how the matches stand."""
        assert sides[0].version == sides[1].version
        look = self._asking(pair)
        answers = [await read(side, look, names) for side in sides]
        self._same(pair, *answers)

    def _asking(self, pair: Pair) -> ViewerContext:
        game, viewer = pair.game, pair.viewer
        look = ViewerContext(game, viewer, game.seats(pair.options))
        legal = [self._listed(pair.states[0], pair, viewer)] if viewer in look.seats else []
        own = self._some([text for texts in legal for text in texts], self._previews)
        foreign = {
            text
            for state in pair.states
            for seat in (*look.seats, *(prompt.seat for prompt in game.turn(state)))
            if seat != viewer
            for text in islice(self._listed(state, pair, seat), 60)
        }
        tried = self._some(sorted(foreign), FOREIGN)
        look.previews = [*own, *tried]
        look.refused = [text for text in tried if self._is_refused(pair, text)]
        look.space = next((each.id for each in game.scene(pair.states[0], viewer).spaces), "")
        self.telling += sum(self._tells(pair, text) for text in own)
        return look

    def _listed(self, state: Any, pair: Pair, seat: str) -> list[str]:
        listed = islice(pair.game.legal(state, seat), 2000)
        return [pair.game.write_action(each) for each in listed]

    def _some(self, texts: list[str], most: int) -> list[str]:
        return texts if len(texts) <= most else self._random.sample(texts, most)

    def _outcomes(self, pair: Pair, text: str) -> list[Accepted[Any] | Refused]:
        action = pair.game.read_action(text)
        assert not isinstance(action, Refused)
        return [pair.game.decide(state, pair.viewer, action) for state in pair.states]

    def _is_refused(self, pair: Pair, text: str) -> bool:
        return all(isinstance(each, Refused) for each in self._outcomes(pair, text))

    def _tells(self, pair: Pair, text: str) -> bool:
        left, right = self._outcomes(pair, text)
        return left != right

    def _same(self, pair: Pair, left: list[Any], right: list[Any]) -> None:
        self.answers += len(left)
        if found := difference(left, right):
            starts = "\n".join(map(pair.game.write_position, pair.states))
            raise LeakError(f"{pair.viewer} can tell\n{starts}\napart by {found}")

    # --- going on --------------------------------------------------------------------------------

    async def _go_on(self, pair: Pair, sides: list[Side]) -> Pair:
        after = advance_pair(pair, self._random)
        if after is None:
            return pair
        step = after.steps[-1]
        answers = [
            await side.do("SubmitAction", side.tokens[step.seat], action=text)
            for side, text in zip(sides, step.texts, strict=True)
        ]
        if step.seat == pair.viewer:
            self._same(pair, *([(("SubmitAction", step.texts[0]), each)] for each in answers))
        return after

    async def _take_back(self, pair: Pair, sides: list[Side]) -> None:
        """The referee takes the next step back again: an undone branch is left."""
        if await self._go_on(pair, sides) is not pair:
            for side in sides:
                await side.do(
                    "CreateProposal", side.tokens["referee"], undo={"version": side.version - 1}
                )

    async def _act(self, pair: Pair, sides: list[Side]) -> None:
        look = self._asking(pair)
        look.previews = look.refused = []
        for names, deed in WRITES.items():
            if "resignation" in names and not self._may_resign(pair):
                continue
            answers = [await deed(side, look) for side in sides]
            self._same(pair, *([((str(names), ""), each)] for each in answers))
        answers = [await read(side, look) for side in sides]
        self._same(pair, *answers)

    def _may_resign(self, pair: Pair) -> bool:
        """Are the matches still twins when the viewer has given up, if they then go on?"""
        game, viewer, forfeit = pair.game, pair.viewer, pair.game.forfeit
        if forfeit is None or viewer not in game.seats(pair.options):
            return True
        open_part = HIDING[game.slug].open_part

        def after(state: Any) -> Any:
            return open_part(fold(game, state, forfeit(state, viewer).facts), viewer)

        return all(after(one) == after(other) for one, other in (pair.starts, pair.states))

    # --- taps ------------------------------------------------------------------------------------

    async def _tap(self, pair: Pair, sides: list[Side]) -> None:
        """A stylus for the viewer's seat, at a table of its own for each match."""
        pens = [await self._pen(pair, side) for side in sides]
        prompts: list[Any] = []
        answers = [[(("Connect", ""), await pen.taps([], prompts.append))] for pen in pens]
        self._same(pair, *answers)
        things = self._some([*prompts[0].next_targets], THINGS)
        codes = [*VIEWS, *(code for thing in things for code in (thing, *CARD))]
        answers = [
            [(("Connect", str(codes)), await pen.taps(codes, prompts.append))] for pen in pens
        ]
        self._same(pair, *answers)
        answers = [[(("the gateway", ""), await pen.asks())] for pen in pens]
        self._same(pair, *answers)

    async def _pen(self, pair: Pair, side: Side) -> StylusCaller:
        request = gateways_pb2.CreateGatewayRequest(request_id=self._uuid(), name="Corner")
        key = ""
        async for made in self._way.call("CreateGateway", request, self._admin_key):
            key = made.gateway_key  # type: ignore[attr-defined]  # of that rpc
        pen = StylusCaller(side, key)
        await pen.pair_and_seat([side.tokens[pair.viewer]])
        return pen
