"""The interaction of the page's table as a state machine: how a player points at an action.

It is the machine of the scene contract, without pointers and confirmations. Forecasts are made as
the service makes them.
"""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.any_game import fold
from domain.kernel.forecasts import complete_forecast
from domain.kernel.game import AnyGame, ResolvedAction
from domain.kernel.hints import Forecast
from domain.kernel.orders import Order, OrderAction
from domain.kernel.parts import Pick
from domain.kernel.rulings import Accepted
from domain.kernel.scene_changes import diff_scenes

SHOWN = frozenset({"hit", "via"})
"""Roles of picks that are not asked for."""

Found = tuple[Order[Any], OrderAction[Any]]


class Choice(Struct, frozen=True):
    """What a player has chosen so far."""

    state: Literal["idle", "selected", "choose", "finished"] = "idle"
    actor: str = ""
    order: Order[Any] | None = None
    """The order, once it is chosen."""
    made: tuple[str, ...] = ()
    """The ids that were picked after the actor."""
    found: Found | None = None
    """The action that was chosen in the end."""


IDLE = Choice()


class MixedPicksError(Exception):
    """Some actions ask for an option next, and others do not, so the option cannot be chosen."""


def asked_picks(action: OrderAction[Any]) -> tuple[Pick, ...]:
    return tuple(pick for pick in action.picks if pick.role not in SHOWN)


class Interaction:
    """The choices among the orders of a position."""

    def __init__(self, orders: Sequence[Order[Any]]) -> None:
        self.orders = [order for order in orders if order.actions]

    def left(self, choice: Choice) -> list[Found]:
        """The actions that are still possible."""
        among = [choice.order] if choice.order else self.of(choice.actor)
        made = choice.made
        return [
            (order, action)
            for order in among
            for action in order.actions
            if tuple(pick.id for pick in asked_picks(action)[: len(made)]) == made
        ]

    def of(self, actor: str) -> list[Order[Any]]:
        return [order for order in self.orders if order.actor == actor] if actor else []

    def press(self, choice: Choice, target: str) -> Choice:
        """Press a piece, a space or a zone."""
        if choice.state == "selected":
            if target in self.targets(choice):
                return self._go_on(replace(choice, made=(*choice.made, target)))
            if choice.made[-1:] == (target,):
                return self.press_again(choice)
        return self._select(target, None) if self.of(target) else IDLE

    def press_order(self, order: Order[Any], choice: Choice = IDLE) -> Choice:
        """Press a line of a card, an icon of the strip, or a button.

        The second time it means the action without picks, where others have targets.
        """
        if choice.state == "selected" and choice.order is order:
            return self.press_again(choice)
        return self._select(order.actor, order)

    def press_again(self, choice: Choice) -> Choice:
        """Take the action that is complete, after a second press of what was pressed last."""
        complete = self._complete(choice)
        return self._finish(choice, complete[0]) if len(complete) == 1 else IDLE

    def choose(self, choice: Choice, row: str) -> Choice:
        """Press a row of the popover: an option, or an order by its line and verb."""
        assert choice.state == "choose"
        assert row in self.rows(choice), (row, self.rows(choice))
        if self._orders_left(choice) > 1:
            order = next(o for o, _ in self.left(choice) if order_row(o) == row)
            return self._go_on(replace(choice, state="selected", order=order))
        return self._go_on(replace(choice, state="selected", made=(*choice.made, row)))

    def targets(self, choice: Choice) -> set[str]:
        """What is lit: what may be pressed next."""
        nexts = (self._next(choice, action) for _, action in self.left(choice))
        return {pick.id for pick in nexts if pick is not None and pick.role != "option"}

    def rows(self, choice: Choice) -> set[str]:
        """The rows of the popover."""
        if self._orders_left(choice) > 1:
            return {order_row(order) for order, _ in self.left(choice)}
        nexts = (self._next(choice, action) for _, action in self.left(choice))
        return {pick.id for pick in nexts if pick is not None and pick.role == "option"}

    def _select(self, actor: str, order: Order[Any] | None) -> Choice:
        own = self.of(actor)
        if order is None and len(own) == 1:
            order = own[0]
        return self._go_on(Choice("selected", actor, order), is_start=True)

    def _go_on(self, choice: Choice, *, is_start: bool = False) -> Choice:
        left = self.left(choice)
        assert left, choice
        complete = self._complete(choice)
        if self._orders_left(choice) > 1:
            if is_start:
                return choice
            if len(complete) == 1:
                return self._finish(choice, complete[0])
            return replace(choice, state="choose")
        choice = replace(choice, order=left[0][0])
        if len(left) == 1 and complete:
            return self._finish(choice, complete[0])
        nexts = [self._next(choice, action) for _, action in left]
        is_option = [pick is not None and pick.role == "option" for pick in nexts]
        if any(is_option) and not all(is_option):
            raise MixedPicksError(order_row(left[0][0]), nexts)
        return replace(choice, state="choose" if all(is_option) else "selected")

    def _finish(self, choice: Choice, found: Found) -> Choice:
        return replace(choice, state="finished", found=found)

    def _complete(self, choice: Choice) -> list[Found]:
        return [each for each in self.left(choice) if self._next(choice, each[1]) is None]

    def _next(self, choice: Choice, action: OrderAction[Any]) -> Pick | None:
        return next(iter(asked_picks(action)[len(choice.made) :]), None)

    def _orders_left(self, choice: Choice) -> int:
        return len({order_row(order) for order, _ in self.left(choice)})


def order_row(order: Order[Any]) -> str:
    """The row of an order: its line and verb."""
    return f"{order.line} {order.verb}"


def reach(table: Interaction, order: Order[Any], action: OrderAction[Any]) -> Choice:
    """Point at an action, first at its piece and its order, then at each pick in order."""
    is_only = order.actor and len(table.of(order.actor)) == 1
    choice = table.press(IDLE, order.actor) if is_only else table.press_order(order)
    for pick in asked_picks(action)[len(choice.made) :]:
        if choice.state == "finished":
            break
        if pick.role == "option":
            choice = table.choose(choice, pick.id)
        else:
            assert pick.id in table.targets(choice), (pick, table.targets(choice))
            choice = table.press(choice, pick.id)
    if choice.state == "selected" and choice.made:
        choice = table.press(choice, choice.made[-1])  # longer actions begin alike
    elif choice.state == "selected":
        choice = table.press_order(order, choice)
    return choice


def whole_forecast(game: AnyGame, state: Any, seat: str, action: Any) -> Forecast:
    """Return the forecast of a legal action that reveals nothing, as the service makes it."""
    outcome = game.decide(state, seat, action)
    assert isinstance(outcome, Accepted)
    after = fold(game, state, outcome.facts)
    resolved = game.redact(ResolvedAction(seat, action, outcome.facts, outcome.rulings), seat)
    narration = game.narrate(state, resolved, after)
    before, renamed = game.scene(state, seat), game.piece_id_changes(resolved)
    changes = diff_scenes(before, game.scene(after, seat), renamed)
    found = Forecast(sentence=narration.outcome, changes=changes)
    return complete_forecast(game, state, seat, action, found, narration.facts, before)
