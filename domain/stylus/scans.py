"""From what a board senses to actions: the legal ones after which the position stands like that.

Any game can be played so whose scene has spaces with pieces on them. Nothing here knows one.
"""

from itertools import islice
from typing import Any, Final

from msgspec import Struct

from domain.kernel.any_game import after
from domain.kernel.game import AnyGame
from domain.kernel.scene import Scene
from domain.stylus.boards import (
    Board,
    Standing,
    Step,
    changed,
    differing,
    kind_of,
    standing_in,
    steps,
)
from domain.stylus.pointing import Narrowed, Option

MOST: Final = 3000
"""Legal actions of one position that are looked at, at most."""
AT_ONCE: Final = 20
"""Those that are looked at in between, at most: a position after each takes up to a millisecond."""
MOST_LISTED: Final = 36
"""Actions among which a player is asked, at most."""


class Next(Struct, frozen=True):
    """A legal action, and what stands after it."""

    action: Any
    notation: str
    scene: Scene
    standing: Standing
    changed: frozenset[str]
    """The spaces on which something else stands then."""


class Read(Struct, frozen=True):
    """What a board shows, beside a position."""

    agrees: bool
    """It shows this very position."""
    leads: tuple[str, ...] = ()
    """The legal actions, in notation, after which the position would stand like that."""
    steps: tuple[Step, ...] = ()
    """What differs from the position."""
    nearest: str = ""
    """If no action leads there: the one that comes nearest, nearer than the position itself."""
    lacking: tuple[Step, ...] = ()
    """What differs from the position after that one."""


class Boards:
    """A position as boards are compared with it. Legal actions are worked out once, when asked."""

    def __init__(self, game: AnyGame, state: Any, seat: str, viewer: str) -> None:
        """`seat` is who is to act, empty if nobody may; `viewer` with whose eyes it is seen."""
        self._game, self._state, self._seat, self._viewer = game, state, seat, viewer
        self._scene = game.look(state, viewer)
        self._standing = standing_in(self._scene)
        self._next: tuple[Next, ...] | None = None

    @property
    def spaces(self) -> frozenset[str]:
        """The spaces that a board can watch."""
        return frozenset(space.id for space in self._scene.spaces)

    def shows(self, board: Board) -> bool:
        """Does the board show this position, and certainly not another game's? It watches spaces
        of this game alone, and half of them at least."""
        if 2 * len(board) < len(self.spaces) or not board.keys() <= self.spaces:
            return False
        return any(board.values()) and self.agree(board)

    def agree(self, board: Board) -> bool:
        """Does all that the board watches of this game stand as in the position?"""
        board = {space: signs for space, signs in board.items() if space in self.spaces}
        return not differing(board, self._standing)

    def standing(self, board: Board) -> dict[str, tuple[str, ...]]:
        """What stands in the position where the board shows something else."""
        watched = {space: signs for space, signs in board.items() if space in self.spaces}
        return {
            space: tuple(sorted(map(kind_of, self._standing.get(space, ()))))
            for space in sorted(differing(watched, self._standing))
        }

    def read(self, board: Board, touched: frozenset[str] = frozenset()) -> Read:
        """What the board shows. Where several actions would leave it like that, those count that
        change nothing but what was `touched`: a board that knows no piece from another still tells
        which was lifted."""
        board = {space: signs for space, signs in board.items() if space in self.spaces}
        differs = differing(board, self._standing)
        if not differs:
            return Read(agrees=True)
        leads = [
            each
            for each in self.next
            if differs <= each.changed and not self._apart(board, differs, each)
        ]
        if len(leads) > 1:
            leads = [each for each in leads if each.changed <= touched] or leads
        if len(leads) > 1 and self._is_chance:
            leads = []  # dice lie somewhere else: nobody guesses at them
        wrong = steps(board, self._scene)
        if leads:
            return Read(False, tuple(each.notation for each in leads[:MOST_LISTED]), wrong)
        nearest = self._nearest(board, differs)
        if nearest is None:
            return Read(agrees=False, steps=wrong)
        return Read(
            agrees=False,
            steps=wrong,
            nearest=nearest.notation,
            lacking=steps(board, nearest.scene),
        )

    @property
    def crowded(self) -> bool:
        """Are there so many actions, which were not worked out before, that it takes long?"""
        if self._next is not None or not self._seat:
            return False
        legal = self._game.legal(self._state, self._seat)
        return next(islice(legal, AT_ONCE, None), None) is not None

    @property
    def next(self) -> tuple[Next, ...]:
        """Every legal action that changes what stands somewhere."""
        if self._next is None:
            self._next = tuple(self._worked_out()) if self._seat and self.spaces else ()
        return self._next

    def _worked_out(self) -> list[Next]:
        game, found = self._game, []
        for action in islice(game.legal(self._state, self._seat), MOST):
            if game.aside(action):
                continue
            scene = game.look(after(game, self._state, self._seat, action), self._viewer)
            standing = standing_in(scene)
            moved = changed(self._standing, standing)
            if moved:
                found.append(Next(action, game.write_action(action), scene, standing, moved))
        return found

    @property
    def _is_chance(self) -> bool:
        asks = self._game.turn(self._state)
        return any(ask.chance for ask in asks if ask.seat == self._seat)

    def _nearest(self, board: Board, differs: frozenset[str]) -> Next | None:
        """The one action after which least differs, if less does than now."""
        counted = [(self._apart(board, differs, each), each) for each in self.next]
        least = min((count for count, _ in counted), default=0)
        nearest = [each for count, each in counted if count == least]
        return nearest[0] if len(nearest) == 1 and least < len(differs) else None

    def _apart(self, board: Board, differs: frozenset[str], after: Next) -> int:
        """On how many spaces the board shows something else than stands after an action: only what
        differs now, and what the action changes, has to be looked at."""
        shown = {space: board[space] for space in after.changed if space in board}
        return len(differs - after.changed) + len(differing(shown, after.standing))


def narrowed_to(game: AnyGame, state: Any, leads: tuple[str, ...]) -> Narrowed:
    """What is left to choose among when a board shows what these actions lead to. What costs one's
    own piece is never armed by it: a piece may have been knocked over."""
    options = tuple(Option(each, game.read_action(each)) for each in leads)
    if len(options) == 1 and not game.parts(state, options[0].action).deliberate:
        return Narrowed(any=True, armed=options[0])
    return Narrowed(any=True, runes=options)
