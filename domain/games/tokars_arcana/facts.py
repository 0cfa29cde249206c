"""What became true. Facts are stored for ever: their tags and fields are a storage format.

`seat` and `unit` say whose figure it was where `evolve` needs them, or where it is gone and people
read the log.
"""

from msgspec import Struct

from domain.games.tokars_arcana.state import Raise, Rank, Reason, Seat, Square, Unit


class ReadySaid(Struct, frozen=True, gc=False, tag="tokars-arcana.ready-said"):
    """A seat has studied the armies."""

    seat: Seat


class TossAsked(Struct, frozen=True, gc=False, tag="tokars-arcana.toss-asked"):
    """Who begins is to be entered."""


class TurnBegan(Struct, frozen=True, gc=False, tag="tokars-arcana.turn-began"):
    """It is this seat's turn now."""

    seat: Seat


class MarkLifted(Struct, frozen=True, gc=False, tag="tokars-arcana.mark-lifted"):
    """The Dark Priest on this square may take orders again."""

    square: Square


class ModelMoved(Struct, frozen=True, gc=False, tag="tokars-arcana.model-moved"):
    """A model went to a free square, or left the board and reappeared on it."""

    start: Square
    end: Square


class Shift(Struct, frozen=True, gc=False, omit_defaults=True):
    """One of several models that were moved at once by another."""

    start: Square
    end: Square
    marked: bool = False
    """It is a Dark Priest, and takes no order in its owner's next turn."""


class RowSlid(Struct, frozen=True, gc=False, tag="tokars-arcana.row-slid"):
    """An Alchemist slid, and changed places with models on the way."""

    start: Square
    end: Square
    swapped: tuple[Shift, ...]


class WindBlew(Struct, frozen=True, gc=False, tag="tokars-arcana.wind-blew"):
    """The night wind pushed models back."""

    pushed: tuple[Shift, ...]


class ModelKilled(Struct, frozen=True, gc=False, tag="tokars-arcana.model-killed"):
    """A model died and lies in its owner's graveyard."""

    seat: Seat
    unit: Unit
    square: Square


class ModelWithdrawn(Struct, frozen=True, gc=False, tag="tokars-arcana.model-withdrawn"):
    """A model was sacrificed, promoted or traded, and lies in its owner's graveyard."""

    seat: Seat
    unit: Unit
    square: Square


class ModelReturned(Struct, frozen=True, gc=False, tag="tokars-arcana.model-returned"):
    """A unit left its owner's graveyard and stands on a square."""

    seat: Seat
    unit: Unit
    square: Square


class DeadRemoved(Struct, frozen=True, gc=False, tag="tokars-arcana.dead-removed"):
    """A unit left its owner's graveyard and is out of the game."""

    seat: Seat
    unit: Unit


class FirebrewStruck(Struct, frozen=True, gc=False, tag="tokars-arcana.firebrew-struck"):
    """Firebrew hit a model, and it has so many tokens now."""

    square: Square
    tokens: int


class FirebrewBurned(Struct, frozen=True, gc=False, tag="tokars-arcana.firebrew-burned"):
    """A token was taken off a model at the end of its owner's turn: so many are left."""

    square: Square
    tokens: int


class ModelsVanquished(Struct, frozen=True, gc=False, tag="tokars-arcana.models-vanquished"):
    """The models on these squares were lifted into the air, to be placed in this order."""

    squares: tuple[Square, ...]


class ModelPlaced(Struct, frozen=True, gc=False, tag="tokars-arcana.model-placed"):
    """The first model in the air was set down."""

    square: Square


class AngelsCalled(
    Struct, frozen=True, gc=False, omit_defaults=True, tag="tokars-arcana.angels-called"
):
    """Priests of these seats, one for each name, were taken out of the graveyards: they may return.

    With `at_end` they burned at the end of the turn; `raising` is asked when all have answered.
    """

    seats: tuple[Seat, ...]
    raising: Raise | None = None
    at_end: bool = False


class PriestRevived(Struct, frozen=True, gc=False, tag="tokars-arcana.priest-revived"):
    """The first priest who was asked stands on a square again, his angel spent."""

    seat: Seat
    square: Square


class PriestLost(Struct, frozen=True, gc=False, tag="tokars-arcana.priest-lost"):
    """The first priest who was asked stays dead, and lies in the graveyard."""

    seat: Seat


class RaiseAsked(Struct, frozen=True, gc=False, tag="tokars-arcana.raise-asked"):
    """The zombie on this square may raise a unit of this rank."""

    square: Square
    rank: Rank


class QuietCounted(Struct, frozen=True, gc=False, tag="tokars-arcana.quiet-counted"):
    """So many turns in a row have passed without a death or a return."""

    turns: int


class DrawOffered(Struct, frozen=True, gc=False, tag="tokars-arcana.draw-offered"):
    """A seat offered a draw."""

    seat: Seat


class DrawDeclined(Struct, frozen=True, gc=False, tag="tokars-arcana.draw-declined"):
    """A seat declined a draw."""

    seat: Seat


class GameEnded(Struct, frozen=True, gc=False, tag="tokars-arcana.game-ended"):
    """The game is over."""

    winner: Seat | None
    reason: Reason


Fact = (
    ReadySaid | TossAsked | TurnBegan | MarkLifted
    | ModelMoved | RowSlid | WindBlew
    | ModelKilled | ModelWithdrawn | ModelReturned | DeadRemoved
    | FirebrewStruck | FirebrewBurned | ModelsVanquished | ModelPlaced
    | AngelsCalled | PriestRevived | PriestLost | RaiseAsked
    | QuietCounted | DrawOffered | DrawDeclined | GameEnded
)  # fmt: skip
