"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it."""

from typing import Final

from domain.kernel.rulings import Rule

_REFERENCE = "reference"
_PLAYING = "Playing the Game"
_WARRIOR, _KNIGHT, _WIND_MAGE = "Imperial Warrior", "Blue Knight", "Wind Mage"
_PRIEST, _ALCHEMIST, _DUELIST = "Priest of the Winds", "Alchemist", "Duelist"
_BATTLE_MAGE, _SKELETON, _ZOMBIE = "Battle Mage", "Skeleton", "Zombie"
_MUMMY, _TOMB_KEEPER, _DARK_PRIEST = "Mummy", "Tomb Keeper", "Dark Priest"
_NECROMANCER = "Necromancer"


def _rule(name: str, meaning: str, source: str, *rulings: int) -> Rule:
    return Rule(f"ta.{name}", meaning, source, tuple(f"TA-R{n}" for n in rulings))


# Meanings are parts of sentences: `kernel.game.explain` adds the figures and the source.
# fmt: off
_ALL = (
    _rule("setup.army", "an army has 8 soldiers, 2 sergeants, 2 lieutenants, 2 captains, a chief "
          "and a general", "Setting Up", 2, 50),
    _rule("setup.formation", "an army stands in the two rows nearest to its owner, as the figure "
          "shows it from the owner's side", "Setting Up, Figure 1-1", 3),
    _rule("setup.board", "the board has 8 columns, and as many rows as option rows says",
          "Contents of Tokar's Arcana", 1),
    _rule("setup.first", "who begins is agreed on, or left to chance", _PLAYING, 4),
    _rule("setup.debriefing", "with the debriefing both players study the armies and say ready "
          "before the first turn", "Optional Rule: Pre-Game Debriefing", 41),

    _rule("notation.form", "an action is written in one of the known forms", _REFERENCE),
    _rule("notation.capture", "a move onto a model is written with x, onto a free square with -",
          _REFERENCE),
    _rule("notation.canonical", "the two that are given in a trade are written in order",
          _REFERENCE),
    _rule("board.square", "a square lies on the board", "Contents of Tokar's Arcana", 1),

    _rule("turn.seat", "only a seat that is asked acts", _PLAYING),
    _rule("turn.prompt", "an open question is answered before anything else, and only an open one",
          _REFERENCE, 14),
    _rule("turn.one_order", "a turn is one order to one model", _PLAYING, 35),
    _rule("turn.pass", "a player may give no order, or only if there is none to give, as the match "
          "was created", _PLAYING, 8),
    _rule("turn.sequence", "after an order come the placing of the vanquished, the angels, the "
          "raising, the firebrew, and the angels of the burned", _REFERENCE, 14),
    _rule("turn.end", "when nobody is asked any more, the firebrew of the seat on turn burns down "
          "and the turn passes", "Alchemist, Mummy", 18, 24),

    _rule("order.own", "a player commands models of the same side", _PLAYING),
    _rule("order.ability", "a model does what its card says, and nothing else", _PLAYING),
    _rule("order.sequence", "where an order has two parts, the second is measured from where the "
          "first has led", "Duelist, Battle Mage", 9, 12, 20),
    _rule("move.occupied", "a unit that does not kill by entering moves to free squares",
          "the units' cards"),

    _rule("kill.target", "a strike, like a throw, needs a model to hit", _REFERENCE, 39),
    _rule("kill.friendly", "which units may hit models of their own side is told by their cards "
          "and by the option on friendly fire", "the units' cards", 6),
    _rule("kill.immune", "Skeletons and Tomb Keepers cannot be killed by a soldier's strike or "
          "entering; by everything else they can", "Skeleton, Tomb Keeper", 44),
    _rule("kill.graveyard", "who leaves the board lies in its owner's graveyard, as what it was, "
          "without tokens", "Killing a unit", 11, 46),
    _rule("graveyard.return", "who leaves a graveyard stands on a free square that the order names",
          "the units' cards"),

    _rule("offboard.killed", "a model that moves off the board is killed", "Moving off-field", 7),
    _rule("offboard.reach", "a model walks off where one of its own movements leads over an edge",
          "Moving off-field", 7, 48),
    _rule("offboard.forbidden", "no model walks off the board in a match that was created so",
          "Moving off-field", 7),

    _rule("warrior.move", "an Imperial Warrior moves one square straight ahead", _WARRIOR, 45),
    _rule("warrior.kill.reach", "an Imperial Warrior strikes straight ahead or diagonally ahead",
          _WARRIOR),
    _rule("warrior.kill.rank", "an Imperial Warrior kills a soldier straight ahead, and a higher "
          "rank diagonally ahead", _WARRIOR),
    _rule("warrior.either", "an Imperial Warrior steps or strikes, not both, in a match that was "
          "created so", _WARRIOR, 10),

    _rule("knight.move", "a Blue Knight moves in an L, over anything", _KNIGHT),
    _rule("knight.enemy", "a Blue Knight lands on enemies, and on models of its own side only "
          "where any unit may do so", _KNIGHT, 5),

    _rule("windmage.move", "a Wind Mage teleports one or two squares diagonally, over anything",
          _WIND_MAGE),
    _rule("windmage.bolt", "a Wind Mage's lightning strikes exactly three squares straight ahead",
          _WIND_MAGE),

    _rule("priest.move", "a priest moves one square any way", _PRIEST),
    _rule("priest.kill.reach", "a priest strikes an adjacent model", _PRIEST),
    _rule("priest.kill.rank", "a priest kills soldiers only", _PRIEST),
    _rule("priest.revive.corner", "a priest revives while he stands in a corner of the board",
          _PRIEST, 15),
    _rule("priest.revive.unit", "a priest revives a soldier of his side's graveyard", _PRIEST),
    _rule("priest.revive.square", "whom a priest revives stands on a free square adjacent to him",
          _PRIEST),
    _rule("priest.angel", "a priest who was killed, in whatever manner, may return at once",
          _PRIEST, 13),
    _rule("priest.angel.once", "each priest's angel answers once", _PRIEST, 13),
    _rule("priest.angel.square", "the angel sets the priest on any free square of the board",
          _PRIEST, 13),

    _rule("alchemist.slide", "an Alchemist slides one to five squares along his row", _ALCHEMIST,
          16),
    _rule("alchemist.swap", "an Alchemist changes places with every model on his way", _ALCHEMIST,
          16),
    _rule("alchemist.row", "an Alchemist never leaves his row, nor the board", _ALCHEMIST, 16),
    _rule("alchemist.brew.range", "firebrew flies at most two columns and two rows, over one model "
          "if need be", _ALCHEMIST, 17),
    _rule("alchemist.brew.already", "a second firebrew has no effect on a model that burns",
          _ALCHEMIST, 19),
    _rule("alchemist.brew.tokens", "firebrew puts three tokens on a model", _ALCHEMIST),
    _rule("alchemist.brew.burn", "whenever a model's owner ends a turn, a token comes off it; with "
          "the last the model dies", _ALCHEMIST, 18),
    _rule("alchemist.brew.gone", "a model that comes from a graveyard has no tokens", _ALCHEMIST,
          18),

    _rule("duelist.move", "a Duelist moves in a straight line any of eight ways", _DUELIST),
    _rule("duelist.obstructed", "a Duelist is stopped by the first model in his way", _DUELIST),
    _rule("duelist.pistol", "a Duelist's pistol kills any adjacent model, after a move or without",
          _DUELIST, 21),

    _rule("battlemage.move", "a Battle Mage moves one square any way", _BATTLE_MAGE),
    _rule("battlemage.kill", "a Battle Mage strikes an adjacent model", _BATTLE_MAGE),
    _rule("battlemage.vanquish.nobody", "to vanquish takes an adjacent enemy of a rank up to "
          "lieutenant", _BATTLE_MAGE, 39),
    _rule("battlemage.vanquish.all", "all adjacent enemies up to lieutenant are teleported at "
          "once", _BATTLE_MAGE, 36),
    _rule("battlemage.vanquish.square", "each vanquished model is placed on any free square",
          _BATTLE_MAGE, 36),
    _rule("battlemage.promote.soldier", "a Battle Mage promotes or recalls a soldier of his side",
          _BATTLE_MAGE, 37),
    _rule("battlemage.promote.row", "a soldier is promoted or recalled from the end of the "
          "battlefield", _BATTLE_MAGE, 37),
    _rule("battlemage.promote.unit", "a soldier becomes a sergeant or lieutenant of its owner's "
          "graveyard", _BATTLE_MAGE),
    _rule("battlemage.promote.swap", "the soldier goes to the graveyard, and the promoted unit "
          "stands in its place", _BATTLE_MAGE, 37),
    _rule("battlemage.recall.available", "a soldier is recalled only while no sergeant or "
          "lieutenant lies in its owner's graveyard", _BATTLE_MAGE, 38),
    _rule("battlemage.recall.square", "a recalled soldier stands on a free square adjacent to the "
          "mage", _BATTLE_MAGE, 38),

    _rule("skeleton.move", "a Skeleton moves one square straight ahead", _SKELETON),
    _rule("skeleton.edge", "a Skeleton does not die over the edge", _SKELETON, 28, 45),
    _rule("skeleton.return", "a Skeleton walks off the far edge and reappears beside its general, "
          "in one order", _SKELETON, 28),
    _rule("skeleton.return.row", "a Skeleton returns from the far row", _SKELETON, 28),
    _rule("skeleton.return.square", "a Skeleton returns to a free square adjacent to its general",
          _SKELETON, 28),

    _rule("zombie.move", "a Zombie takes one or two orthogonal steps, and stops where it kills",
          _ZOMBIE, 22),
    _rule("zombie.nohop", "a Zombie never passes over a model", _ZOMBIE, 22, 49),
    _rule("zombie.raise", "after killing an enemy the Zombie's owner may raise a unit", _ZOMBIE,
          23),
    _rule("zombie.raise.own", "nothing is raised for a victim of the Zombie's own side", _ZOMBIE,
          23),
    _rule("zombie.raise.unit", "the raised unit has the victim's rank and lies in its owner's "
          "graveyard", _ZOMBIE, 23),
    _rule("zombie.raise.square", "the raised unit stands on a free square beside the Zombie",
          _ZOMBIE),

    _rule("mummy.move", "a Mummy moves one orthogonal step", _MUMMY),
    _rule("mummy.gas", "a model that is adjacent to an enemy Mummy takes no order", _MUMMY, 24,
          25),

    _rule("tombkeeper.move", "a Tomb Keeper moves one square any way", _TOMB_KEEPER),
    _rule("tombkeeper.kill", "a Tomb Keeper strikes an adjacent model", _TOMB_KEEPER, 12),

    _rule("darkpriest.immobile", "a Dark Priest never moves by himself", _DARK_PRIEST),
    _rule("darkpriest.moved", "a Dark Priest that another model has moved takes no order in his "
          "owner's next turn", _DARK_PRIEST, 32),
    _rule("darkpriest.mark", "a Dark Priest is marked when another model moves him, until his "
          "owner next gives an order or passes", _DARK_PRIEST, 32),
    _rule("darkpriest.wind.soldier", "the night wind costs a soldier of the Dark Priest's side",
          _DARK_PRIEST, 31),
    _rule("darkpriest.wind.push", "the night wind pushes every enemy one square back",
          _DARK_PRIEST, 31),
    _rule("darkpriest.wind.order", "the rearmost row moves first, and only who has a free square "
          "behind", _DARK_PRIEST),
    _rule("darkpriest.wind.edge", "the night wind pushes nobody off the board", _DARK_PRIEST),
    _rule("darkpriest.explode.unit", "another model of his side above soldier is exploded, at any "
          "distance", _DARK_PRIEST, 33),
    _rule("darkpriest.explode.all", "the exploded model dies with everything adjacent to it, "
          "friend and foe", _DARK_PRIEST, 33, 46),
    _rule("darkpriest.explode.rank", "an explosion counts as an attack of a general",
          _DARK_PRIEST, 34),
    _rule("darkpriest.slay.nobody", "to slay takes an adjacent enemy", _DARK_PRIEST, 39),
    _rule("darkpriest.slay.all", "all adjacent enemies are slain, and nobody of his own side",
          _DARK_PRIEST, 34),

    _rule("necromancer.move", "a Necromancer moves one square any way", _NECROMANCER),
    _rule("necromancer.kill", "a Necromancer strikes an adjacent model", _NECROMANCER, 12),
    _rule("necromancer.revive.unit", "a Necromancer revives a soldier of his side's graveyard",
          _NECROMANCER),
    _rule("necromancer.revive.square", "whom a Necromancer revives stands on a free square "
          "adjacent to him", _NECROMANCER),
    _rule("necromancer.trade.source", "two models of the board are given in trade, or two of "
          "the dead, as the match was created", _NECROMANCER, 26),
    _rule("necromancer.trade.models", "two different models of one side are given in trade",
          _NECROMANCER),
    _rule("necromancer.trade.class", "two soldiers are given, two sergeants or lieutenants in any "
          "mixture, or two captains", _NECROMANCER, 27),
    _rule("necromancer.trade.unit", "a unit of the next class is had for them, from its owner's "
          "graveyard", _NECROMANCER, 27),
    _rule("necromancer.trade.square", "the new model stands adjacent to the Necromancer, on a "
          "square that is free or freed by the trade", _NECROMANCER, 27),
    _rule("necromancer.trade.swap", "two go and one comes; to be traded is not to be killed",
          _NECROMANCER, 26, 27),

    _rule("check.announce", "a player whose general could be killed next is told check",
          "Optional Rule: Check", 40),
    _rule("draw.offer", "where draw offers are allowed, the seat on turn may offer a draw before "
          "its order, once in a turn", _REFERENCE, 42),
    _rule("resign.own", "each player resigns for one seat only, at any time", _REFERENCE, 43),

    _rule("end.general", "the game is over at once when a general dies, and its owner has lost",
          "Ending the Game", 30, 47),
    _rule("end.both", "if both generals die at one moment, the seat on turn has won, or nobody "
          "where the options call it a draw", "Ending the Game", 29),
    _rule("end.resign", "a player who resigns has lost", _REFERENCE, 43),
    _rule("end.agreement", "a draw that was offered and accepted ends the game", _REFERENCE, 42),
    _rule("end.quiet", "as many turns in a row without a death or a return from a graveyard as the "
          "limit on quiet turns says end the game in a draw", _REFERENCE, 42),
    _rule("end.over", "after the end nothing can be done", "Ending the Game"),
)
# fmt: on

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
