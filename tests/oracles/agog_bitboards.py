"""A second implementation of the rules of A.G.O.G., which tests compare with `domain.games.agog`.

The module is written from the rulebook and from the rulings AGOG-R1 to AGOG-R35 alone
(`docs/rulings/agog.md`). It must import nothing of `domain`: two programs that share no code hardly
have the same mistake, so where both agree, both are probably right.

Sets of squares are the bits of an integer (bitboards): square a1 is bit 0, b1 is bit 1, a2 is bit 8
and h8 is bit 63. The nearest unit in a direction is then the lowest or highest bit of a set.

Positions and actions are text in the notation of the game:

>>> position = start({})
>>> position
'2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 w 0 0 - *'
>>> sorted(legal(position, "white"))[:2], legal(position, "black")
(['a6-a7', 'a6-b6'], ['resign black'])
>>> play(position, "black", "resign black")
'2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2 - 0 0 - 1-0:resign'
"""

from collections.abc import Iterator, Mapping
from itertools import product
from math import dist
from typing import Any, Final, NamedTuple

FILES: Final = "abcdefgh"
NAMES: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
BIT: Final = {name: 1 << n for n, name in enumerate(NAMES)}
STEPS: Final = {8: (0, 1), -8: (0, -1), 1: (1, 0), -1: (-1, 0)}
"""The four directions: the distance between neighboring bits, and the step in file and rank."""
FORWARD: Final = {"white": (8, 1), "black": (-8, -1)}
SANCTUM: Final = {"white": BIT["h8"], "black": BIT["a1"]}
"""The square of the enemy's sanctum, by the seat that wants to reach it."""
OTHER: Final = {"white": "black", "black": "white"}
LETTERS: Final = {"white": "GHCJ", "black": "ghcj"}
"""The letters of a golem, a hulk, a corrupted hulk and a journeyman."""
GOLEMS: Final = {"G": (1, 0), "H": (2, 0), "C": (1, 1), "J": (0, 0)}
"""The golems of which a unit consists: its owner's, the opponent's."""
SETUP: Final = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2"


class Board(NamedTuple):
    """A position."""

    units: dict[str, int]
    """The set of squares with each unit, by its letter."""
    turn: str
    """The seat to move; empty after the end of the game."""
    supply: dict[str, int]
    """Golems out of play, by seat."""
    fresh: bool
    """The option `fresh_supply`: golems freed earlier in a sequence may be used in it."""
    result: str = "*"

    def of(self, seat: str) -> int:
        """Return the set of squares with units of this seat."""
        found = 0
        for letter in LETTERS[seat]:
            found |= self.units.get(letter, 0)
        return found

    def at(self, bit: int) -> str:
        """Return the letter of the unit on an occupied square."""
        return next(letter for letter, squares in self.units.items() if squares & bit)


class Turn(NamedTuple):
    """A move, or a sequence of jumps."""

    start: int
    stops: tuple[int, ...]
    jumped: tuple[int, ...] = ()
    """The square of the unit that is jumped on the way to each stop; empty for a move."""


# --- interface ------------------------------------------------------------------------------------


def start(options: Mapping[str, Any]) -> str:
    """Return the first position under the options of a match."""
    handicap = int(options.get("handicap", 0))
    board = _read(f"{SETUP} w 0 0 {'fresh' if options.get('fresh_supply') else '-'} *")
    for name in _left_off(handicap, options.get("handicap_tie", "front")):
        board.units["g"] &= ~BIT[name]
    if options.get("handicap_supply"):
        board.supply["black"] = handicap
    return _write(board)


def legal(position: str, seat: str) -> list[str]:
    """Return all legal actions of a seat: its turns if it is to move, and to resign."""
    board = _read(position)
    if not board.turn:
        return []
    turns = [text for text, _ in _actions(board)] if seat == board.turn else []
    return [*turns, f"resign {seat}"]


def play(position: str, seat: str, action: str) -> str:
    """Return the position after an action. ValueError for an action that is not legal."""
    if action not in legal(position, seat):
        raise ValueError(f"{action} is not legal")
    board = _read(position)
    if action == f"resign {seat}":
        return _write(_won(board, OTHER[seat], "resign"))
    return _write(_play(board, dict(_actions(board))[action], action))


# --- reading and writing positions ----------------------------------------------------------------


def _read(position: str) -> Board:
    rows, turn, white, black, fresh, result = position.split(" ")
    units: dict[str, int] = {}
    for rank, row in zip(range(7, -1, -1), rows.split("/"), strict=True):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
            else:
                units[sign] = units.get(sign, 0) | 1 << (8 * rank + file)
                file += 1
    seat = {"w": "white", "b": "black", "-": ""}[turn]
    supply = {"white": int(white), "black": int(black)}
    return Board(units, seat, supply, fresh == "fresh", result)


