"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it."""

from typing import Final

from domain.kernel.rulings import Rule

_REFERENCE = "reference"
_PHASES = "PHASES OF A TURN"
_GRID = "YOUR GRID"
_IMPROVE = "PHASE 2: IMPROVE DICE"
_SWAP = "PHASE 3: SWAPPING"
_MOVE = "PHASE 4: USE DICE - MOVING"
_ATTACK = "PHASE 4: USE DICE - ATTACKING"
_DAMAGE = "PHASE 4: DAMAGE"
_ARTILLERY = "OPTIONAL VARIANT - ARTILLERY"


def _rule(name: str, meaning: str, source: str, *rulings: int) -> Rule:
    return Rule(f"ew.{name}", meaning, source, tuple(f"EW-R{n}" for n in rulings))


# Meanings are parts of sentences: `kernel.game.explain` adds the figures and the source.
# fmt: off
_ALL = (
    _rule("action.syntax", "an action has one spelling, and only that is read", _REFERENCE),
    _rule("entry.range", "one or two dice are entered, as asked, each from 1 to 3", "SETTING UP"),
    _rule("prompt.none", "an answer needs a question", _REFERENCE),
    _rule("prompt.other", "an open question is answered first", _REFERENCE),

    _rule("setup.board", "the battlefield is square, with a trench for each golem outside it, next "
          "to the middle", "SETTING UP", 1, 2),
    _rule("setup.die", "each grid begins with a white 1 on its front moon", "SETTING UP"),
    _rule("setup.initiative", "each player rolls two dice, and the higher total begins",
          "INTRODUCTION"),
    _rule("setup.tie", "after a tie both roll again", "INTRODUCTION", 5),

    _rule("turn.order", "players take turns, and only the one in turn acts", _PHASES),
    _rule("turn.phases", "a turn goes through four phases in this order: refresh, improve, swap, "
          "use dice", _PHASES),
    _rule("turn.end", "a turn ends when its player says so, whether all dice were used or not",
          _MOVE, 15),

    _rule("refresh.all", "at the start of a turn all dice of its player become available",
          "PHASE 1: REFRESH DICE"),
    _rule("refresh.once", "a die is used once in a turn", "PHASE 1: REFRESH DICE"),

    _rule("improve.one", "a turn has one improvement, or none", _IMPROVE),
    _rule("improve.roll", "a new die is rolled, and then placed", _IMPROVE),
    _rule("improve.supply", "a new die is taken from what is left of its colour", _IMPROVE, 3),
    _rule("improve.full", "a new die needs an empty square", _IMPROVE, 6),
    _rule("improve.up", "an upgraded die shows one dot more and keeps its colour", _IMPROVE),
    _rule("improve.top", "a 3 cannot be upgraded", _IMPROVE),
    _rule("improve.down", "a downgraded die shows one dot less and keeps its colour", _IMPROVE),
    _rule("improve.remove", "a downgraded 1 goes to the supply", _IMPROVE),

    _rule("grid.one", "a square of a grid holds one die", _IMPROVE, 6),
    _rule("grid.centre", "the centre of a grid holds no die", _GRID),
    _rule("grid.no-die", "only a square with a die can be turned or used", _GRID),
    _rule("grid.direction", "the square of a die is its direction, as its owner sees the grid",
          _GRID),

    _rule("swap.one", "a turn has one swap, or none", _SWAP),
    _rule("swap.adjacent", "only squares side by side or across a corner are swapped", _SWAP, 7),
    _rule("swap.empty", "a swap moves at least one die", _SWAP),

    _rule("move.exact", "a golem moves exactly as many squares as the die has dots", _MOVE),
    _rule("move.keep", "a white die keeps its number when it is used", _GRID),
    _rule("move.board", "a golem stays on the battlefield", _MOVE, 9),
    _rule("move.golem", "a golem moves neither into nor through the other golem", _MOVE),
    _rule("move.trench", "no golem moves into a starting square", _MOVE, 10),

    _rule("attack.exact", "an attack lands exactly as many squares away as the die has dots",
          _ATTACK),
    _rule("attack.over", "nothing in between stops an attack", _ATTACK, 11),
    _rule("attack.board", "an attack lands on a square of the battlefield or a trench",
          _ATTACK, 9, 20),
    _rule("attack.empty", "an attack may land where no golem is", _ATTACK, 14),
    _rule("attack.reduce", "a black 2 or 3 becomes a 1 when it is used", _ATTACK),
    _rule("attack.spend", "a black 1 goes to the supply when it is used", _ATTACK, 19),

    _rule("damage.side", "a hit damages the square with the same name as the attacking one, "
          "which is where the attack came from as its victim sees it", _DAMAGE, 20),
    _rule("damage.again", "a hit on a damaged square is located by two dice", _DAMAGE),
    _rule("damage.coordinate", "the white die is the column from the left and the black die the "
          "row from the front, as the victim sees the grid, unless the match was created with "
          "the white die for the row", _DAMAGE, 8),
    _rule("damage.centre", "only a 2 and a 2 damage the centre", _DAMAGE),
    _rule("damage.none", "a located square that is damaged already takes no damage", _DAMAGE),

    _rule("end.line", "three damaged squares in a row, a column or a diagonal destroy a golem",
          _DAMAGE, 4),
    _rule("end.draw", "the game is drawn if both golems are destroyed at once", _REFERENCE, 12, 18),
    _rule("end.over", "after the end nothing can be done", "INTRODUCTION"),

    _rule("shell.place", "an attack on an empty square of the battlefield may leave a shell there",
          _ARTILLERY, 19),
    _rule("shell.decline", "placing a shell is optional", _ARTILLERY),
    _rule("shell.empty", "no shell is placed on a golem, a shell or a trench, or off the "
          "battlefield", _ARTILLERY, 14),
    _rule("shell.supply", "a shell is a black die from the supply", _ARTILLERY, 19),
    _rule("shell.countdown", "every shell has one turn less at the start of each player's turn",
          _ARTILLERY, 17),
    _rule("shell.explode", "a shell with no turns left explodes", _ARTILLERY),
    _rule("shell.chain", "an explosion sets off the shells in the eight squares around it",
          _ARTILLERY),
    _rule("shell.damage", "an explosion damages every golem in the eight squares around it, on the "
          "square of its grid that points to the shell", _ARTILLERY, 16, 18),
    _rule("shell.repeat", "an explosion does not damage what is damaged already", _ARTILLERY),
    _rule("shell.walk", "a shell explodes before a golem enters its square, and ends the move if "
          "it destroys a golem", _ARTILLERY, 13),
)
# fmt: on

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
