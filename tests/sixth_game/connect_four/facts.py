"""What became true. A tag is stored for ever."""

from msgspec import Struct

from domain.games.connect_four.state import Seat


class DiscDropped(Struct, frozen=True, tag="connect-four.disc-dropped"):
    """A disc lies on top of a column, counted from 1."""

    seat: Seat
    column: int
