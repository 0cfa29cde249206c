"""What Tokar's Arcana says, in English. Every other language is another table like this one.

A key with a unit's letter, as `kill.D`, is for that unit in place of the plain key.
"""

from typing import Final

from domain.kernel.language import Language

_NAMES = {
    "south": "South",
    "north": "North",
    "model": "{seat}'s {unit}",
    "model-on": "{model} on {square}",
    "one": "a {unit}",
    "one.I": "an {unit}",
    "one.A": "an {unit}",
    "and": "{most} and {last}",
    "or": "{most} or {last}",
    "more": "{n} more",
    "rank.soldier": "soldier",
    "rank.sergeant": "sergeant",
    "rank.lieutenant": "lieutenant",
    "rank.captain": "captain",
    "rank.chief": "chief",
    "rank.general": "general",
    "rank.either": "sergeant or lieutenant",
    "race.human": "human",
    "race.undead": "undead",
    "graveyard": "{seat}'s graveyard",
    "in-grave": "in the graveyard",
    "in-air": "in the air",
    "in-angels": "awaiting an angel",
    "air": "In the air",
    "angels": "Awaiting an angel",
    "cards": "{seat}'s Arcana cards",
    "quiet": "Quiet turns",
}

_ORDERS = {
    "does": "{who} {deed}",
    "move": "{name} goes from {start} to {end}",
    "move-and": "{name} goes from {start} to {end} and {deed}",
    "kill": "kills {victim}",
    "kill.D": "kills {victim} with his pistol",
    "kill.W": "kills {victim} with lightning",
    "strike-nobody": "strikes at {target}, where nobody stands",
    "off": "walks off the board and dies",
    "slide": "{name} slides from {start} to {end}{swapped}{marked}",
    "slide-and": "{name} slides from {start} to {end}{swapped}; then he {deed}{marked}",
    "brew-and-slide": "{who} {deed}; then he slides to {end}{swapped}{marked}",
    "swapped": ", changing places with {models}",
    "shifted": "{model} (now on {end})",
    "marked": "; {priest}, moved to {end}, takes no order next turn",
    "brew": "throws firebrew at {victim} ({tokens:token|tokens})",
    "brew-nobody": "throws firebrew at {target}, where nobody stands",
    "brew-burning": "throws firebrew at {victim}, which burns already and keeps its"
    " {tokens:token|tokens}",
    "vanquish": "vanquishes {models}: {seat} chooses a free square for each",
    "vanquish-nobody": "vanquishes nobody",
    "promote": "promotes {soldier}: {unit} from the graveyard takes its square, and it goes to the"
    " graveyard",
    "recall": "calls {soldier} back to {end}",
    "return": "{name} walks over the far edge from {start} and reappears beside its general on"
    " {end}",
    "revive": "brings {unit} back from the graveyard to {end}",
    "trade": "trades {given} for {unit} from the graveyard, on {end}",
    "trade-dead": "trades {given} of the graveyard for {unit} on {end}: the two are out of the"
    " game",
    "wind": "sacrifices {soldier}: the night wind pushes {pushed} of {seat}'s"
    " {all:model|models} one square back{marked}",
    "explode": "explodes {model}, which dies with {others}",
    "explode-alone": "explodes {model}, and nobody else dies",
    "slay": "slays {models}",
    "slay-nobody": "slays nobody",
}

_ANSWERS = {
    "ready": "{seat} is ready",
    "first": "{seat} takes the first turn",
    "pass": "{seat} passes",
    "resign": "{seat} resigns",
    "draw-offer": "{seat} offers a draw",
    "draw-accept": "{seat} accepts the draw",
    "draw-decline": "{seat} declines the draw",
    "place": "{seat} sets {model} down on {end}",
    "angel": "The guardian angel saves {priest} from the graveyard: he stands on {end}, and his"
    " angel is spent",
    "no-angel": "{priest} stays dead, since {seat} calls no angel",
    "raise": "{zombie} raises {unit} from the graveyard on {end}",
    "skip": "{zombie} raises nobody",
}

