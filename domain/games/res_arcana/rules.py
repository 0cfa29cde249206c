"""The rule index: what each rule says, where the rulebook has it, and which rulings settle it.

The rulebook's first and last list have lost their headings; they are called the set-up list and
the draft list.
"""

from typing import Final

from domain.kernel.rulings import Rule

_REFERENCE = "reference"
_OWN = "rulings of our own"
_SETUP = "Set-up list"
_DRAFT = "Draft list"
_P1 = "Phase 1: Collect"
_P2 = "Phase 2: Actions"
_P3 = "Phase 3: Victory"
_CARDS = "card file"
_P1_CARDS = f"{_P1}, {_CARDS}"
_P2_CARDS = f"{_P2}, {_CARDS}"


def _rule(name: str, meaning: str, source: str, *rulings: int) -> Rule:
    return Rule(f"ra.{name}", meaning, source, tuple(f"RA-R{n}" for n in rulings))


# Meanings are parts of sentences: `kernel.game.explain` adds the figures and the source.
# fmt: off
_ALL = (
    _rule("over", "after the end nothing can be done", _P3),
    _rule("notation", "an action has one spelling, and only that is read", _REFERENCE),
    _rule("seat", "only a seat that is asked may act", _P2, 11, 24, 25),
    _rule("prompt", "an open question is answered before anything else", _P2, 21),

    _rule("setup.first", "the first player is named when the match is created, or drawn",
          _SETUP, 6),
    _rule("setup.sides", "one side of each tile is used, tile by tile", _SETUP, 7),
    _rule("setup.monuments", "the monuments are shuffled, and two lie face up", _SETUP),
    _rule("setup.mages", "each seat is dealt two mages, clockwise from the first player",
          _SETUP, 4),
    _rule("setup.artifacts", "each seat is dealt eight artifacts, clockwise from the first player",
          _SETUP, 3),
    _rule("setup.essences", "each seat begins with one of each essence", _SETUP, 48),
    _rule("setup.keep", "three different cards of the eight are kept as the hand", _DRAFT, 3),
    _rule("setup.hand", "the first hand has three cards, and the other five are the shuffled deck",
          _DRAFT, 3, 10),
    _rule("setup.mage", "each seat chooses one of its two mages in secret; all are shown together",
          _SETUP, 4, 5),
    _rule("setup.item", "magic items are taken from the supply one seat after another, "
          "counter-clockwise, the first player last", _SETUP),
    _rule("draft.deal", "for a draft each seat is dealt four artifacts, twice", _DRAFT, 8),
    _rule("draft.pick", "in a draft each seat keeps a card of its own pack, all at once in secret",
          _DRAFT, 8),
    _rule("draft.pass", "packs are passed clockwise when all have kept a card, and the last card "
          "of a pack is kept", _DRAFT, 8, 9),

    _rule("shuffle.card", "a shuffle takes the cards of its pile one by one", _P2, 10),
    _rule("shuffle.deck", "when the deck holds too few cards, the discard pile is shuffled and put "
          "beneath it", _P2, 35),

    _rule("collect.gain", "collect abilities give essences: a number, a choice, or a mix", _P1,
          14, 17),
    _rule("collect.order", "a seat answers the first question on its list, with a word that fits "
          "it; seats do not wait for each other", _P1, 11),
    _rule("collect.leave", "if leaving essences on a component gives a mix, the mix is named; "
          "elsewhere no mix is", _P1_CARDS, 15),
    _rule("collect.take", "taking essences off a component takes all of them", _P1, 14),
    _rule("collect.stored", "essences left on a component make it give more, where it says so",
          _CARDS, 15),
    _rule("collect.cost", "collect costs are paid after everything is collected, or the component "
          "is turned", _P1_CARDS, 12, 13),

    _rule("gain.count", "a mix has exactly the given number of essences", f"{_P1}, {_P2}"),
    _rule("gain.same", "the essences gained are all of one type", _CARDS, 46),
    _rule("gain.type", "a mix has only the types that are offered", f"{_P1}, {_P2}", 17, 41),

    _rule("play.hand", "an artifact is played from the hand", _P2),
    _rule("pay.afford", "the pool must hold what is paid", _P2),
    _rule("play.cost", "exactly the cost is paid, less discounts", _P2, 16, 18),
    _rule("discount", "discounts add up and are used in full; they never reduce gold or go below "
          "0", _CARDS, 18, 19, 20),
    _rule("play.place", "a card is placed straight", _P2),
    _rule("claim.open", "what can be claimed is a monument of the row, the top of the deck, or a "
          "place that nobody has", _P2),
    _rule("claim.deck", "the top of the monument deck can be claimed while there is one", _P2, 38),
    _rule("claim.cost", "the cost of a claim is paid from the pool, which must hold it", _P2),
    _rule("claim.refill", "the row is refilled to two after a claim and its effects", _SETUP, 38),
    _rule("discard.hand", "an artifact is discarded from the hand", _P2),
    _rule("discard.gain", "discarding an artifact gives 1 gold or two other essences", _P2),

    _rule("use.own", "a seat uses powers of its own components", _P2),
    _rule("use.power", "a power is named by its number on the card", _P2, 1, 24),
    _rule("use.turned", "powers of a turned component cannot be used, and a power that turns it "
          "needs it straight", _P2, 49),
    _rule("use.take", "a power that takes essences off its component needs them there", _P2_CARDS),
    _rule("use.cost", "all of the cost of a power is paid, and nothing else", _P2, 16, 47),
    _rule("use.turn-other", "a component turned as cost is a straight one of the seat's own, of "
          "the named type", _P2_CARDS, 52),
    _rule("use.destroy", "what is destroyed as cost is an artifact of the seat's own, of the "
          "named sort", _P2_CARDS, 40),
    _rule("use.discard", "what is discarded as cost is in the hand", _P2_CARDS),
    _rule("use.target", "an effect needs a possible target, as things are when the cost is paid",
          _P2_CARDS, 22, 23, 50),
    _rule("use.effect", "effects follow the cost, in order, even if they can do nothing", _P2,
          21, 22, 41, 50),
    _rule("put", "essences that are put on a component come from the supply", _P2, 48),
    _rule("destroy", "a destroyed card goes to its owner's discard pile, and essences on it to "
          "the supply", _P2, 39, 40),
    _rule("rivals", "rivals gain even if they have passed", _P2),

    _rule("place.card", "the artifact placed is of the pile and the type that the power names",
          _CARDS, 37, 39),
    _rule("place.pay", "placing by a power costs exactly what the card costs, less all discounts",
          _CARDS, 20, 45),
    _rule("draw", "cards are drawn from the top of the deck, as long as there are any", _P2, 35),
    _rule("draw.drop", "as many different cards of the hand are discarded as were drawn", _CARDS),
    _rule("look.order", "exactly the cards that were looked at are put back, in any order", _CARDS,
          36),

    _rule("loss.who", "each rival that has not passed suffers a loss, clockwise from the "
          "attacker", _P2, 25, 29),
    _rule("loss.life", "life is lost first: all that is asked, or all there is", _P2, 26, 27),
    _rule("loss.other", "for each missing life two other essences are lost, or as many as there "
          "are", _P2, 26),
    _rule("loss.price", "a loss is ignored at the attack's own price, where it has one", _CARDS,
          28),
    _rule("loss.price-card", "a card given as the price is discarded from the hand, or is a "
          "destroyed artifact of the seat's own", _CARDS, 40),
    _rule("react.own", "a seat reacts with a component of its own", _P2, 24),
    _rule("react.trigger", "a reaction answers only the event that it names", _P2_CARDS, 24, 42),
    _rule("react.turned", "a reaction that turns its component needs it straight", _P2),
    _rule("react.cost", "the cost of a reaction is paid", _P2),
    _rule("react.ignore", "a reaction ignores the whole loss", _P2_CARDS, 28),

    _rule("pass.swap", "a seat that passes swaps its magic item for another in the supply, which "
          "comes straight", _P2, 33, 34),
    _rule("pass.token", "the first to pass takes the starting player token", _P2, 31, 32),
    _rule("pass.draw", "a seat that passes draws one card", _P2, 34),
    _rule("pass.out", "a seat that has passed acts no more in the round and loses no life; when "
          "all have, points are counted", _P2, 2, 29, 30),
    _rule("turn.next", "turns go clockwise, and seats that have passed are left out", _P2, 32, 51),

    _rule("check.points", "points are those of the token, of everything on the table, and of "
          "reactions to this check", _P3, 31, 42, 52),
    _rule("check.ten", "if anybody has ten points or more the game ends, and the most points win",
          _P3, 43),
    _rule("check.tie", "a tie goes to the most essences in the pool, gold counted twice, or is "
          "shared", _P3, 42, 44),
    _rule("round.next", "if nobody has won, all is straightened and a new round begins", _P3, 2),
    _rule("resign.out", "a seat that resigned is out of the game: it passes, pays and collects "
          "nothing, and makes the choices of the set-up with the first card there is", _OWN),
    _rule("resign.last", "the last seat that has not resigned wins", _OWN),
    _rule("single", "where only one answer is possible it is taken without asking", _REFERENCE),
)
# fmt: on

RULES: Final = {rule.id: rule for rule in _ALL}
"""Every rule, by its id."""
