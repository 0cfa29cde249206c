"""The view of a position by one stylus, and the stylus's selection so far."""

from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.scene import Scene
from domain.stylus.narrowing import pointing_for
from domain.stylus.targets import IconView, Option, Pointing, RemainingOptions

PLAY: Final = "play"


class Selection(Struct, frozen=True, omit_defaults=True):
    """The taps of one stylus so far, and the view that its screen shows."""

    view: str = PLAY
    """The view on the screen: `play`, `map`, `map SPACE`, `info TARGET`, or an icon and its entry,
    such as `army SEAT`."""
    picked: tuple[str, ...] = ()
    digits: str = ""
    chosen: str = ""
    """The notation of the action that a rune chose."""
    page: int = 1
    """The page of the view, or of the list of runes."""
    tapped: str = ""
    """The thing tapped last, which may have several interpretations."""
    scanned: tuple[str, ...] = ()
    """Notations of actions that a scan selected, in an earlier version of the service."""
    seat: str = ""
    """The chosen seat if several have prompts at the same time; empty for the first."""


class StylusView:
    """The view of a position by one stylus. Legal options are computed once, on demand."""

    def __init__(
        self,
        game: AnyGame,
        state: Any,
        seats: tuple[str, ...],
        *,
        shared: bool = False,
        over: bool = False,
        chosen: str = "",
        granted: frozenset[str] = frozenset(),
    ) -> None:
        """Create the view. It uses the seat's information state only, so it reveals no secret.

        Args:
            game: The game.
            state: The full state.
            seats: The seats that the stylus may act for.
            shared: True if players share the stylus: it acts for any prompted seat and makes
                chance entries, but not those of the referee.
            over: True if the match has ended, even if the state has no result.
            chosen: The seat to act for, if several have prompts.
            granted: Seats for which the stylus may tap but shows public information only.
        """
        self.game = game
        self.seats = seats
        self._narrowed: dict[tuple[str, ...], RemainingOptions] = {}
        self._over = over or game.result(state) is not None
        asked = () if self._over else tuple(prompt.seat for prompt in game.turn(state))
        mine = [seat for seat in asked if seat in seats or (shared and seat != REFEREE)]
        self.prompted_seats = asked
        """The seats that have a prompt."""
        self.own_prompted_seats = tuple(dict.fromkeys(mine))
        """The prompted seats that this stylus may act for."""
        self.can_act = bool(mine)
        """True if the stylus may act for a prompted seat."""
        first = mine[0] if mine else next(iter(seats), "")
        self.seat: str = chosen if chosen in mine else first
        """The seat that the stylus acts for; empty for a stylus without seats."""
        self.state = game.information_state(state, self.seat or SPECTATOR)
        """The information state of that seat."""
        own = self.seat in seats and self.seat not in granted
        self.viewer = self.seat if own else SPECTATOR
        """The viewer whose scene the screen shows: the acting seat if the stylus holds it, else a
        spectator. A role that makes chance entries may see everything, the users may not."""

        self.hides_cards = game.has_hidden_information and self.seat in granted
        """True if only public things may be listed."""

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """Return the options left after these picks; cached, since each tap needs them often."""
        known = self._narrowed.get(picked)
        if known is None:
            known = self._narrowed[picked] = self.pointing.narrow(picked)
        return known

    def remaining_options(self, hand: Selection) -> RemainingOptions:
        """Return the options left after a selection."""
        if hand.scanned:
            return self._narrowed_to(hand.scanned)
        return self.narrow(hand.picked)

    def _narrowed_to(self, labels: tuple[str, ...]) -> RemainingOptions:
        """Return the choice among these actions.

        A single action is armed, unless it requires an explicit choice.
        """
        options = tuple(Option(each, self.game.read_action(each)) for each in labels)
        if (
            len(options) == 1
            and not self.game.parts(self.state, options[0].action).requires_explicit_choice
        ):
            return RemainingOptions(is_possible=True, armed=options[0])
        return RemainingOptions(is_possible=True, runes=options)

    @cached_property
    def pointing(self) -> Pointing:
        """The pointing of this position."""
        return pointing_for(self.game, self.state, "" if self._over else self.seat, self.seat)

    @cached_property
    def views(self) -> dict[str, IconView]:
        """The views of the Control Card, by icon."""
        return {view.icon: view for view in self.pointing.views()}

    @cached_property
    def face_up_cards(self) -> frozenset[str]:
        """The ids of the pieces and cards that the screen shows face up."""
        return frozenset(each.id for each in self.scene.pieces if "hidden" not in each.states)

    @cached_property
    def caption(self) -> str:
        """The scene's caption, for the screen's viewer."""
        return self.game.caption(self.state, self.viewer)

    @cached_property
    def scene(self) -> Scene:
        """The scene for the screen's viewer."""
        return self.game.scene(self.state, self.viewer)
