"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it."""

from typing import Final

from domain.kernel.rulings import Rule

_REFERENCE = "reference"


def _rule(name: str, meaning: str, source: str, *rulings: int) -> Rule:
    return Rule(f"agog.{name}", meaning, source, tuple(f"AGOG-R{n}" for n in rulings))


# Meanings are parts of sentences: `kernel.game.explain` adds the figures and the source.
# fmt: off
_ALL = (
    _rule("action.syntax", "an action has one spelling, start square first, and only that is read",
          _REFERENCE, 35),

    _rule("setup.board", "the board has 8 rows and 8 columns; the sanctums are a1 and h8",
          "SETUP, SCOREKEEPING", 1),
    _rule("setup.units", "a player begins with a journeyman on the sanctum behind 20 golems that "
          "fill five diagonal rows", "SETUP"),
    _rule("setup.first", "White takes the first turn, with a handicap too", "SETUP", 7),
    _rule("handicap.black", "the player with the handicap plays Black", "HANDICAPPING"),
    _rule("handicap.squares", "a handicap takes golems off nearest to the centre, so that the rest "
          "is a mirror image in the long diagonal", "HANDICAPPING", 3, 4, 5),
    _rule("handicap.supply", "golems left off by a handicap count as removed from play only if "
          "the match was created so", "HANDICAPPING", 6),

    _rule("turn.order", "players alternate, and only the player to move takes a turn", "SETUP"),
    _rule("turn.one", "a turn is one move or one capturing sequence by one unit, and cannot be "
          "passed", "SETUP", 34),
    _rule("unit.own", "a player moves and captures only with units that have that player's "
          "colour on top", "SETUP, The Journeyman", 24),

    _rule("move.straight", "a unit moves along one column or one row, to another square", "UNITS"),
    _rule("move.forward", "without a capture a unit moves only towards the enemy sanctum",
          "UNITS", 2),
    _rule("move.step", "a golem or journeyman moves one square", "The Golem, The Journeyman"),
    _rule("move.slide", "a hulk or corrupted hulk moves any distance along a line",
          "The Hulk, The Journeyman"),
    _rule("move.clear", "a move passes and reaches free squares only", "UNITS, The Hulk", 14),

    _rule("capture.mandatory", "a player who can capture must capture", "UNITS", 13),
    _rule("capture.straight", "a jump goes along one column or one row", "UNITS"),
    _rule("capture.ways", "a jump may go any of four ways, forward or backward", "UNITS", 2),
    _rule("capture.adjacent", "a golem or journeyman jumps an adjacent unit and lands right behind "
          "it", "The Golem, The Journeyman"),
    _rule("capture.fly", "a hulk or corrupted hulk jumps from any distance and lands on any free "
          "square behind", "The Hulk", 14),
    _rule("capture.landing", "a jump lands on a free square of the board", "UNITS"),
    _rule("capture.own", "a player's own units cannot be jumped", "UNITS", 14),
    _rule("capture.once", "no unit is jumped twice in one sequence", "UNITS", 9),
    _rule("capture.nothing", "a jump goes over an enemy unit", "UNITS"),
    _rule("capture.single", "a jump goes over no more than one unit", "UNITS, The Hulk"),
    _rule("capture.stay", "jumped units stand and block until the sequence is complete",
          "UNITS", 8, 9),
    _rule("capture.start_free", "the square that the capturing unit left is free", "UNITS", 10),
    _rule("capture.continue", "a sequence goes on as long as the unit can jump", "UNITS", 12),
    _rule("capture.maximal", "a sequence jumps as many units as any of the player's units could",
          "UNITS, The Hulk", 11, 12, 15),
    _rule("capture.ties", "between equally long sequences the player chooses", "UNITS", 11),
    _rule("capture.remove", "captured units are removed when the sequence is complete, in the same "
          "turn", "UNITS", 8),

    _rule("corrupt.journeyman", "only a journeyman can corrupt what it jumps", "The Journeyman"),
    _rule("corrupt.not_journeyman", "a journeyman cannot be corrupted", "The Journeyman", 17),
    _rule("corrupt.not_corrupted", "a corrupted hulk cannot be corrupted again",
          "The Journeyman"),
    _rule("corrupt.supply", "a corruption needs one of the player's golems that was removed from "
          "play", "The Journeyman", 18, 19),
    _rule("corrupt.golem", "the player's golem is put on top of the jumped golem",
          "The Journeyman"),
    _rule("corrupt.hulk", "the player's golem takes the place of the jumped hulk's top golem, "
          "which is removed from play", "The Journeyman", 20),
    _rule("corrupt.owner", "a corrupted hulk belongs to the player who made it and can act from "
          "that player's next turn on", "The Journeyman", 16),

    _rule("supply.captured", "captured golems are removed from play, each for the player of its "
          "colour", "The Journeyman", 20),
    _rule("supply.spent", "a corruption brings back one golem that was removed from play",
          "The Journeyman"),
    _rule("supply.promoted", "golems that leave the enemy sanctum for good are removed from "
          "play, each for the player of its colour", "The Hulk, The Journeyman", 20),
    _rule("supply.fresh", "a golem freed in a sequence can corrupt in the same sequence only if "
          "the match was created so", "UNITS", 18),

    _rule("sanctum.pass", "landing on the enemy sanctum and jumping on has no effect",
          "The Hulk, WINNING", 21),
    _rule("sanctum.own", "a capture may end on the player's own sanctum, without effect",
          "UNITS", 26),

    _rule("promote.choice", "a golem or hulk that ends its turn on the enemy sanctum must leave "
          "it, onto a golem or removed from play", "The Hulk", 22),
    _rule("promote.only", "only a golem or hulk that ends its turn on the enemy sanctum leaves it, "
          "and only while the game goes on", "The Hulk", 25),
    _rule("promote.target", "the new hulk is made of another of the player's golems, on any "
          "square", "The Hulk", 23),
    _rule("promote.no_golem", "if the player has no other golem in play the unit must be removed "
          "from play", "The Hulk", 23),
    _rule("promote.golem", "the golem is put on top of the other golem: a hulk", "The Hulk"),
    _rule("promote.hulk", "the hulk's top golem makes a new hulk, its bottom golem is removed "
          "from play", "The Hulk"),
    _rule("promote.corrupted", "the corrupted hulk's top golem makes a regular hulk, the enemy "
          "golem below is removed from play", "The Journeyman"),
    _rule("promote.out", "the whole unit is removed from play", "The Hulk"),

    _rule("end.capture", "the player who captures the enemy journeyman wins", "WINNING 1", 12, 27),
    _rule("end.sanctum", "a journeyman that ends its turn on the enemy sanctum wins",
          "WINNING 2", 21),
    _rule("end.immobile", "a player who has no legal turn has lost", "WINNING 3", 28),
    _rule("end.resign", "a player who resigns has lost", "WINNING 4"),
    _rule("end.over", "after the end nothing can be done", "WINNING"),
    _rule("end.no_draw", "there are no draws", "WINNING", 30),
    _rule("resign.own", "a player resigns only for that player's own seat", "WINNING 4"),
    _rule("resign.any_time", "a player may resign on either player's turn", "WINNING 4", 29),

    _rule("notation.label", "a score writes J, H or C before what such a unit does, and nothing "
          "for a golem", "SCOREKEEPING"),
    _rule("notation.origin", "a score writes the column or row left where another unit could come, "
          "and always for a golem that captures", "SCOREKEEPING", 31, 32),
    _rule("notation.capture", "a score writes x, or + for a corruption, before each square that a "
          "jump lands on", "SCOREKEEPING"),
    _rule("notation.promotion", "a score writes the new hulk's square and =H, and nothing for a "
          "unit removed from play", "SCOREKEEPING"),
    _rule("notation.record", "a record numbers the pairs of turns and ends with the result",
          "SCOREKEEPING", 33),
)
# fmt: on

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
