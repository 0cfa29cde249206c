"""Actions as one line of text each, and back; how positions are written is in `position`."""

import re
from typing import Final, assert_never

from domain.games.golem_arcana import actions as a
from domain.games.golem_arcana.actions import Action
from domain.kernel.notation_error import short_quote
from domain.kernel.rulings import Refused

NOTATION: Final = """\
Position: ga1 scenario options Rn turn seats golems constructs wells powers secrets todo result
  ga1 first-steps - R1 south south:4:0:0:-;north:0:0:0:- s1=sand-lion@a1:50;n1=prism-archer@f3:40 \
- - - - - *
  Options that differ from their default, name=value; the Round; whose Turn, or -. Seats as
  seat:ap:mana:vp:ancient+ancient, and :out for one that gave up. Golems as
  id=type+knight*relic.charges@region:hp (off in reserve, ? not yet deployed; *relic if it has no
  charges), %ability.pips.doublings for Cooldown (u: used this Turn), then
  !source:stat:amount:left:seat for status effects. Constructs id=relic@region:hp; wells region:L
  or region:S; Blessings and Curses seat.ancient.power@region; secrets seat=quest and
  encounter=region, ! when known to all; what is being resolved; * or win:seat or draw:seat+seat
  (with teams, all seats of a side). Every list has one order, in which it is written; it may be
  read in any.
Action: words with one space between
  move s1 walk c4            a movement ability to a Region
  attack s1 bite n1          an attack on a unit (area attacks name a Region)
  charge s1 bite walk n1     a melee attack on a unit in another Region (with charge-area=yes an
                             area attack on the Region)
  use s1 blood-price         a Knight's power, with a unit or Region if it needs one
  relic s1 drink n1          a Relic's ability, likewise
  invoke urzal grave-chill c4   a power of an Ancient One (miracles name no Region)
  enter s3 a1                from the reserve         end            ends the Turn
  deploy s1 a1, hold s1      before the battle        dice 07        percentile dice
  displace c4, die 2         where a displaced Golem goes
  step c4, stay              a free step              choose 1       in an encounter
  quest 2, hide 1            what was dealt and hidden
"""

_SIGNS: Final = re.compile(r"[a-z0-9-]+( [a-z0-9-]+)*")
_LONGEST: Final = 200

_WORDS: Final[dict[str, tuple[int, int]]] = {
    "move": (3, 3), "attack": (3, 3), "charge": (4, 4), "use": (2, 3), "relic": (2, 3),
    "invoke": (2, 3), "enter": (2, 2), "end": (0, 0), "dice": (1, 1), "displace": (1, 1),
    "die": (1, 1), "step": (1, 1), "stay": (0, 0), "choose": (1, 1), "deploy": (2, 2),
    "hold": (1, 1), "quest": (1, 1), "hide": (1, 1),
}  # fmt: skip
"""How many words follow each verb, at least and at most."""

_MAKES: Final[dict[str, type[Action]]] = {
    "move": a.Move, "attack": a.Attack, "charge": a.Charge, "use": a.Use, "relic": a.UseRelic,
    "invoke": a.Invoke, "enter": a.Enter, "end": a.EndTurn, "dice": a.RollDice,
    "displace": a.ChooseRegion, "die": a.RollDie, "step": a.TakeStep, "stay": a.Stay,
    "choose": a.Choose, "deploy": a.Deploy, "hold": a.Hold, "quest": a.EnterQuest,
    "hide": a.EnterHiding,
}  # fmt: skip


def read_action(text: str) -> Action | Refused:
    """The action that a text spells, possible or not."""
    if len(text) > _LONGEST or not _SIGNS.fullmatch(text):
        return Refused(
            "ga.syntax",
            f"{short_quote(text)} is not an action: words of a-z, 0-9 and - with one space"
            " between, "
            "as move s1 walk c4",
        )
    verb, *words = text.split(" ")
    if verb not in _WORDS:
        return Refused(
            "ga.syntax", f"{short_quote(verb)} is not a verb; the verbs are {', '.join(_WORDS)}"
        )
    least, most = _WORDS[verb]
    if not least <= len(words) <= most:
        wanted = str(least) if least == most else f"{least} or {most}"
        return Refused("ga.syntax", f"{verb} is followed by {wanted} words, not {len(words)}")
    if any(len(word) > 40 for word in words):
        return Refused("ga.syntax", "no word of an action has more than 40 characters")
    return _MAKES[verb](*words)


def write_action(action: Action) -> str:
    """The one spelling of this action.

    >>> write_action(a.Charge("s1", "bite", "walk", "n1"))
    'charge s1 bite walk n1'
    """
    return " ".join(word for word in (verb_of(action), *_words(action)) if word is not None)


def verb_of(action: Action) -> str:
    """The first word of an action.

    >>> verb_of(a.RollDice("07"))
    'dice'
    """
    return str(type(action).__struct_config__.tag).rpartition(".")[2]


def _words(action: Action) -> tuple[str | None, ...]:
    match action:
        case a.Move(golem, ability, target) | a.Attack(golem, ability, target):
            return golem, ability, target
        case a.Use(golem, ability, aim) | a.UseRelic(golem, ability, aim):
            return golem, ability, aim
        case a.Charge(golem, attack, movement, target):
            return golem, attack, movement, target
        case a.Invoke(ancient, power, region):
            return ancient, power, region
        case a.Enter(golem, place) | a.Deploy(golem, place):
            return golem, place
        case a.RollDice(number) | a.RollDie(number) | a.Choose(number):
            return (number,)
        case a.EnterQuest(number) | a.EnterHiding(number):
            return (number,)
        case a.ChooseRegion(place) | a.TakeStep(place) | a.Hold(place):
            return (place,)
        case a.EndTurn() | a.Stay():
            return ()
        case unreachable:
            assert_never(unreachable)
