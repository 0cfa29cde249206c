"""A board that plays by itself: pieces are lifted and put in any order, and a sensor errs."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from domain.kernel.game import AnyGame
from domain.kernel.scene import Piece, Scene
from domain.stylus.boards import Board, changed, kind_of, standing_in
from domain.stylus.paths import taps_for
from domain.stylus.scans import Next
from domain.stylus.taps import Moment
from services.client.gateway import GatewayClient
from services.client.simulated_gateway import STYLUS, Faults, SimulatedPlayer

STRAY: Final = 0.3
"""How likely a sensor loses a piece, or sees one, while others are lifted."""
AGAIN: Final = 0.2
"""How likely it tells the same twice."""
LEAVES: Final = 0.2
AFTER: Final = 8
"""How likely its line is lost before an action, for how many actions at most."""

Told = Board | str
"""What a board tells: the spaces that changed, or what was tapped on it."""


def board_of(scene: Scene, sense: Callable[[Piece], str] = kind_of) -> dict[str, tuple[str, ...]]:
    """What a board shows of a position that knows so much of its pieces."""
    standing = standing_in(scene)
    return {s.id: tuple(map(sense, standing.get(s.id, ()))) for s in scene.spaces}


def on_the_way(moment: Moment, to: Next, random: Random) -> Iterator[Board]:
    """Boards between two positions: every piece that changes is lifted, and put, one after another
    in any order; and now and then a sensor loses a piece or sees one for a moment."""
    board, aim = board_of(moment.scene), board_of(to.scene)
    lifts = random.sample(sorted(to.changed), len(to.changed))
    for space in lifts:
        board = {**board, space: ()}
        yield board
        stray = random.choice(sorted(aim))
        if random.random() < STRAY:
            yield {**board, stray: () if board[stray] else ("*",)}
            yield board
    for space in random.sample(lifts, len(lifts)):
        board = {**board, space: aim[space]}
        yield board


def told_of(moment: Moment, action: Any, random: Random) -> Iterator[Told]:
    """What a board tells of an action, the last thing being that it is confirmed. What it cannot
    tell from others is tapped, and then shown."""
    game = moment.game
    leads = {each.notation: each for each in moment.boards.next}
    to = leads.get(game.write_action(action))
    alike = [each for each in leads.values() if to and not changed(each.standing, to.standing)]
    if to is None or len(alike) > 1 or game.parts(moment.state, action).deliberate:
        yield from taps_for(moment, action)
        if to is not None:
            aim = board_of(to.scene)
            yield {space: aim[space] for space in to.changed}
        return
    shown = board_of(moment.scene)
    for board in on_the_way(moment, to, random):
        moved = {space: board[space] for space in board if board[space] != shown[space]}
        shown = {**shown, **moved}
        yield moved
        if random.random() < AGAIN:
            yield moved
    yield "button confirm"


class BoardPlayer(SimulatedPlayer):
    """Plays a random match on a board, and now and then without a line."""

    def __init__(self, game: AnyGame, random: Random, faults: Faults, stylus: str = STYLUS) -> None:
        super().__init__(game, random, faults, stylus)
        self._is_set_up = False
        self._alone = 0
        """So many more actions without a line."""

    async def _take(self, gateway: GatewayClient, moment: Moment, action: Any) -> None:
        if not self._is_set_up:
            await gateway.answer(gateway.scan(self._stylus, board_of(moment.scene)))
            self._is_set_up = True
        if not self._alone and self._random.random() < LEAVES:
            self._alone = self._random.randint(1, AFTER)
            gateway.unplug()
        last = 0
        for told in told_of(moment, action, self._random):
            if isinstance(told, str):
                last = gateway.send(self._stylus, told)
            else:
                gateway.scan(self._stylus, told, whole=False)
            self.taps += 1
        if self._alone:
            self._alone -= 1
            if self._alone:
                return
            gateway.plug()
        await gateway.answer(last)