def _write(board: Board) -> str:
    rows = []
    for rank in range(7, -1, -1):
        row, gap = "", 0
        for file in range(8):
            bit = 1 << (8 * rank + file)
            letter = next((each for each, squares in board.units.items() if squares & bit), "")
            if letter:
                row, gap = row + (str(gap) if gap else "") + letter, 0
            else:
                gap += 1
        rows.append(row + (str(gap) if gap else ""))
    turn, fresh = board.turn[:1] or "-", "fresh" if board.fresh else "-"
    supply = f"{board.supply['white']} {board.supply['black']}"
    return f"{'/'.join(rows)} {turn} {supply} {fresh} {board.result}"


def _name(bit: int) -> str:
    return NAMES[bit.bit_length() - 1]


# --- where units may go ---------------------------------------------------------------------------


def _line(square: int, step: int) -> int:
    """Return the set of squares in a direction from a square, up to the edge of the board."""
    file, rank = square % 8, square // 8
    step_file, step_rank = STEPS[step]
    found = 0
    for _ in range(8):
        file, rank = file + step_file, rank + step_rank
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        found |= 1 << (8 * rank + file)
    return found


LINE: Final = {(square, step): _line(square, step) for square in range(64) for step in STEPS}


def _bits(squares: int) -> Iterator[int]:
    while squares:
        yield squares & -squares
        squares &= squares - 1


def _nearest(squares: int, step: int) -> int:
    """Return the nearest of these squares of a line in this direction; 0 for none."""
    return squares & -squares if step > 0 else (1 << squares.bit_length()) >> 1


def _free_run(square: int, step: int, occupied: int) -> int:
    """Return the free squares in a direction, up to the nearest unit."""
    line = LINE[square, step]
    wall = _nearest(line & occupied, step)
    return line if not wall else line & ~LINE[wall.bit_length() - 1, step] & ~wall


def _moves(board: Board, seat: str) -> Iterator[Turn]:
    occupied = board.of("white") | board.of("black")
    for letter in LETTERS[seat]:
        for origin in _bits(board.units.get(letter, 0)):
            square = origin.bit_length() - 1
            for step in FORWARD[seat]:
                run = _free_run(square, step, occupied)
                reach = run if letter in "HChc" else _nearest(run, step)
                for end in _bits(reach):
                    yield Turn(origin, (end,))


def _jumps(origin: int, flies: bool, occupied: int, prey: int) -> Iterator[tuple[int, int]]:
    """Yield each jump from a square: the square of the jumped unit, and where the jump lands."""
    square = origin.bit_length() - 1
    for step in STEPS:
        line = LINE[square, step]
        victim = _nearest(line & occupied, step)
        if not victim & prey or (not flies and victim != _nearest(line, step)):
            continue
        run = _free_run(victim.bit_length() - 1, step, occupied)
        landings = run if flies else run & _nearest(LINE[victim.bit_length() - 1, step], step)
        for end in _bits(landings):
            yield victim, end


def _sequences(turn: Turn, flies: bool, occupied: int, prey: int) -> Iterator[Turn]:
    """Yield all continuations of a sequence, up to where the unit can jump no more.

    Jumped units still block, but cannot be jumped again (AGOG-R9). The square that the unit started
    from is free (AGOG-R10).
    """
    ended = True
    for victim, end in _jumps(turn.stops[-1] if turn.stops else turn.start, flies, occupied, prey):
        ended = False
        longer = Turn(turn.start, (*turn.stops, end), (*turn.jumped, victim))
        yield from _sequences(longer, flies, occupied, prey & ~victim)
    if ended and turn.jumped:
        yield turn


def _turns(board: Board, seat: str) -> list[Turn]:
    """Return the longest sequences of jumps, or the moves if nothing can be jumped."""
    prey, own = board.of(OTHER[seat]), board.of(seat)
    found = [
        each
        for origin in _bits(own)
        for each in _sequences(
            Turn(origin, ()), board.at(origin) in "HChc", (own | prey) & ~origin, prey
        )
    ]
    longest = max((len(each.jumped) for each in found), default=0)
    if longest:
        return [each for each in found if len(each.jumped) == longest]
    return list(_moves(board, seat))


# --- what may be chosen ---------------------------------------------------------------------------


def _actions(board: Board) -> Iterator[tuple[str, Turn]]:
    """Yield all turns of the seat to move, each with its notation."""
    seat = board.turn
    for turn in _turns(board, seat):
        for promotion in _promotions(board, seat, turn):
            if not turn.jumped:
                yield f"{_name(turn.start)}-{_name(turn.stops[0])}{promotion}", turn
                continue
            for signs in _signs(board, seat, turn):
                jumps = zip(signs, turn.stops, strict=True)
                path = "".join(f"{sign}{_name(stop)}" for sign, stop in jumps)
                yield f"{_name(turn.start)}{path}{promotion}", turn


