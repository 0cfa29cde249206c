"""All that A.G.O.G. says about play, in English. A second language is a second table."""

from typing import Final

from domain.kernel.language import Language

ENGLISH: Final = Language(
    {
        # names
        "white": "White",
        "black": "Black",
        "g": "golem",
        "h": "hulk",
        "c": "corrupted hulk",
        "j": "journeyman",
        "whose": "{seat}'s {unit}",
        "on": "{unit} on {square}",
        "the": "the {unit}",
        "comma": ", ",
        "and": "{most} and {last}",
        "or": "{most} or {last}",
        "more": "{n} more",
        # what is asked
        "to move": "{seat} to move",
        "to capture": "{seat} to capture {n:unit|units}, with {units}",
        "won": "{seat} has won {how}: {why}",
        "by capture": "by capture",
        "by sanctum": "by sanctum",
        "by immobile": "by immobilization",
        "by resign": "by resignation",
        "why capture": "{loser}'s journeyman is captured",
        "why sanctum": "its journeyman has ended the turn on the enemy sanctum {sanctum}",
        "why immobile": "{loser} has no legal move",
        "why resign": "{loser} has resigned",
        # what an action does
        "move": "Move the {unit} from {start} to {end}{leaving}",
        "jump": "Jump with the {unit} from {path}: {deeds}{leaving}",
        "to": " to ",
        "capture": "capture {units}",
        "corrupt": "corrupt {units}",
        "and promote": ", and make the golem on {square} a hulk",
        "and go out": ", and remove it from play",
        "resign": "Resign: {winner} wins",
        # what happened
        "moves": "{unit} moves from {start} to {end}",
        "jumps": "{unit} jumps from {path}: it {deeds}",
        "jumps on": "{unit} makes {n:jump|jumps} from {start} to {end}: it {deeds}",
        "captures": "captures {units}",
        "corrupts": "corrupts {units}",
        "promotes": "it ends on the enemy sanctum {sanctum} and makes the golem on {square} a hulk",
        "goes out": "it ends on the enemy sanctum {sanctum} and is removed from play",
        "removed": "golems removed from play: White {white}, Black {black}",
        "wins": "{seat} wins {how}: {why}",
        # one fact
        "moved": "{unit} goes from {start} to {end}",
        "moved round": "{unit} ends on {end}, where it began",
        "captured": "{unit} is captured",
        "corrupted": "{unit} is corrupted and is {now} now",
        "promoted": "{unit} becomes a hulk, by the unit that ended on the enemy sanctum {sanctum}",
        "taken out": "{unit}, the enemy sanctum, is removed from play",
        "with removed": "{fact} ({removed})",
        # the board
        "dark": "{square}, dark",
        "light": "{square}, light",
        "sanctum": "{square}, {seat}'s sanctum",
        "stack g": "",
        "stack h": ": two {own} golems",
        "stack c": ": a {own} golem on a {other} one",
        "stack j": "",
        "colour white": "white",
        "colour black": "black",
        "supply": "{seat}'s golems removed from play",
        "supply label": "Removed from play",
        # the legend
        "legend dark": "dark square",
        "legend light": "light square",
        "legend sanctum": "sanctum: White's is a1, Black's is h8",
    }
)
