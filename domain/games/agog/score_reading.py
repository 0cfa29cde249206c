"""Reading the score notation back: one action, or the record of a whole match.

A reader forgives what does not hide the meaning (dashes, spaces, an origin that was not needed or
names the other coordinate), but never chooses between two actions.
"""

import re
from collections import deque
from typing import Final

from msgspec import Struct

from domain.games.agog.actions import Action, Capture, Jump, Move, Resign
from domain.games.agog.board import AT, BETWEEN, PLACES, SQUARES
from domain.games.agog.captures import can_capture
from domain.games.agog.decide import refuse
from domain.games.agog.legal import SCORES, first_steps
from domain.games.agog.notation import read_jumps
from domain.games.agog.score import after, label_of, origin_is_needed
from domain.games.agog.state import OTHER, OWN, UNIT_NAMES, Outcome, Seat, State, name_of
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

_LOSERS: Final[dict[str, Seat]] = {SCORES[OTHER[seat]]: seat for seat in OTHER}
_DRAWS: Final = frozenset({"1/2-1/2", "1/2", "½-½", "½", "="})
_FORGIVEN: Final = str.maketrans({"×": "x", "—": "-", "–": "-", "−": "-"})
_SCORE: Final = re.compile(
    r"([HCJ]?)([a-h]?)([1-8]?)([a-h][1-8]|(?:[x+][a-h][1-8])+)(?: ([a-h][1-8])=H)?"
)
_HEAD: Final = re.compile(r"\d+\.|\.\.\.")
_PROMOTION: Final = re.compile(r"[a-h][1-8]=[Hh]")


class _Score(Struct, frozen=True):
    """What a text says. What was not written is empty."""

    label: str
    column: str
    row: str
    end: str
    jumps: tuple[Jump, ...]
    golem: str

    @property
    def first(self) -> str:
        """The first square it comes to."""
        return self.jumps[0].to if self.jumps else self.end

    def action(self, start: str, leave: str | None) -> Move | Capture:
        """The action said, of the unit on this square."""
        if self.jumps:
            return Capture(start, self.jumps, leave)
        return Move(start, self.end, leave)

    def names(self, start: int) -> bool:
        """Is this where the unit is said to come from?"""
        square = SQUARES[start]
        return self.column in ("", square[0]) and self.row in ("", square[1])


def read(state: State, text: str) -> Action | Refused:
    """The one legal action that players mean by a text, or why there is none."""
    if isinstance(state.turn, Outcome):
        winner = state.turn.winner.title()
        return Refused("agog.end.over", f"the game is over: {winner} has won")
    tidy = _tidied(text)
    if tidy in _DRAWS:
        return Refused(
            "agog.end.no_draw", "there are no draws in A.G.O.G.: write a turn or a result"
        )
    if tidy in _LOSERS:
        return Resign(_LOSERS[tidy])
    found = _SCORE.fullmatch(tidy)
    if found is None:
        return _unreadable(text, tidy)
    label, column, row, path, golem = found.groups(default="")
    jumps = read_jumps(path)
    score = _Score(label, column, row, "" if jumps else path, jumps, golem)
    return _meant(state, state.turn, score)


def _tidied(text: str) -> str:
    """The text without what a reader forgives, but for origins."""
    text = " ".join(text.translate(_FORGIVEN).split())
    text = re.sub(r" ?([x+=-]) ?", r"\1", text)
    text = re.sub(r"^([HCJ]) ", r"\1", text)
    return re.sub(r"=h$", "=H", text)


def _unreadable(text: str, tidy: str) -> Refused:
    quoted = short_quote(text)
    if "=" in tidy:
        return Refused(
            "agog.notation.promotion",
            f"{quoted} cannot be read: after the turn comes the square of the golem that becomes a"
            " hulk and =H, as in Ca1 h1=H; for a unit removed from play nothing is written",
        )
    if re.match(r"[ABD-GIK-Z]", tidy):
        return Refused(
            "agog.notation.label",
            f"{quoted} cannot be read: units are J, H and C, and a golem has no letter, as in b6",
        )
    if re.search(r"[x+]", tidy):
        return Refused(
            "agog.notation.capture",
            f"{quoted} cannot be read: x or + stands before each square on which the unit lands,"
            " as in Jxa3+c3",
        )
    return Refused(
        "agog.action.syntax",
        f"{quoted} is not a turn: a score reads b6, ab6, 3xc5xe5, Jxa3+c3, Ca1 h1=H, 1-0 or 0-1",
    )


