"""A.G.O.G. once more, from its reference alone: sets of squares as bits of a number.

Square a1 is bit 0, b1 bit 1, a2 bit 8, h8 bit 63. A line is the set of squares in one direction,
and the first unit on it is its lowest or highest bit. Numbers in brackets are the reference's
sections and rulings. Nothing here is shared with the house of the game: that is what it is for.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from math import dist
from typing import Any, Final, NamedTuple

from services.shadow.interface import Allowed, Forbidden

GAME: Final = "agog"

FILES: Final = "abcdefgh"
NAMES: Final = tuple(f"{file}{rank}" for rank in range(1, 9) for file in FILES)
BIT: Final = {name: 1 << n for n, name in enumerate(NAMES)}
WAYS: Final = {8: (0, 1), -8: (0, -1), 1: (1, 0), -1: (-1, 0)}
"""The four directions, by how far the next bit is, as steps of file and rank."""
FORWARD: Final = {"white": (8, 1), "black": (-8, -1)}
GOAL: Final = {"white": BIT["h8"], "black": BIT["a1"]}
OTHER: Final = {"white": "black", "black": "white"}
LETTERS: Final = {"white": "GHCJ", "black": "ghcj"}
HOLDS: Final = {"G": (1, 0), "H": (2, 0), "C": (1, 1), "J": (0, 0)}
"""Golems in a stack: its owner's, the opponent's."""
START: Final = "2gggggj/3ggggg/G3gggg/GG3ggg/GGG3gg/GGGG3g/GGGGG3/JGGGGG2"


def _line(square: int, way: int) -> int:
    file, rank = square % 8, square // 8
    step_file, step_rank = WAYS[way]
    found = 0
    for _ in range(8):
        file, rank = file + step_file, rank + step_rank
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        found |= 1 << (8 * rank + file)
    return found


LINE: Final = {(square, way): _line(square, way) for square in range(64) for way in WAYS}


class Board(NamedTuple):
    """A position: for each letter the set of squares with that unit, and the rest of the text."""

    units: dict[str, int]
    turn: str
    """The seat to move; empty after the end."""
    supply: dict[str, int]
    fresh: bool

    def of(self, seat: str) -> int:
        """All squares with units of this seat."""
        found = 0
        for letter in LETTERS[seat]:
            found |= self.units.get(letter, 0)
        return found

    def at(self, bit: int) -> str:
        """The letter on a square that is not free."""
        return next(letter for letter, squares in self.units.items() if squares & bit)


class Turn(NamedTuple):
    """A move, or a sequence of jumps: the squares, and what is jumped on the way to each."""

    start: int
    stops: tuple[int, ...]
    jumped: tuple[int, ...] = ()


# --- reading and writing (2) ----------------------------------------------------------------------


def _read(position: str) -> Board:
    rows, turn, white, black, flag, _ = position.split(" ")
    units: dict[str, int] = {}
    for rank, row in zip(range(7, -1, -1), rows.split("/"), strict=True):
        file = 0
        for sign in row:
            if sign.isdigit():
                file += int(sign)
            else:
                units[sign] = units.get(sign, 0) | 1 << (8 * rank + file)
                file += 1
    mover = {"w": "white", "b": "black", "-": ""}[turn]
    return Board(units, mover, {"white": int(white), "black": int(black)}, flag == "fresh")


def _write(board: Board, result: str) -> str:
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
    turn, flag = board.turn[:1] or "-", "fresh" if board.fresh else "-"
    supply = f"{board.supply['white']} {board.supply['black']}"
    return f"{'/'.join(rows)} {turn} {supply} {flag} {result}"


# --- where units may go (3.2, 3.3) ----------------------------------------------------------------


def _bits(squares: int) -> Iterator[int]:
    while squares:
        yield squares & -squares
        squares &= squares - 1


def _first(line: int, way: int) -> int:
    """The nearest of these squares in this direction; 0 for none."""
    return line & -line if way > 0 else (1 << line.bit_length()) >> 1


def _free_run(square: int, way: int, occupied: int) -> int:
    """The free squares in this direction, up to the first unit."""
    line = LINE[square, way]
    wall = _first(line & occupied, way)
    return line if not wall else line & ~LINE[wall.bit_length() - 1, way] & ~wall


def _moves(board: Board, seat: str) -> Iterator[Turn]:
    occupied = board.of("white") | board.of("black")
    for letter in LETTERS[seat]:
        for start in _bits(board.units.get(letter, 0)):
            square = start.bit_length() - 1
            for way in FORWARD[seat]:
                run = _free_run(square, way, occupied)
                reach = run if letter in "HChc" else _first(run, way)
                for end in _bits(reach):
                    yield Turn(start, (end,))


def _jumps(start: int, flies: bool, occupied: int, prey: int) -> Iterator[tuple[int, int]]:
    """Each jump from a square: what is jumped, and where it lands."""
    square = start.bit_length() - 1
    for way in WAYS:
        line = LINE[square, way]
        victim = _first(line & occupied, way)
        if not victim & prey or (not flies and victim != _first(line, way)):
            continue
        run = _free_run(victim.bit_length() - 1, way, occupied)
        landings = run if flies else run & _first(LINE[victim.bit_length() - 1, way], way)
        for end in _bits(landings):
            yield victim, end


def _sequences(turn: Turn, flies: bool, occupied: int, prey: int) -> Iterator[Turn]:
    """The sequence, carried on in every way until the unit can jump no more. What was jumped still
    stands in the way, but is prey no longer (R9); where the unit started is free (R10)."""
    stuck = True
    for victim, end in _jumps(turn.stops[-1] if turn.stops else turn.start, flies, occupied, prey):
        stuck = False
        longer = Turn(turn.start, (*turn.stops, end), (*turn.jumped, victim))
        yield from _sequences(longer, flies, occupied, prey & ~victim)
    if stuck and turn.jumped:
        yield turn


def _turns(board: Board, seat: str) -> list[Turn]:
    """The longest sequences that there are, or where nothing can be jumped the moves."""
    prey, own = board.of(OTHER[seat]), board.of(seat)
    found = [
        each
        for start in _bits(own)
        for each in _sequences(
            Turn(start, ()), board.at(start) in "HChc", (own | prey) & ~start, prey
        )
    ]
    longest = max((len(each.jumped) for each in found), default=0)
    if longest:
        return [each for each in found if len(each.jumped) == longest]
    return list(_moves(board, seat))


# --- what may be chosen (3.3, 3.4) ----------------------------------------------------------------


def _signs(board: Board, seat: str, turn: Turn) -> Iterator[str]:
    """For each jump `x` or `+`, in every way that the supply allows (R18, R19)."""
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


def _leaves(board: Board, seat: str, turn: Turn) -> list[str]:
    """How the unit leaves the enemy's sanctum; one empty word where it need not."""
    golem, journeyman = LETTERS[seat][0], LETTERS[seat][3]
    wins = any(board.at(bit) in "Jj" for bit in turn.jumped)
    if turn.stops[-1] != GOAL[seat] or board.at(turn.start) == journeyman or wins:
        return [""]
    others = board.units.get(golem, 0) & ~turn.start
    return [f"={NAMES[bit.bit_length() - 1]}" for bit in _bits(others)] + ["=out"]


