"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it."""

from typing import Final

from domain.kernel.rulings import Rule

_REFERENCE = "reference"
_CONTENT = "content pack"
_SETUP = "Game Setup and Basics"
_ARMY = "Building an Army"
_UPKEEP = "Beginning a Turn"
_AP = "Activating Abilities & Action Points (AP)"
_COOLDOWN = "Golem and Knight Abilities"
_CHART = "Terrain Effects Chart"
_MOVING = "During play, you move your Golems"
_SHARING = "More than one Golem can occupy a single Region"
_PITS = "Special Terrain Types"
_ATTACKS = "Golems damage and destroy each other"
_COMBAT = "Combat Resolution"
_LUCK = "Lucky and Critical Hits"
_SIGHT = "Line of Sight"
_CHARGE = "A Golem can use a Melee attack by executing a Charge"
_DISPLACED = "Charge attacks and some Special Effects"
_MANA = "Using Mana"
_SURPRISES = "During play, you might encounter a few surprises"
_STYLUS = "Getting Started"
_MOVEMENT_POWER = "When you activate a Movement Power"


def _rule(name: str, meaning: str, source: str, *rulings: int) -> Rule:
    return Rule(f"ga.{name}", meaning, source, tuple(f"GA-R{n}" for n in rulings))


# Meanings are parts of sentences: `kernel.game.explain` adds the figures and the source.
# fmt: off
_ALL = (
    # Set-up and armies
    _rule("setup.scenario", "the scenario fixes who fights, where, how long and for what", _SETUP),
    _rule("setup.order", "encounters are hidden, quests dealt, armies deployed; then Round 1 "
          "begins; nothing is asked where there is no choice", _REFERENCE, 2),
    _rule("army.faction", "an army serves one of the factions", _ARMY),
    _rule("army.arcanum", "a faction fields Golems of its own arcana only", _ARMY),
    _rule("army.empty", "an army has at least one Golem", _REFERENCE),
    _rule("army.unknown", "everything that an army names must be in the content pack", _REFERENCE),
    _rule("army.apv", "the army's total value is at most the scenario's", _ARMY),
    _rule("army.knight-faction", "a Knight serves certain factions", _ARMY),
    _rule("army.ancient-faction", "an Ancient One serves certain factions", _ARMY),
    _rule("army.knight-twice", "a Knight is in an army only once; a type of Golem as often as "
          "its player likes", _REFERENCE, 41, 42),
    _rule("army.relic-twice", "a Relic is in an army only once", _REFERENCE, 41),
    _rule("army.ancient-twice", "an Ancient One is in an army only once", _REFERENCE, 41),
    _rule("army.relic-size", "a carrier's Base Size is at least the Relic's size", "Relics"),
    _rule("army.relic-arcanum", "a Relic may need a carrier of certain arcana", _CONTENT),
    _rule("deploy.zone", "a Golem is deployed in its seat's zone", _SETUP),
    _rule("deploy.done", "a Golem is placed once", _SETUP),
    _rule("deploy.reserve", "only as many Golems are held in reserve as the scenario allows, unless"
          " one fits nowhere", _SETUP, 39),
    _rule("reserve.round", "reserves enter from the scenario's Round on", _SETUP, 39),
    _rule("reserve.zone", "reserves enter in their seat's zone", _SETUP, 39),
    _rule("reserve.enemy", "reserves do not enter where an enemy Golem stands", _REFERENCE, 39),
    _rule("reserve.on-board", "only a Golem in reserve enters", _REFERENCE),

    # Turns, points, Cooldown
    _rule("over", "after the end nothing can be done", _SETUP),
    _rule("syntax", "an action has one spelling, and only that is read", _REFERENCE),
    _rule("turn.not-yours", "each seat acts in its own Turn and answers what it is asked",
          "The Player Turn"),
    _rule("prompt.other", "an open question is answered before anything else is done", _REFERENCE),
    _rule("prompt.none", "an answer needs a question", _REFERENCE),
    _rule("entry.range", "what is entered is one of the possible results",
          "Using the Control Card"),
    _rule("turn.order", "the seats take their Turns in the scenario's order, each once in a Round",
          "The Player Turn"),
    _rule("turn.skip", "a seat without Golems takes no Turn", _REFERENCE, 37),
    _rule("turn.end", "a Turn lasts until its seat ends it", _AP, 3),
    _rule("upkeep.order", "Upkeep handles places, wells, damage, status effects and Cooldown in "
          "this order", _UPKEEP, 2),
    _rule("upkeep.places", "a place held alone gives its points in Upkeep", _UPKEEP),
    _rule("upkeep.wells", "a well is harvested in Upkeep, and turned over or used up",
          "Beginning a Turn; Mana Wells", 40),
    _rule("upkeep.damage", "ongoing damage takes effect in Upkeep, without armor",
          "Beginning a Turn; Special Terrain Types", 33),
    _rule("upkeep.status", "status effects run down in the Upkeep of the seat that caused them",
          _UPKEEP, 33),
    _rule("upkeep.cooldown", "every ability loses a pip in Upkeep", f"{_UPKEEP}; {_COOLDOWN}"),
    _rule("ap.pool", "the size of the battle gives the pool of Action Points",
          "AP Pool Table (lost)", 1),
    _rule("ap.short", "an ability is paid for with Action Points of the pool", _AP),
    _rule("ap.leftover", "unspent Action Points become Mana", _AP),
    _rule("mana.short", "a seat can only spend Mana that it has", _MANA),
    _rule("hp.short", "a price in Hit Points may not destroy the Golem", _REFERENCE, 7),
    _rule("cooldown.double", "each use doubles an ability's cost while it cools", _COOLDOWN),
    _rule("cooldown.gain", "a use adds pips: 1, or 2 for an attack that has none",
          _COOLDOWN, 4, 5, 6, 8),
    _rule("cooldown.clear", "an ability costs its printed price again when its last pip is gone",
          _COOLDOWN),

    # Naming things
    _rule("golem.unknown", "the Golem must be in play", _AP),
    _rule("golem.not-yours", "a seat acts with its own Golems", _AP),
    _rule("golem.off-board", "a Golem must be on the board to act", _AP),
    _rule("ability.unknown", "a Golem has the abilities of its card and its Knight's", _AP),
    _rule("ability.class", "each kind of action uses abilities of its class", _AP),
    _rule("region.unknown", "a Region must be on the board", _REFERENCE),
    _rule("target.unknown", "a target must be in play", _ATTACKS),
    _rule("target.friend", "the target must be an enemy", _ATTACKS, 49),
    _rule("target.foe", "the target must belong to the acting seat", _ATTACKS),
    _rule("target.off-board", "the target must be on the board", _ATTACKS),

    # Movement
    _rule("move.reach", "a Golem goes as far as its Movement Points allow", _MOVING, 11),
    _rule("move.same", "the Golem must go to another Region", _REFERENCE),
    _rule("move.cost", "walking costs Movement Points by terrain; the most expensive terrain "
          "counts", _CHART, 10),
    _rule("move.fly", "flying costs one Movement Point a Region", _MOVING),
    _rule("move.colossus", "a walking Colossus pays one Movement Point a Region", _MOVING, 14),
    _rule("move.nimble", "nimble movement goes diagonally too", "Nimble Movement"),
    _rule("move.stop", "a Golem stops in a Region with an enemy Golem", _MOVING, 50),
    _rule("move.breakaway", "getting away from an enemy costs extra Action Points",
          "A Golem in the same region as an enemy", 9),
    _rule("move.path", "the path is the least harmful, then the shortest, then the first",
          _REFERENCE, 12),
    _rule("terrain.blocking", "no Golem stops in blocking terrain, and only flyers pass through",
          f"{_CHART}; Flying and Difficult Terrain"),
    _rule("terrain.pit", "entering a pit costs 10 Hit Points", _PITS, 13),
    _rule("terrain.swamp", "a swamp costs 5 Hit Points on entering and at the start of a Turn",
          _PITS, 13),
    _rule("stack.limit", "a Region holds four Base Sizes", _SHARING),
    _rule("stack.obstruction", "each obstruction takes the room of one Base Size", _SHARING),
    _rule("stack.full", "a Golem stops only where there is room for it", _SHARING, 11),
    _rule("status.pinned", "a pinned Golem uses no movement ability", _CONTENT),

    # Combat
    _rule("melee.same-region", "a melee attack needs its target in the same Region", _ATTACKS),
    _rule("ranged.same-region", "a ranged attack needs its target in another Region", _ATTACKS),
    _rule("ranged.range", "a ranged attack reaches as far as its range", _ATTACKS, 20),
    _rule("los.blocked", "a ranged attack needs a clear Line of Sight", _SIGHT),
    _rule("los.line", "the line runs from centre to centre through the Regions whose inside it"
          " crosses", _SIGHT, 18, 21),
    _rule("los.elevated", "elevated ground between blocks unless an end is elevated", _SIGHT),
    _rule("los.colossus", "a Colossus between blocks", _SIGHT),
    _rule("hit.chance", "the chance to hit is accuracy less dodge, cover and penalties", _COMBAT,
          28, 51),
    _rule("hit.cover", "the terrain of the target's Region covers it by its size",
          f"{_COMBAT}; Terrain Cover Table", 15, 19, 22, 55),
    _rule("hit.between", "half the cover of the Regions between counts too, but never that of "
          "water and pits", _COMBAT, 16, 17, 21, 22),
    _rule("hit.engaged", "shooting out of a Region with an enemy costs 20", _ATTACKS, 23),
    _rule("hit.pit", "shooting from a pit costs 30", _PITS),
    _rule("hit.roll", "a roll of at most the chance hits", _COMBAT),
    _rule("hit.lucky", "doubles above the chance hit anyway", _LUCK),
    _rule("hit.critical", "doubles within the chance hit critically", _LUCK, 53),
    _rule("hit.super", "00 hits critically, and the attack does not cool", _LUCK, 8, 52),
    _rule("hit.fated", "doubles miss this Golem", _CONTENT),
    _rule("damage.armor", "armor reduces damage, down to 0", _COMBAT),
    _rule("damage.critical", "a critical hit does one and a half times the damage", _LUCK, 54),
    _rule("damage.destroy", "without Hit Points a unit is out of the game, with Knight and Relic",
          f"{_COMBAT}; Knights", 32, 34),
    _rule("attack.order", "hits are decided first, then come Cooldown, damage and effects, then "
          "open choices", _REFERENCE, 26),
    _rule("attack.effects", "a hit has its special effects even without damage", _ATTACKS, 31),
    _rule("area.all", "an area attack strikes all in the Region with one roll, friends too",
          "Area Effect Attacks", 24),
    _rule("area.no-cover", "no cover of any kind helps against an area attack",
          "Area Effect Attacks"),
    _rule("area.no-enemy", "an area attack needs an enemy in the Region", _REFERENCE, 24),
    _rule("charge.melee-only", "a Charge is made with a melee attack", _CHARGE),
    _rule("charge.area", "a Charge uses no area attack, unless an option allows it", _CHARGE, 25),
    _rule("charge.same-region", "a Charge goes to another Region", _CHARGE),
    _rule("charge.reach", "a Charge must be able to enter the target's Region", _CHARGE, 29),
    _rule("charge.cost", "a Charge costs the attack and the movement, and both cool", _CHARGE,
          8, 9),
    _rule("charge.displace", "a Charge that hits displaces a target that is not larger, a "
          "critical hit any target", _CHARGE, 27),
    _rule("charge.advance", "the attacker moves in, or as far along as there is room", _CHARGE,
          28, 29),
    _rule("displace.place", "a displaced Golem goes where there is room, close enough, and not "
          "into blocking terrain", _DISPLACED),
    _rule("displace.kind", "the effect says who chooses where a displaced Golem goes", _DISPLACED,
          27, 30),
    _rule("step.place", "a free step goes to an adjacent Region with room", _CONTENT, 30),
    _rule("effect.status", "a status effect lasts its number of Rounds; the same effect again "
          "restarts it", _CONTENT, 31, 33),
    _rule("effect.dot", "damage over time hurts in each Upkeep of its victim", _CONTENT, 33),
    _rule("effect.heal", "healing restores Hit Points up to the printed ones", _CONTENT),
    _rule("effect.cool", "cooling takes pips off", _CONTENT),
    _rule("effect.drain", "draining takes Mana from an enemy", _CONTENT),
    _rule("effect.landing", "a landing hurts each enemy in the Region", _CONTENT),
    _rule("effect.aura", "an aura hurts each enemy in its Region in that enemy's Upkeep", _CONTENT),

    # Knights, Relics, Mana, Ancient Ones
    _rule("power.range", "a power reaches as far as its range", _CONTENT, 20),
    _rule("relic.spent", "each use of a Relic spends a charge", _REFERENCE, 6),
    _rule("construct.one", "a Region holds one Construct", _REFERENCE, 32),
    _rule("construct.target", "a Construct can be attacked", "Relics", 32),
    _rule("mana.destroyed", "a destroyed Golem and its Knight each release a share of their value"
          " as Mana", "Golem Destruction", 35),
    _rule("mana.well", "a well gives its capacity times the Base Size of the largest Golem",
          "Mana Wells", 40),
    _rule("ancient.unknown", "a seat calls upon the Ancient Ones of its own army",
          "Using the Control Card", 45),
    _rule("ancient.miracle", "a miracle affects a group of Golems", _MANA),
    _rule("ancient.blessing", "a Blessing helps its seat's own Golems in its Region",
          _MANA, 43, 44),
    _rule("ancient.curse", "a Curse harms enemy Golems in its Region", _MANA, 43, 44),
    _rule("ancient.water", "a Blessing or Curse cannot be in water", _MANA, 44),
    _rule("ancient.same-region", "a Blessing or Curse moves to another Region", _MANA, 43),

    # Giving up
    _rule("resign.out", "a seat that gives up is out: its Turns are over, its Golems stay",
          _REFERENCE),
    _rule("resign.least", "questions to a seat that is out get the least answer", _REFERENCE),

    # Victory and surprises
    _rule("vp.place", "holding a place gives Victory Points", _SETUP),
    _rule("vp.kill", "destroying a unit gives Victory Points", _SETUP, 36, 48),
    _rule("vp.quest", "a secret quest gives Victory Points", _SETUP),
    _rule("end.target", "the game ends when a side has the points to win", _SETUP),
    _rule("end.elimination", "the game ends when at most one side has Golems", _SETUP, 38),
    _rule("end.rounds", "the game ends after its last Round", _SETUP),
    _rule("end.last", "the game ends when all seats but those of one side are out", _REFERENCE),
    _rule("end.winner", "most Victory Points win, unless in the scenario the last army wins",
          _SETUP, 38),
    _rule("encounter.meet", "an encounter is met where a Golem comes to rest", _SURPRISES, 46, 48),
    _rule("quest.fulfil", "a secret quest is shown when it is fulfilled", _SURPRISES, 47),

    # Stylus
    _rule("stylus.pin", "a stylus is paired by its PIN", _STYLUS),
    _rule("stylus.locked", "too many wrong PINs lock a stylus for a while", _REFERENCE),
    _rule("stylus.name", "a stylus has a name and a PIN of its own", _STYLUS),
    _rule("stylus.busy", "a stylus is paired with one gateway", _STYLUS),
    _rule("stylus.unpaired", "taps of a stylus that is not paired do nothing", _STYLUS),
    _rule("stylus.seat", "a stylus acts for its own seats", _REFERENCE),
    _rule("stylus.stale", "a tap belongs to the prompt that its user looked at", _REFERENCE),
    _rule("stylus.gap", "messages that are missing are sent again first", _REFERENCE),
    _rule("stylus.nothing", "a tap must belong to a legal action", _REFERENCE),
    _rule("stylus.unready", "Confirm takes exactly one action", _MOVEMENT_POWER),
)
# fmt: on

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in _ALL}
