"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it."""

from typing import Final

from domain.kernel.game import Rule

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
    _rule("notation.canonical", "the two models given in a trade are written in order", _REFERENCE),
    _rule("board.square", "a square must be on the board", "Contents of Tokar's Arcana", 1),

    _rule("turn.seat", "only a seat that is asked acts", _PLAYING),
    _rule("turn.prompt", "an open question is answered before anything else, and only an open one",
          _REFERENCE, 14),
    _rule("turn.one_order", "a turn is one order to one model", _PLAYING, 35),
    _rule("turn.pass", "a player may pass; with option pass=stuck only if no order can be given",
          _PLAYING, 8),
    _rule("turn.sequence", "after an order come the placing of the vanquished, the angels, the "
          "raising, the firebrew, and the angels of those who burned", _REFERENCE, 14),
    _rule("turn.end", "when all questions are answered, the firebrew of the seat on turn burns "
          "down and the turn passes", "Alchemist, Mummy", 18, 24),

    _rule("order.own", "a player commands only that player's own models", _PLAYING),
    _rule("order.ability", "a model does what its card says, and nothing else", _PLAYING),
    _rule("order.sequence", "if an order has two parts, the second is measured from where the "
          "first ended", "Duelist, Battle Mage", 9, 12, 20),
    _rule("move.occupied", "a unit that does not kill by entering moves to free squares",
          "the units' cards"),

    _rule("kill.target", "a strike, like a throw, needs a model to hit", _REFERENCE, 39),
    _rule("kill.friendly", "which units may hit models of their own side depends on their cards "
          "and on option friendly_fire", "the units' cards", 6),
    _rule("kill.immune", "Skeletons and Tomb Keepers cannot be killed by a soldier's strike or "
          "entering, but by everything else", "Skeleton, Tomb Keeper", 44),
    _rule("kill.graveyard", "a model that leaves the board goes to its owner's graveyard as what "
          "it was, without tokens", "Killing a unit", 11, 46),
    _rule("graveyard.return", "a model that leaves a graveyard stands on a free square that the "
          "order names", "the units' cards"),

    _rule("offboard.killed", "a model that moves off the board is killed", "Moving off-field", 7),
    _rule("offboard.reach", "a model walks off where one of its own movements leads over an edge",
          "Moving off-field", 7, 48),
    _rule("offboard.forbidden", "with option offboard=forbid no model walks off the board",
          "Moving off-field", 7),

    _rule("warrior.move", "an Imperial Warrior moves one square straight ahead", _WARRIOR, 45),
    _rule("warrior.kill.reach", "an Imperial Warrior strikes straight ahead or diagonally ahead",
          _WARRIOR),
    _rule("warrior.kill.rank", "an Imperial Warrior kills a soldier straight ahead, and a higher "
          "rank diagonally ahead", _WARRIOR),
    _rule("warrior.either", "with option warrior=either an Imperial Warrior steps or strikes, not "
          "both", _WARRIOR, 10),

    _rule("knight.move", "a Blue Knight moves in an L, over anything", _KNIGHT),
    _rule("knight.enemy", "a Blue Knight lands on enemies, and on models of its own side only "
          "with option friendly_fire=any", _KNIGHT, 5),

    _rule("windmage.move", "a Wind Mage teleports one or two squares diagonally, over anything",
          _WIND_MAGE),
    _rule("windmage.bolt", "a Wind Mage's lightning strikes exactly three squares straight ahead",
          _WIND_MAGE),

    _rule("priest.move", "a priest moves one square in any direction", _PRIEST),
    _rule("priest.kill.reach", "a priest strikes an adjacent model", _PRIEST),
    _rule("priest.kill.rank", "a priest kills soldiers only", _PRIEST),
    _rule("priest.revive.corner", "a priest revives while he stands in a corner of the board",
          _PRIEST, 15),
    _rule("priest.revive.unit", "a priest revives a soldier of the seat's own graveyard", _PRIEST),
    _rule("priest.revive.square", "the revived soldier stands on a free square adjacent to the "
          "priest", _PRIEST),
    _rule("priest.angel", "a priest who was killed, in whatever manner, may return at once",
          _PRIEST, 13),
    _rule("priest.angel.once", "each priest's angel saves him once", _PRIEST, 13),
    _rule("priest.angel.square", "the angel puts the priest on any free square of the board",
          _PRIEST, 13),

    _rule("alchemist.slide", "an Alchemist slides one to five squares along his row", _ALCHEMIST,
          16),
    _rule("alchemist.swap", "an Alchemist changes places with every model on his way", _ALCHEMIST,
          16),
    _rule("alchemist.row", "an Alchemist never leaves his row, nor the board", _ALCHEMIST, 16),
    _rule("alchemist.brew.range", "firebrew flies at most two columns and two rows, and may pass "
          "over one model", _ALCHEMIST, 17),
    _rule("alchemist.brew.already", "a second firebrew has no effect on a burning model",
          _ALCHEMIST, 19),
    _rule("alchemist.brew.tokens", "firebrew puts three tokens on a model", _ALCHEMIST),
    _rule("alchemist.brew.burn", "whenever a model's owner ends a turn, a token comes off it; with "
          "the last the model dies", _ALCHEMIST, 18),
    _rule("alchemist.brew.gone", "a model that returns from a graveyard has no tokens",
          _ALCHEMIST, 18),

    _rule("duelist.move", "a Duelist moves in a straight line in any of eight directions",
          _DUELIST),
    _rule("duelist.obstructed", "a Duelist is stopped by the first model in his way", _DUELIST),
    _rule("duelist.pistol", "a Duelist's pistol kills any adjacent model, after a move or "
          "without one", _DUELIST, 21),

    _rule("battlemage.move", "a Battle Mage moves one square in any direction", _BATTLE_MAGE),
    _rule("battlemage.kill", "a Battle Mage strikes an adjacent model", _BATTLE_MAGE),
    _rule("battlemage.vanquish.nobody", "vanquishing needs an adjacent enemy of a rank up to "
          "lieutenant", _BATTLE_MAGE, 39),
    _rule("battlemage.vanquish.all", "all adjacent enemies up to lieutenant are teleported at "
          "once", _BATTLE_MAGE, 36),
    _rule("battlemage.vanquish.square", "each vanquished model is placed on any free square",
          _BATTLE_MAGE, 36),
    _rule("battlemage.promote.soldier", "a Battle Mage promotes or recalls a soldier of its own "
          "side", _BATTLE_MAGE, 37),
    _rule("battlemage.promote.row", "a soldier is promoted or recalled from the end of the "
          "battlefield", _BATTLE_MAGE, 37),
    _rule("battlemage.promote.unit", "a soldier becomes a sergeant or lieutenant of the seat's "
          "own graveyard", _BATTLE_MAGE),
    _rule("battlemage.promote.swap", "the soldier goes to the graveyard, and the promoted unit "
          "stands in its place", _BATTLE_MAGE, 37),
    _rule("battlemage.recall.available", "a soldier is recalled only while no sergeant or "
          "lieutenant is in the seat's own graveyard", _BATTLE_MAGE, 38),
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
    _rule("zombie.raise", "when a Zombie has killed an enemy its owner may raise a unit",
          _ZOMBIE, 23),
    _rule("zombie.raise.own", "killing a model of the Zombie's own side raises nothing",
          _ZOMBIE, 23),
    _rule("zombie.raise.unit", "the raised unit has the victim's rank and comes from the seat's "
          "own graveyard", _ZOMBIE, 23),
    _rule("zombie.raise.square", "the raised unit stands on a free square beside the Zombie",
          _ZOMBIE),

    _rule("mummy.move", "a Mummy moves one orthogonal step", _MUMMY),
    _rule("mummy.gas", "a model that is adjacent to an enemy Mummy takes no order", _MUMMY, 24,
          25),

    _rule("tombkeeper.move", "a Tomb Keeper moves one square in any direction", _TOMB_KEEPER),
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
    _rule("darkpriest.wind.order", "the rearmost row moves first, and only models with a free "
          "square behind them move", _DARK_PRIEST),
    _rule("darkpriest.wind.edge", "the night wind pushes nobody off the board", _DARK_PRIEST),
    _rule("darkpriest.explode.unit", "another model of the same side above soldier is exploded, "
          "at any distance", _DARK_PRIEST, 33),
    _rule("darkpriest.explode.all", "the exploded model dies with everything adjacent to it, "
          "friend and foe", _DARK_PRIEST, 33, 46),
    _rule("darkpriest.explode.rank", "an explosion counts as an attack of a general",
          _DARK_PRIEST, 34),
    _rule("darkpriest.slay.nobody", "slaying needs an adjacent enemy", _DARK_PRIEST, 39),
    _rule("darkpriest.slay.all", "all adjacent enemies are slain, and no models of the same side",
          _DARK_PRIEST, 34),

    _rule("necromancer.move", "a Necromancer moves one square in any direction", _NECROMANCER),
    _rule("necromancer.kill", "a Necromancer strikes an adjacent model", _NECROMANCER, 12),
    _rule("necromancer.revive.unit", "a Necromancer revives a soldier of the seat's own "
          "graveyard", _NECROMANCER),
    _rule("necromancer.revive.square", "the revived soldier stands on a free square adjacent to "
          "the Necromancer", _NECROMANCER),
    _rule("necromancer.trade.source", "two models on the board are given in trade; with option "
          "trade=graveyard two of the dead", _NECROMANCER, 26),
    _rule("necromancer.trade.models", "two different models of the seat's own are given in trade",
          _NECROMANCER),
    _rule("necromancer.trade.class", "two soldiers are given, two sergeants or lieutenants in any "
          "mixture, or two captains", _NECROMANCER, 27),
    _rule("necromancer.trade.unit", "they are traded for a unit of the next class, from the "
          "seat's own graveyard", _NECROMANCER, 27),
    _rule("necromancer.trade.square", "the new model stands adjacent to the Necromancer, on a "
          "square that is free or freed by the trade", _NECROMANCER, 27),
    _rule("necromancer.trade.swap", "two go and one comes; a traded model is not killed",
          _NECROMANCER, 26, 27),

    _rule("check.announce", "check is announced to a player whose general could be killed next",
          "Optional Rule: Check", 40),
    _rule("draw.offer", "with option draw_offers the seat on turn may offer a draw before its "
          "order, once in a turn", _REFERENCE, 42),
    _rule("resign.own", "a player resigns only for that player's own seat, at any time",
          _REFERENCE, 43),

    _rule("end.general", "the game is over at once when a general dies, and its owner has lost",
          "Ending the Game", 30, 47),
    _rule("end.both", "if both generals die at the same moment, the seat on turn has won; with "
          "option both_generals=draw it is a draw", "Ending the Game", 29),
    _rule("end.resign", "a player who resigns has lost", _REFERENCE, 43),
    _rule("end.agreement", "a draw that was offered and accepted ends the game", _REFERENCE, 42),
    _rule("end.quiet", "with option quiet_limit the game is a draw after that many turns in a "
          "row without a death or a return from a graveyard", _REFERENCE, 42),
    _rule("end.over", "after the end nothing can be done", "Ending the Game"),
)
# fmt: on

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