_FACTS = {
    "toss-asked": "the toss decides who takes the first turn",
    "mark-lifted": "{model} may take orders again",
    "blew": "the night wind pushes {pushed} of {seat}'s {all:model|models} one square back: {moves}"
    "{marked}",
    "blew-nobody": "the night wind pushes nobody, since no square behind an enemy is free",
    "pushed": "{model} from {start} to {end}",
    "killed": "{model} dies",
    "withdrawn": "{model} goes to the graveyard",
    "returned": "{name} comes from the graveyard to {square}",
    "removed": "{name} leaves the graveyard and the game",
    "struck": "firebrew strikes {model}: {tokens:token|tokens}",
    "burned": "a firebrew token burns away on {model}: {tokens} left",
    "burned-out": "the last firebrew token burns away on {model}",
    "lifted": "in the air: {models}",
    "placed": "{name} is set down on {square}",
    "called": "a guardian angel may save {priests}",
    "revived": "the guardian angel sets {name} down on {square}",
    "lost": "{name} stays dead and goes to the graveyard",
    "may-raise": "for its victim, {model} may raise a {rank}",
    "quiet-turns": "{turns:quiet turn|quiet turns} in a row; with {limit} the game is drawn",
    "general-dead": "{loser}'s general is dead: {winner} wins",
    "generals-dead": "both generals are dead: {winner}, whose turn it was, wins",
    "generals-drawn": "both generals are dead: the game is drawn",
    "won": "{winner} wins",
    "drawn": "the game is drawn",
    "drawn-quiet": "{turns:quiet turn|quiet turns} in a row: the game is drawn",
    "firebrew-kills": "firebrew kills {dead}",
    "firebrew-burns": "firebrew burns on {left}",
    "firebrew-both": "firebrew kills {dead}, and burns on {left:more model|more models}",
    "tokens-left": "{model} ({tokens:token|tokens} left)",
    "check": "check: {seat}'s general on {square} is in danger from {threats}",
    "threats": "{n:model|models}",
    "exploding": "{model} (exploding his {others})",
}

_CAPTIONS = {
    "ask-ready": "Debriefing: {seats} to study the Arcana cards and say ready",
    "ask-first": "The toss: does South or North take the first turn?",
    "ask-order": "{seat} to give one model an order{others}",
    "or-pass": ", or pass",
    "or-offer": ", or offer a draw",
    "or-both": ", pass or offer a draw",
    "ask-draw": "{seat} to accept or decline the draw that {other} offers",
    "ask-place": "{seat} to set {model} down on any free square{then}",
    "then-place": "; then {models}",
    "ask-angel": "{seat} to choose: the guardian angel sets {priest} down on any free square, or he"
    " stays dead",
    "ask-raise": "{seat} to choose: {zombie} raises {units} on a free square beside it, or nobody",
    "in-check": "{caption}; {check}",
    "over": "The game is over: {how}",
    "over-resigned": "{loser} has resigned, and {winner} has won",
    "over-general": "{loser}'s general is dead, and {winner} has won",
    "over-both": "both generals are dead, and {winner}, whose turn it was, has won",
    "over-drawn": "both generals are dead, and it is drawn",
    "over-agreed": "drawn by agreement",
    "over-quiet": "drawn after too many quiet turns",
}

_SIGHTS = {
    "space": "{square}",
    "home": "{square}, {seat}'s rear row",
    "home-corner": "{square}, corner, {seat}'s rear row",
    "light": "light square",
    "dark": "dark square",
    "piece": "{model}, {where}, {rank}{state}",
    "burning": ", firebrew: {tokens:token|tokens}",
    "held": ", paralysed by tomb gas",
    "moved": ", moved by another: no order in its next turn",
    "zone": "{zone}: {models}",
    "zone-empty": "{zone}, empty",
    "several": "{unit} x {n}",
    "sign-unit": "{model}{state}",
    "sign-firebrew": "firebrew tokens: one burns away whenever its owner ends a turn, with the last"
    " the model dies",
    "sign-marked": "could kill the general with its next order",
    "sign-spent": "paralysed by tomb gas, takes no order",
    "sign-moved": "moved by another, takes no order in its owner's next turn",
}

