"""Positions with thousands of payments: listed lazily, in groups, and judged one at a time."""

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from time import process_time

import msgspec

from domain.games.res_arcana import GAME
from domain.games.res_arcana.actions import Action
from domain.games.res_arcana.state import Options, State
from domain.kernel.parts import Group
from domain.kernel.rulings import Accepted, Refused
from domain.stylus.tap_machine import Selection, StylusView, stylus_screen, tap
from domain.stylus.tap_paths import taps_for

At = Callable[..., str]


def crowded(at: At) -> State:
    """Ninety of everything, and much to spend it on."""
    table = "alchemist,alchemy,philosophers-stone,prism"
    hand = "corrupt-altar,crypt,tree-of-life,wind-dragon"
    position = at(north=f"90e90l90c90d90g | {table} | {hand}", east="0 | protection,seer")
    return GAME.read_position(position, Options())


def groups(state: State, seat: str = "north") -> list[str]:
    assert GAME.groups is not None
    return [group.write_sentence() for group in GAME.groups(state, seat)]


def test_payments_for_one_thing_are_one_group(at: At) -> None:
    assert groups(crowded(at)) == GROUPS


GROUPS = """\
Play Corrupt Altar: pay 2 death and 3 of any type
Play Crypt: pay 2 death and 3 of any type
Play Tree of Life: pay 1 life and 2 of any type
Play Wind Dragon: pay 4 calm and 4 of any type
Claim Great Pyramid: pay 4 gold, for 3 points
Claim Library: pay 4 gold, for 1 point
Claim the top of the monument deck: pay 4 gold
Use Alchemist: pay 4 of any type, turn it: gain 2 gold
Use Alchemist: turn it: gain 1 elan, life, calm or death
Use Alchemy: pay 4 of any type, turn it: gain 2 gold
Use Philosopher's Stone: pay 2 of any type, pay X essences of one type, turn it: gain X gold
Use Prism: pay 1 of any type, turn it: gain a mix of 2 from elan, life, calm or death
Use Prism: pay X essences of one type, turn it: gain X of one type, elan, life, calm or death
Discard Corrupt Altar: gain 1 gold or any 2 other essences
Discard Crypt: gain 1 gold or any 2 other essences
Discard Tree of Life: gain 1 gold or any 2 other essences
Discard Wind Dragon: gain 1 gold or any 2 other essences
{pass}Calm / Elan, draw a card (Calm / Elan: collect 1 elan or calm)
{pass}Death / Life, draw a card (Death / Life: collect 1 life or death)
{pass}Divination, draw a card (Divination: turn it: draw 3 cards, then discard as many)
{pass}Reanimate, draw a card (Reanimate: pay 1 of any type, turn it: straighten a component)
{pass}Research, draw a card (Research: pay 1 of any type, turn it: draw a card)
{pass}Transmutation, draw a card (Transmutation: pay 3 of any type, turn it: gain a mix of 3 from\
 elan, life, calm or death)""".replace(
    "{pass}", "Pass: take the starting player token, swap Alchemy for "
).split("\n")


def test_thousands_of_payments_are_legal_and_only_those_requested_are_made(at: At) -> None:
    state = crowded(at)
    assert sum(1 for _ in GAME.legal(state, "north")) > 3000
    assert GAME.groups is not None
    stone = next(g for g in GAME.groups(state, "north") if "Philosopher" in g.write_sentence())
    page = list(islice(stone.actions(), 5))
    assert page[0] == stone.first
    assert list(islice(stone.actions(), 5)) == page
    assert stone.parts.verb == "use"
    assert stone.parts.cards == ("philosophers-stone",)
    assert stone.parts.choices == ("power-1",)


def test_a_page_and_a_decision_cost_a_fraction_of_a_full_listing(at: At) -> None:
    state = crowded(at)
    began = process_time()
    assert sum(1 for _ in GAME.legal(state, "north")) > 5000
    everything = process_time() - began
    began = process_time()
    assert len(groups(state)) == 23
    assert len(list(islice(GAME.legal(state, "north"), 100))) == 100
    assert process_time() - began < everything / 2
    action = GAME.read_action("use philosophers-stone 1 90e2g")
    assert not isinstance(action, Refused)
    began = process_time()
    for _ in range(10):
        assert isinstance(GAME.decide(state, "north", action), Accepted)
    assert process_time() - began < everything


def test_thousands_of_payments_are_tapped_in_a_handful_of_taps(at: At) -> None:
    state = crowded(at)
    legal = list(GAME.legal(state, "north"))
    for action in legal[:: len(legal) // 15]:
        moment, hand = StylusView(GAME, state, ("north",)), Selection()
        taps = taps_for(moment, action)
        assert len(taps) < 12, taps
        moment, taken = StylusView(GAME, state, ("north",)), None
        for target in taps:
            tapped = tap(moment, hand, target)
            assert stylus_screen(moment, tapped.hand)
            hand, taken = tapped.hand, tapped.action
        assert taken == action


def test_of_groups_no_sentence_is_said_before_it_is_shown(at: At) -> None:
    said: list[str] = []

    def listed(state: State, seat: str) -> Iterator[Group[Action]]:
        assert GAME.groups is not None
        for group in GAME.groups(state, seat):
            yield msgspec.structs.replace(group, write_sentence=partial(_say, said, group))

    game = dataclasses.replace(GAME, groups=listed)
    moment = StylusView(game, crowded(at), ("north",))
    assert moment.narrow(()).is_possible
    play, _ = moment.narrow(("card wind-dragon",)).runes
    assert said == []
    assert play.write_sentence is not None
    assert play.write_sentence() == said[0] == "Play Wind Dragon: pay 4 calm and 4 of any type"


def _say(said: list[str], group: Group[Action]) -> str:
    said.append(group.write_sentence())
    return said[-1]