def _name(bit: int) -> str:
    return NAMES[bit.bit_length() - 1]


def _actions(board: Board) -> Iterator[tuple[str, Turn]]:
    """All turns of the seat to move, as they are written, each with what it means."""
    seat = board.turn
    for turn in _turns(board, seat):
        for leave in _leaves(board, seat, turn):
            if not turn.jumped:
                yield f"{_name(turn.start)}-{_name(turn.stops[0])}{leave}", turn
                continue
            for signs in _signs(board, seat, turn):
                jumps = zip(signs, turn.stops, strict=True)
                path = "".join(f"{sign}{_name(stop)}" for sign, stop in jumps)
                yield f"{_name(turn.start)}{path}{leave}", turn


# --- what follows (3.5, 5) ------------------------------------------------------------------------


class _After:
    """The board while the effects of a turn are worked out, and the facts so far."""

    def __init__(self, board: Board) -> None:
        self.units, self.supply = dict(board.units), dict(board.supply)
        self.facts: list[dict[str, Any]] = []

    def put(self, bit: int, letter: str) -> None:
        """Have this unit there, or with an empty letter nothing."""
        for each in self.units:
            self.units[each] &= ~bit
        if letter:
            self.units[letter] = self.units.get(letter, 0) | bit

    def tell(self, kind: str, freed: dict[str, int] | None = None, **told: str) -> None:
        """Note a fact, with how the supplies change. No change is not written."""
        for seat, golems in (freed or {}).items():
            self.supply[seat] += golems
        changes = {seat: golems for seat, golems in (freed or {}).items() if golems}
        self.facts.append({"type": f"agog.{kind}", **told, **changes})


def _freed(letter: str, seat: str) -> dict[str, int]:
    """The golems in a unit of this seat."""
    own, others = HOLDS[letter.upper()]
    return {seat: own, OTHER[seat]: others}