_CARDS = {
    "stat-rank": "Rank",
    "step": "Move: one square any way, if it is free.",
    "strike": "Attack: kills one adjacent model, after moving or without.",
    "entering": "Attack: kills the model on the square that it enters.",
    "immune": "Immune: no soldier can kill it.",
    "general": "General: the game is lost if he dies.",
    "I.move": "Move: one square straight ahead, if it is free.",
    "I.both": "Attack, after moving or without: kills a soldier straight ahead, or a higher rank"
    " diagonally ahead.",
    "I.either": "Attack, instead of moving: kills a soldier straight ahead, or a higher rank"
    " diagonally ahead.",
    "K.move": "Move: leaps in an L, two squares and one to the side, over anything.",
    "K.enemy": "Attack: kills the enemy on whom it lands.",
    "K.any": "Attack: kills whomever it lands on, friend or enemy.",
    "W.move": "Move: teleports one or two squares diagonally, over anything.",
    "W.enter": "Attack: kills whomever he lands on, friend or enemy.",
    "W.bolt": "Lightning, instead of moving: kills the model exactly three squares straight ahead.",
    "P.strike": "Attack: kills one adjacent soldier, after moving or without.",
    "P.revive": "Revive, standing in a corner of the board: a soldier comes back from the graveyard"
    " to an adjacent free square.",
    "P.angel": "Guardian angel, once: as soon as he is killed, he may stand on any free square.",
    "Q.angel": "His guardian angel is spent.",
    "A.move": "Move: slides up to five squares along his row, and changes places with every model"
    " on his way. He never leaves the row.",
    "A.brew": "Firebrew, before or after sliding: a model within two squares gets three tokens. One"
    " burns away whenever its owner ends a turn; with the last the model dies.",
    "D.move": "Move: any number of free squares in one of eight directions.",
    "D.strike": "Pistol: kills one adjacent model, after moving or without.",
    "B.vanquish": "Vanquish, after moving or without: every adjacent enemy soldier, sergeant and"
    " lieutenant is set down on a free square of his choice.",
    "B.promote": "Promote: a soldier on the far row becomes a sergeant or lieutenant of the"
    " graveyard. While none lies there, the soldier may be called back beside him instead.",
    "S.move": "Move: one square straight ahead.",
    "S.return": "Return: from the far row it walks off the board and reappears beside its general.",
    "Z.move": "Move: one or two squares, each up, down or sideways; around models, not over them.",
    "Z.exact": "Raise: when it has killed an enemy, a unit of the victim's rank comes from the"
    " graveyard to a free square beside it.",
    "Z.class": "Raise: when it has killed an enemy, a unit of the victim's class comes from the"
    " graveyard to a free square beside it; sergeants and lieutenants are one class.",
    "M.move": "Move: one square up, down or sideways.",
    "M.gas": "Tomb gas: adjacent enemies take no orders.",
    "X.move": "He never moves by himself. Moved by another, he takes no order in his next turn.",
    "X.wind": "Night wind: a soldier of his is sacrificed, and every enemy with a free square"
    " behind it is pushed back one square.",
    "X.explode": "Explosion: a model of his above soldier, anywhere, dies with everything adjacent"
    " to it, friend and enemy.",
    "X.slay": "Slay: kills all adjacent enemies.",
    "N.revive": "Revive: a soldier comes back from the graveyard to an adjacent free square.",
    "N.board": "Trade: two of his models of one class leave the board for one of the next class,"
    " which comes from the graveyard to a square beside him. Sergeants and lieutenants are one"
    " class.",
    "N.graveyard": "Trade: two of his dead of one class leave the game for one of the next class,"
    " which comes from the graveyard to a square beside him. Sergeants and lieutenants are one"
    " class.",
}

ENGLISH: Final = Language(
    {**_NAMES, **_ORDERS, **_ANSWERS, **_FACTS, **_CAPTIONS, **_SIGHTS, **_CARDS}
)