def _signs(board: Board, seat: str, turn: Turn) -> Iterator[str]:
    """Yield all choices between capture (`x`) and corruption (`+`), one sign a jump, that the
    supply allows (AGOG-R18, AGOG-R19)."""
    letter = board.at(turn.start)
    victims = [board.at(bit).upper() for bit in turn.jumped]
    for signs in product("x+", repeat=len(victims)):
        left, allowed = board.supply[seat], True
        for sign, victim in zip(signs, victims, strict=True):
            if sign == "+":
                allowed &= letter in "Jj" and victim in "GH" and left > 0
                left -= 1
            elif board.fresh and victim == "C":
                left += 1
        if allowed:
            yield "".join(signs)


def _promotions(board: Board, seat: str, turn: Turn) -> list[str]:
    """Return how the unit may leave the enemy's sanctum: the golem that becomes a hulk, or `out`.
    One empty text if the unit does not end there, or stays."""
    golem, journeyman = LETTERS[seat][0], LETTERS[seat][3]
    wins = any(board.at(bit) in "Jj" for bit in turn.jumped)
    if turn.stops[-1] != SANCTUM[seat] or board.at(turn.start) == journeyman or wins:
        return [""]
    others = board.units.get(golem, 0) & ~turn.start
    return [*(f"={_name(bit)}" for bit in _bits(others)), "=out"]


# --- what follows ---------------------------------------------------------------------------------


def _put(board: Board, bit: int, letter: str) -> None:
    """Replace what stands on a square; an empty letter leaves it free."""
    for each in board.units:
        board.units[each] &= ~bit
    if letter:
        board.units[letter] = board.units.get(letter, 0) | bit


def _free(board: Board, letter: str, seat: str) -> None:
    """Add the golems of a unit of this seat to the supplies."""
    own, others = GOLEMS[letter.upper()]
    board.supply[seat] += own
    board.supply[OTHER[seat]] += others


def _play(board: Board, turn: Turn, text: str) -> Board:
    seat, enemy = board.turn, OTHER[board.turn]
    after = board._replace(units=dict(board.units), supply=dict(board.supply), turn=enemy)
    letter, end = board.at(turn.start), turn.stops[-1]
    _put(after, turn.start, "")
    signs = [sign for sign in text if sign in "x+"]
    victims = [board.at(bit) for bit in turn.jumped]
    for sign, bit, victim in zip(signs, turn.jumped, victims, strict=True):
        _free(after, victim, enemy)
        if sign == "x":
            _put(after, bit, "")
        else:  # a golem of each seat makes a corrupted hulk
            _put(after, bit, LETTERS[seat][2])
            after.supply[seat] -= 1
            after.supply[enemy] -= 1
    _put(after, end, letter)
    _, _, promoted = text.partition("=")
    if promoted:
        _put(after, end, "")
        _free(after, letter, seat)
    if promoted not in ("", "out"):
        _put(after, BIT[promoted], LETTERS[seat][1])
        after.supply[seat] -= 1
    # The first of several reasons to have won counts (AGOG-R27).
    if any(victim in "Jj" for victim in victims):
        return _won(after, seat, "capture")
    if after.units.get(LETTERS[seat][3], 0) & SANCTUM[seat]:
        return _won(after, seat, "sanctum")
    return after if _turns(after, enemy) else _won(after, seat, "immobile")


def _won(board: Board, winner: str, reason: str) -> Board:
    return board._replace(turn="", result=f"{'1-0' if winner == 'white' else '0-1'}:{reason}")


# --- the handicap ---------------------------------------------------------------------------------


def _left_off(number: int, tie: str) -> list[str]:
    """Return the squares of the golems that Black leaves off (AGOG-R3, AGOG-R4).

    Of all sets of this size that are symmetrical in the diagonal a1-h8, it is the one with the
    smallest sum of distances to the center. `tie` decides between pairs of squares at the same
    distance: `front` prefers the pair nearer to the enemy, `spine` the one nearer to the diagonal.
    """

    def distance(name: str) -> float:
        return round(dist((FILES.index(name[0]), int(name[1]) - 1), (3.5, 3.5)), 9)

    def order(name: str) -> tuple[float, int]:
        file, rank = FILES.index(name[0]), int(name[1]) - 1
        return distance(name), file + rank if tie == "front" else abs(file - rank)

    golems = _read(f"{SETUP} w 0 0 - *").units["g"]
    places = [(n % 8, n // 8) for n in range(64) if 1 << n & golems]
    above = [(file, rank) for file, rank in places if file < rank]
    pairs = [(NAMES[8 * rank + file], NAMES[8 * file + rank]) for file, rank in above]
    pairs.sort(key=lambda pair: order(pair[0]))
    sets: list[list[str]] = []
    for single in ([], ["f6"], ["f6", "g7"]):
        more = number - len(single)
        if more >= 0 and more % 2 == 0 and more // 2 <= len(pairs):
            sets.append(single + [name for pair in pairs[: more // 2] for name in pair])
    return min(sets, key=lambda names: sum(map(distance, names)))
