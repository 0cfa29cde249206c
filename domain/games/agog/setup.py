"""The starting position, with a handicap or without (SETUP, HANDICAPPING)."""

from typing import Final, Literal

from domain.games.agog.board import AT, SANCTUM, SQUARES, put
from domain.games.agog.state import FREE, GOLEMS, SEATS, Options, Seat, State
from domain.kernel.rulings import Ruling

_BOARD: Final = (
    "..gggggj/...ggggg/G...gggg/GG...ggg/GGG...gg/GGGG...g/GGGGG.../JGGGGG.."  # a1 is lower left
)

# What a handicap takes off is mirrored in the long diagonal a1-h8 (AGOG-R3). On the diagonal
# itself stand two golems; all others stand in pairs, here from the centre outward.
_ON_THE_DIAGONAL: Final = ("f6", "g7")
_PAIRS: Final[dict[Literal["front", "spine"], tuple[str, ...]]] = {
    "front": ("e6 f5", "d7 g4", "e7 g5", "f7 g6", "d8 h4", "e8 h5", "c8 h3", "f8 h6", "g8 h7"),
    "spine": ("e6 f5", "e7 g5", "d7 g4", "f7 g6", "e8 h5", "d8 h4", "f8 h6", "c8 h3", "g8 h7"),
}
_BOTH_DIAGONAL_FROM: Final = 8
"""From this even handicap on, f6 and g7 together are nearer to the centre than the next pair."""


def seats(options: Options) -> tuple[Seat, ...]:
    """White and Black, whatever the options."""
    del options
    return SEATS


def left_off(options: Options) -> tuple[str, ...]:
    """The squares whose golems Black leaves off, sorted.

    >>> left_off(Options(handicap=3))
    ('e6', 'f5', 'f6')
    """
    n = options.handicap
    diagonal = n % 2 or (2 if n >= _BOTH_DIAGONAL_FROM else 0)
    pairs = _PAIRS[options.handicap_tie][: (n - diagonal) // 2]
    return tuple(sorted((*_ON_THE_DIAGONAL[:diagonal], *" ".join(pairs).split())))


def start(options: Options) -> State:
    """The position in which White has the first turn."""
    board = _BOARD
    for square in left_off(options):
        board = put(board, AT[square], FREE)
    return State(
        board,
        "white",
        white_supply=0,
        black_supply=options.handicap if options.handicap_supply else 0,
        fresh_supply=options.fresh_supply,
    )


def opening(options: Options) -> tuple[Ruling, ...]:
    """Why the starting position is what it is."""
    rulings = [
        Ruling(
            ("agog.setup.board",),
            {
                "rows": 8,
                "columns": 8,
                "white_sanctum": SQUARES[SANCTUM["white"]],
                "black_sanctum": SQUARES[SANCTUM["black"]],
            },
        ),
        Ruling(
            ("agog.setup.units",),
            {"white_golems": GOLEMS, "black_golems": GOLEMS - options.handicap},
        ),
        Ruling(("agog.setup.first",), {"first": "white"}),
    ]
    if options.handicap:
        squares = " ".join(left_off(options))
        supply = options.handicap if options.handicap_supply else 0
        rulings += [
            Ruling(("agog.handicap.black",), {"handicapped": "black"}),
            Ruling(("agog.handicap.squares",), {"handicap": options.handicap, "left_off": squares}),
            Ruling(("agog.handicap.supply",), {"black_supply": supply}),
        ]
    return tuple(rulings)
