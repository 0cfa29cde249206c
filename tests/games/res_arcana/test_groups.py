"""Positions with thousands of payments: listed lazily, in groups, and judged one at a time."""

from collections.abc import Callable
from itertools import islice
from time import process_time

from domain.games.res_arcana import GAME
from domain.games.res_arcana.state import Options, State
from domain.kernel.game import Accepted, Refused
from domain.stylus.paths import taps_for
from domain.stylus.taps import Hand, Moment, show, tap

At = Callable[..., str]


def crowded(at: At) -> State:
    """Ninety of everything, and much to spend it on."""
    table = "alchemist,alchemy,philosophers-stone,prism"
    hand = "corrupt-altar,crypt,tree-of-life,wind-dragon"
    position = at(north=f"90e90l90c90d90g | {table} | {hand}", east="0 | protection,seer")
    return GAME.read_position(position, Options())


def groups(state: State, seat: str = "north") -> list[str]:
    assert GAME.groups is not None
    return [group.parts.sentence for group in GAME.groups(state, seat)]


def test_payments_for_one_thing_are_one_group(at: At) -> None:
    assert groups(crowded(at)) == [
        "Play Corrupt Altar",
        "Play Crypt",
        "Play Tree of Life",
        "Play Wind Dragon",
        "Claim Great Pyramid",
        "Claim Library",
        "Claim the top of the monument deck",
        "Use power 1 of Alchemist",
        "Use power 2 of Alchemist",
        "Use power 1 of Alchemy",
        "Use power 1 of Philosopher's Stone",
        "Use power 1 of Prism",
        "Use power 2 of Prism",
        "Discard Corrupt Altar",
        "Discard Crypt",
        "Discard Tree of Life",
        "Discard Wind Dragon",
        "Pass, and swap the magic item for Calm / Elan",
        "Pass, and swap the magic item for Death / Life",
        "Pass, and swap the magic item for Divination",
        "Pass, and swap the magic item for Reanimate",
        "Pass, and swap the magic item for Research",
        "Pass, and swap the magic item for Transmutation",
    ]


def test_thousands_of_payments_are_legal_and_only_those_asked_for_are_made(at: At) -> None:
    state = crowded(at)
    assert sum(1 for _ in GAME.legal(state, "north")) > 3000
    assert GAME.groups is not None
    stone = next(g for g in GAME.groups(state, "north") if "Philosopher" in g.parts.sentence)
    page = list(islice(stone.actions(), 5))
    assert page[0] == stone.first
    assert list(islice(stone.actions(), 5)) == page
    assert stone.parts.verb == "use"
    assert stone.parts.cards == ("philosophers-stone",)
    assert stone.parts.choices == ("power-1",)


def test_a_page_and_a_judgement_cost_a_fraction_of_listing_everything(at: At) -> None:
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
        moment, hand = Moment(GAME, state, ("north",)), Hand()
        taps = taps_for(moment, action)
        assert len(taps) < 12, taps
        moment, taken = Moment(GAME, state, ("north",)), None
        for target in taps:
            tapped = tap(moment, hand, target)
            assert show(moment, tapped.hand)
            hand, taken = tapped.hand, tapped.action
        assert taken == action
