"""The rule index: what rulings and refusals cite."""

from typing import Final

from domain.kernel.rulings import Rule

_ALL: Final = (
    Rule("c4.turn", "the players drop discs in turn, red first", "reference"),
    Rule("c4.drop.column", "a disc is dropped into a column of the board", "reference"),
    Rule("c4.drop.full", "a column that is full takes no disc", "reference"),
    Rule("c4.drop.lowest", "a disc falls to the lowest free space of its column", "reference"),
    Rule("c4.win.line", "four discs of one colour in a row win", "reference"),
    Rule("c4.win.full", "a full board without four in a row is a draw", "reference"),
    Rule("c4.over", "after the end nothing is dropped", "reference"),
    Rule("c4.notation", "an action is written as `drop 4`", "reference"),
)
RULES: Final = {rule.id: rule for rule in _ALL}