def _play(board: Board, turn: Turn, text: str) -> Allowed:
    seat, after = board.turn, _After(board)
    letter, end = board.at(turn.start), turn.stops[-1]
    after.put(turn.start, "")
    after.tell("unit-moved", unit=letter, start=_name(turn.start), end=_name(end))
    signs = [sign for sign in text if sign in "x+"]
    victims = [board.at(bit) for bit in turn.jumped]
    for sign, bit, victim in zip(signs, turn.jumped, victims, strict=True):
        freed = _freed(victim, OTHER[seat])
        if sign == "+":
            freed = {seat: freed[seat] - 1, OTHER[seat]: freed[OTHER[seat]] - 1}
            corrupted = LETTERS[seat][2]
            after.put(bit, corrupted)
            after.tell("unit-corrupted", freed, unit=corrupted, square=_name(bit))
        else:
            after.put(bit, "")
            after.tell("unit-captured", freed, unit=victim, square=_name(bit))
    after.put(end, letter)
    _, _, leave = text.partition("=")
    if leave:
        _leave(after, seat, letter, end, leave)
    return _concluded(board, after, won="j" in "".join(victims).lower())


def _leave(after: _After, seat: str, letter: str, sanctum: int, leave: str) -> None:
    after.put(sanctum, "")
    freed = _freed(letter, seat)
    if leave == "out":
        after.tell("unit-taken-out", freed, unit=letter, sanctum=_name(sanctum))
        return
    hulk = LETTERS[seat][1]
    after.put(BIT[leave], hulk)
    freed[seat] -= 1
    after.tell("unit-promoted", freed, unit=hulk, sanctum=_name(sanctum), square=leave)


def _concluded(board: Board, after: _After, *, won: bool) -> Allowed:
    """The end of the turn, or of the game (5, R27)."""
    seat = board.turn
    left = Board(after.units, OTHER[seat], after.supply, board.fresh)
    if won:
        return _over(left, after, seat, "capture")
    if after.units.get(LETTERS[seat][3], 0) & GOAL[seat]:
        return _over(left, after, seat, "sanctum")
    if not _turns(left, OTHER[seat]):
        return _over(left, after, seat, "immobile")
    after.tell("turn-passed", seat=OTHER[seat])
    return Allowed(_write(left, "*"), tuple(after.facts))


def _over(board: Board, after: _After, winner: str, reason: str) -> Allowed:
    after.tell("game-ended", winner=winner, reason=reason)
    score = "1-0" if winner == "white" else "0-1"
    text = _write(board._replace(turn=""), f"{score}:{reason}")
    return Allowed(text, tuple(after.facts))


# --- the start, with a handicap (R3, R4) ----------------------------------------------------------


def _left_off(number: int, tie: str) -> list[str]:
    """Of all sets that are symmetrical in the long diagonal, the one nearest to the centre."""

    def away(name: str) -> float:
        return round(dist((FILES.index(name[0]), int(name[1]) - 1), (3.5, 3.5)), 9)

    def order(name: str) -> tuple[float, int]:
        file, rank = FILES.index(name[0]), int(name[1]) - 1
        return away(name), file + rank if tie == "front" else abs(file - rank)

    golems = _read(f"{START} w 0 0 - *").units["g"]
    places = [(n % 8, n // 8) for n in range(64) if 1 << n & golems]
    above = [(file, rank) for file, rank in places if file < rank]
    pairs = [(NAMES[8 * rank + file], NAMES[8 * file + rank]) for file, rank in above]
    pairs.sort(key=lambda pair: order(pair[0]))
    best: list[list[str]] = []
    for single in ([], ["f6"], ["f6", "g7"]):
        more = number - len(single)
        if more >= 0 and more % 2 == 0 and more // 2 <= len(pairs):
            best.append(single + [name for pair in pairs[: more // 2] for name in pair])
    return min(best, key=lambda names: sum(map(away, names)))


# --- what a shadow offers -------------------------------------------------------------------------


def start(options: Mapping[str, Any]) -> str:
    """The first position."""
    handicap = int(options.get("handicap", 0))
    board = _read(f"{START} w 0 0 {'fresh' if options.get('fresh_supply') else '-'} *")
    for name in _left_off(handicap, str(options.get("handicap_tie", "front"))):
        board.units["g"] &= ~BIT[name]
    if options.get("handicap_supply"):
        board.supply["black"] = handicap
    return _write(board, "*")


def legal(position: str, options: Mapping[str, Any], seat: str) -> list[str]:
    """All that a seat may do: its turns if it is to move, and to resign."""
    del options
    board = _read(position)
    if not board.turn or seat not in OTHER:
        return []
    turns = [text for text, _ in _actions(board)] if seat == board.turn else []
    return [*turns, f"resign {seat}"]


def apply(position: str, options: Mapping[str, Any], seat: str, action: str) -> Allowed | Forbidden:
    """What comes of an action."""
    del options
    board = _read(position)
    if not board.turn:
        return Forbidden()
    if action == f"resign {seat}" and seat in OTHER:
        return _over(board, _After(board), OTHER[seat], "resign")
    found = dict(_actions(board)) if seat == board.turn else {}
    return _play(board, found[action], action) if action in found else Forbidden()
