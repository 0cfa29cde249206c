"""What a seat does. A tag is stored for ever."""

from msgspec import Struct


class Drop(Struct, frozen=True, tag="connect-four.drop"):
    """Drop a disc into a column, counted from 1 on the left."""

    column: int