def _meant(state: State, seat: Seat, score: _Score) -> Action | Refused:
    board, first = state.board, AT[score.first]
    comers = [start for start, to in first_steps(board, seat) if to == first]
    labelled = [start for start in comers if label_of(board[start]) == score.label]
    named = [start for start in labelled if score.names(start)]
    if not comers:
        return _cannot_come(state, seat, score)
    if not labelled:
        right = label_of(board[comers[0]]) or "no letter"
        return Refused(
            "agog.notation.label",
            f"a {name_of(board[comers[0]])} can come to {score.first}, and is written with {right}",
        )
    captures = can_capture(board, seat)
    if captures != bool(score.jumps):
        right = "a capture: x or + stands" if captures else "no capture: no x or + stands"
        return Refused("agog.notation.capture", f"this is {right} before {score.first}")
    if len(named) != 1 or (
        not (score.column or score.row)
        and origin_is_needed(board[named[0]], len(labelled), captures)
    ):
        squares = " or ".join(SQUARES[start] for start in labelled)
        return Refused(
            "agog.notation.origin",
            f"the unit that comes to {score.first} stands on {squares}: write the column it leaves"
            " if it goes along a row, the row if it goes along a column",
        )
    return _judged(state, seat, score, named[0])


def _judged(state: State, seat: Seat, score: _Score, start: int) -> Action | Refused:
    """The action said of this unit, which may first come to where the text says."""
    action = score.action(SQUARES[start], score.golem or None)
    refusal = refuse(state, seat, action)
    if refusal is not None and refusal.rule == "agog.promote.choice":
        # Nothing is written of a unit that is taken out (SCOREKEEPING).
        action = score.action(SQUARES[start], "out")
        refusal = refuse(state, seat, action)
    return action if refusal is None else refusal


def _cannot_come(state: State, seat: Seat, score: _Score) -> Refused:
    """Why no unit can first come to where the text says: for the nearest that is meant."""
    first = AT[score.first]
    meant = [
        start
        for start in PLACES
        if state.board[start] in OWN[seat]
        and label_of(state.board[start]) == score.label
        and score.names(start)
        and (start, first) in BETWEEN
    ]
    if not meant:
        name = UNIT_NAMES[score.label.lower() or "g"]
        return Refused(
            "agog.unit.own", f"{seat.title()} has no {name} that could come to {score.first}"
        )
    nearest = min(meant, key=lambda start: len(BETWEEN[start, first]))
    refusal = refuse(state, seat, score.action(SQUARES[nearest], score.golem or None))
    assert refusal is not None, "no turn begins by coming there"
    return refusal


def read_record(state: State, text: str) -> tuple[Action, ...] | Refused:
    """The actions of a match that began in this state.

    A result while the game is open is the loser's resignation. A record may stop while the game
    is open; of a game that is over it must end with the result.
    """
    actions: list[Action] = []
    words = deque(_words(text))
    number = 0
    while words and words[0] not in _LOSERS:
        if isinstance(state.turn, Outcome):
            return _no_record(f"the game is over, but {short_quote(words[0])} follows")
        if state.turn == "white" or not number:
            number += 1
            head = [f"{number}.", "..."] if state.turn == "black" else [f"{number}."]
            if [words.popleft() for _ in head if words] != head or not words:
                return _no_record(f"pair {number} begins with {' '.join(head)} and a turn")
        if _HEAD.fullmatch(words[0]):
            return _no_record(f"{words[0]} stands in pair {number} where a turn is due")
        action = read(state, words.popleft())
        if isinstance(action, Refused):
            return Refused(action.rule, f"in pair {number}: {action.why}", action.figures)
        actions.append(action)
        state = after(state, action)
    return _closed(state, actions, list(words))


def _words(text: str) -> list[str]:
    """The words of a record; a turn with its promotion is one."""
    words: list[str] = []
    for word in text.translate(_FORGIVEN).split():
        if words and _PROMOTION.fullmatch(word):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _closed(state: State, actions: list[Action], words: list[str]) -> tuple[Action, ...] | Refused:
    """The actions, with the resignation that a result may stand for."""
    if len(words) > 1:
        return _no_record(f"nothing follows the result {words[0]}")
    if not isinstance(state.turn, Outcome):
        return (*actions, *(Resign(_LOSERS[result]) for result in words))
    right = SCORES[state.turn.winner]
    if words != [right]:
        return _no_record(f"the game is over, and the record ends with {right}")
    return tuple(actions)


def _no_record(why: str) -> Refused:
    return Refused("agog.notation.record", why)
