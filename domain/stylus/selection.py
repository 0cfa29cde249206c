"""A position as one stylus meets it, and what that stylus has tapped so far."""

from functools import cached_property
from typing import Any, Final

from msgspec import Struct

from domain.kernel.game import REFEREE, SPECTATOR, AnyGame
from domain.kernel.scene import Scene
from domain.stylus.narrowing import pointing_for
from domain.stylus.targets import IconView, Option, Pointing, RemainingOptions

PLAY: Final = "play"


class Selection(Struct, frozen=True, omit_defaults=True):
    """What one stylus has tapped so far, and what its screen shows."""

    view: str = PLAY
    """`play`, `map`, `map SPACE`, `info TARGET`, or an icon and the entry that it shows, as
    `army SEAT`."""
    picked: tuple[str, ...] = ()
    digits: str = ""
    chosen: str = ""
    """The action that a rune picked, in notation."""
    page: int = 1
    """Of the view, or of the list of runes."""
    tapped: str = ""
    """The thing tapped last, which may be read in several ways."""
    scanned: tuple[str, ...] = ()
    """Actions, in notation, that a scan of an earlier version selected."""
    seat: str = ""
    """Whom it answers for, of several that are asked at once; empty: whoever comes first."""


class StylusView:
    """A position as one stylus meets it. It works out what may be done once, when asked."""

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
        """`seats` are those that the stylus may act for, and `chosen` which of them, if several are
        asked. A shared one is handed around: it acts for whoever is asked, and also enters what
        chance showed; but what only the referee may enter no player may see. `over` says that the
        match has ended, if the state does not: nobody acts then, and all may look. For those
        `granted` it may tap, and is shown no more than anybody.

        Nothing is worked out here but in what the seat it acts for may know: no tap, prompt or rune
        depends on what is hidden from it.
        """
        self.game = game
        self.seats = seats
        self._narrowed: dict[tuple[str, ...], RemainingOptions] = {}
        self._over = over or game.result(state) is not None
        asked = () if self._over else tuple(prompt.seat for prompt in game.turn(state))
        mine = [seat for seat in asked if seat in seats or (shared and seat != REFEREE)]
        self.prompted_seats = asked
        """Who is to act."""
        self.own_prompted_seats = tuple(dict.fromkeys(mine))
        """Those of them for whom this stylus may act."""
        self.can_act = bool(mine)
        """Is a seat of this stylus asked?"""
        first = mine[0] if mine else next(iter(seats), "")
        self.seat: str = chosen if chosen in mine else first
        """Whom it acts for; empty for a stylus that only looks."""
        self.state = game.information_state(state, self.seat or SPECTATOR)
        """The position, as that seat may know it."""
        own = self.seat in seats and self.seat not in granted
        self.viewer = self.seat if own else SPECTATOR
        """With whose eyes its screen shows the position. Who enters what chance showed, and is no
        seat, may see everything; players, who pass the stylus round, may not."""

        self.hides_cards = game.has_hidden_information and self.seat in granted
        """Is nothing to be listed that others may not know?"""

    def narrow(self, picked: tuple[str, ...]) -> RemainingOptions:
        """What is left after these picks; asked for several times at each tap."""
        known = self._narrowed.get(picked)
        if known is None:
            known = self._narrowed[picked] = self.pointing.narrow(picked)
        return known

    def remaining_options(self, hand: Selection) -> RemainingOptions:
        """What is left to choose among after all that a hand has done."""
        if hand.scanned:
            return self._narrowed_to(hand.scanned)
        return self.narrow(hand.picked)

    def _narrowed_to(self, labels: tuple[str, ...]) -> RemainingOptions:
        """Return the choice among these actions; a single one is armed, unless it gives up a piece
        of one's own."""
        options = tuple(Option(each, self.game.read_action(each)) for each in labels)
        if (
            len(options) == 1
            and not self.game.parts(self.state, options[0].action).requires_explicit_choice
        ):
            return RemainingOptions(is_possible=True, armed=options[0])
        return RemainingOptions(is_possible=True, runes=options)

    @cached_property
    def pointing(self) -> Pointing:
        """How things are pointed at here."""
        return pointing_for(self.game, self.state, "" if self._over else self.seat, self.seat)

    @cached_property
    def views(self) -> dict[str, IconView]:
        """What icons of the Control Card show here, by icon."""
        return {view.icon: view for view in self.pointing.views()}

    @cached_property
    def face_up_cards(self) -> frozenset[str]:
        """The pieces and cards that the stylus's screen shows face up."""
        return frozenset(each.id for each in self.scene.pieces if "hidden" not in each.states)

    @cached_property
    def caption(self) -> str:
        """What is going on, as far as the stylus's screen may tell."""
        return self.game.caption(self.state, self.viewer)

    @cached_property
    def scene(self) -> Scene:
        """What the stylus's screen may show of the position."""
        return self.game.scene(self.state, self.viewer)
