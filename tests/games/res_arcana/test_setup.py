"""The set-up list and the draft list."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.games.res_arcana import GAME
from domain.games.res_arcana.state import Options, State
from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted, Refused

Choose = Callable[[list[str]], str]


def start(**options: Any) -> State:
    return GAME.start(msgspec.convert(options, Options))


def judged(state: State, line: str) -> Any:
    seat, _, text = line.partition(" ")
    action = GAME.read_action(text)
    assert not isinstance(action, Refused), action
    return GAME.decide(state, seat, action)


def do(state: State, line: str) -> State:
    outcome = judged(state, line)
    assert isinstance(outcome, Accepted), (line, outcome)
    return fold(GAME, state, outcome.facts)


def refused(state: State, line: str) -> str:
    outcome = judged(state, line)
    assert isinstance(outcome, Refused), line
    return outcome.rule


def wants(state: State) -> set[str]:
    return {prompt.expected_action for prompt in GAME.turn(state)}


def listed(state: State, seat: str) -> list[str]:
    return sorted(GAME.write_action(action) for action in GAME.legal(state, seat))


def until(state: State, want: str) -> State:
    """Everybody takes the first action listed, until this is wanted."""
    while want not in wants(state):
        seat = GAME.turn(state)[0].seat
        state = do(state, f"{seat} {GAME.write_action(next(GAME.legal(state, seat)))}")
    return state


def field(state: State, number: int) -> str:
    return GAME.write_position(state).split(" ")[number]


def part(state: State, seat: int, number: int) -> str:
    return field(state, 10 + seat).split("/")[number]


def test_each_player_gets_1_of_each_essence() -> None:
    state = start(players=3)
    assert [part(state, seat, 2) for seat in range(3)] == ["1e1l1c1d1g"] * 3
    rules = [rule for ruling in GAME.opening(Options()) for rule in ruling.rules]
    assert rules == ["ra.setup.essences", "ra.setup.first"]
    assert len(GAME.opening(Options(sides="a"))) == 3


def test_the_first_player_is_named_or_drawn() -> None:
    assert field(start(first="east"), 3) == "east"
    state = start(first="random", players=3)
    assert listed(state, "table") == ["first east", "first north", "first south"]
    assert GAME.turn(state)[0].is_chance
    assert refused(state, "table first west") == "ra.setup.first"
    assert refused(state, "north first north") == "ra.seat"
    assert field(do(state, "table first south"), 3) == "south"


def test_the_first_player_is_one_who_plays() -> None:
    with pytest.raises(msgspec.ValidationError, match="west"):
        start(first="west", players=3)


def test_of_each_of_five_tiles_one_side_is_used() -> None:
    assert field(start(sides="a"), 7) == (
        "catacombs-of-the-dead,coral-castle,cursed-forge,dragons-lair,sacred-grove"
    )
    state = start()
    assert listed(state, "table") == ["flip alchemists-tower", "flip sacred-grove"]
    assert refused(state, "table flip cursed-forge") == "ra.setup.sides"
    state = do(state, "table flip sacred-grove")
    assert listed(state, "table") == ["flip cursed-forge", "flip dwarven-mines"]
    state = until(state, "monuments")
    assert sorted(field(state, 7).split(",")) == field(state, 7).split(",")


def test_shuffle_the_monuments_and_put_2_of_them_face_up() -> None:
    state = start(sides="b")
    assert len(listed(state, "table")) == 10
    assert refused(state, "table next hawk") == "ra.setup.monuments"
    state = do(do(state, "table next temple"), "table next obelisk")
    assert refused(state, "table next temple") == "ra.setup.monuments"
    state = until(state, "mages")
    assert field(state, 8) == "obelisk,temple"
    assert len(field(state, 9).split(",")) == 8


def test_each_player_gets_2_mages_and_8_artifacts() -> None:
    state = until(start(sides="a", first="east"), "mages")
    for mage in ("witch", "seer", "druid"):
        state = do(state, f"table deal {mage}")
    assert part(state, 1, 7) == "seer,witch"  # the first player's come first
    assert part(state, 0, 7) == "druid"
    assert refused(state, "table deal witch") == "ra.setup.mages"
    assert refused(state, "table deal hawk") == "ra.setup.mages"
    state = until(state, "artifacts")
    assert refused(state, "table deal healer") == "ra.setup.artifacts"
    state = until(state, "shuffle")
    assert len(part(state, 0, 8).split(",")) == len(part(state, 1, 8).split(",")) == 8


def test_the_eight_are_shuffled_and_three_drawn() -> None:
    state = until(start(sides="a"), "shuffle")
    packed = part(state, 0, 8).split(",")
    assert refused(state, "table next temple") == "ra.shuffle.card"
    for card in reversed(packed[1:]):
        state = do(state, f"table next {card}")
    assert part(state, 0, 4).split(",") == packed[5:]
    assert part(state, 0, 5).split(",") == packed[4::-1]
    cited = judged(until(start(sides="a"), "shuffle"), f"table next {packed[0]}").rulings
    assert ("ra.shuffle.card",) in [ruling.rules for ruling in cited]


def test_three_cards_are_chosen_as_the_starting_hand_and_the_rest_is_the_deck() -> None:
    state = until(start(sides="a", hand="choose"), "keep")
    hand = part(state, 0, 4).split(",")
    assert refused(state, f"north keep {' '.join(sorted((hand[0], hand[0], hand[1])))}") == (
        "ra.setup.keep"
    )
    assert refused(state, f"north keep {' '.join(sorted((hand[0], hand[1], 'zzz')))}") == (
        "ra.setup.keep"
    )
    assert len(listed(state, "east")) == 56
    outcome = judged(state, f"north keep {' '.join(hand[:3])}")
    assert outcome.rulings[0].rules == ("ra.setup.keep", "ra.setup.hand")
    state = do(state, f"north keep {' '.join(hand[:3])}")
    assert part(state, 0, 8).split(",") == hand[3:]
    assert refused(state, f"north keep {' '.join(hand[:3])}") == "ra.seat"
    state = until(state, "mage")
    assert part(state, 0, 4).split(",") == hand[:3]
    assert sorted(part(state, 0, 5).split(",")) == hand[3:]


def test_mages_are_chosen_in_secret_and_revealed_together() -> None:
    state = until(start(sides="a"), "mage")
    north, east = part(state, 0, 7).split(","), part(state, 1, 7).split(",")
    assert refused(state, f"north mage {east[0]}") == "ra.setup.mage"
    state = do(state, f"north mage {north[1]}")
    assert part(state, 0, 7) == f"{north[0]},{north[1]}*"
    assert part(state, 0, 3) == "-"
    assert refused(state, f"north mage {north[0]}") == "ra.seat"
    state = do(state, f"east mage {east[0]}")
    assert (part(state, 0, 3), part(state, 1, 3)) == (north[1], east[0])
    assert part(state, 0, 7) == "-"


def test_items_are_chosen_counter_clockwise_from_the_right_of_the_first_player() -> None:
    state = until(start(sides="a", players=4, first="east"), "item")
    order = []
    for item in ("alchemy", "research", "protection", "divination"):
        order.append(GAME.turn(state)[0].seat)
        assert refused(state, f"{order[-1]} item hawk") == "ra.setup.item"
        assert refused(state, f"{order[-1]} pass alchemy") == "ra.prompt"
        state = do(state, f"{order[-1]} item {item}")
    assert order == ["north", "west", "south", "east"]
    assert field(state, 2) == "r1"


def test_in_a_draft_each_keeps_1_and_passes_the_rest_clockwise() -> None:
    state = until(start(sides="a", draft="yes", players=3), "deal")
    assert refused(state, "table deal temple") == "ra.draft.deal"
    state = until(state, "draft")
    packs = [part(state, seat, 8).split(",") for seat in range(3)]
    assert refused(state, f"north pick {packs[1][0]}") == "ra.draft.pick"
    state = do(state, f"north pick {packs[0][0]}")
    assert refused(state, f"north pick {packs[0][1]}") == "ra.seat"
    state = do(do(state, f"south pick {packs[2][0]}"), f"east pick {packs[1][0]}")
    # North's pack is with east now, east's with south, south's with north.
    assert [part(state, seat, 8).split(",") for seat in range(3)] == [
        packs[2][1:],
        packs[0][1:],
        packs[1][1:],
    ]


def test_the_last_card_of_a_pack_is_kept_without_asking_and_four_more_follow() -> None:
    state = until(start(sides="a", draft="yes"), "draft")
    for _ in range(5):
        seat = GAME.turn(state)[0].seat
        state = do(state, f"{seat} {GAME.write_action(next(GAME.legal(state, seat)))}")
    seat = GAME.turn(state)[0].seat
    last = judged(state, f"{seat} {GAME.write_action(next(GAME.legal(state, seat)))}")
    assert [r.rules for r in last.rulings].count(("ra.draft.pass", "ra.single")) == 2
    state = fold(GAME, state, last.facts)
    assert wants(state) == {"deal"}
    assert [len(part(state, seat, 4).split(",")) for seat in range(2)] == [4, 4]


def test_after_a_draft_three_of_the_eight_kept_are_chosen() -> None:
    state = until(start(sides="a", draft="yes"), "keep")
    assert field(state, 1) == "t1.choose"
    assert [len(part(state, seat, 4).split(",")) for seat in range(2)] == [8, 8]
    drawn = until(start(sides="a", draft="yes", hand="draw"), "shuffle")
    assert field(drawn, 1) == "t1.draw"


def test_round_1_starts_when_everybody_has_an_item() -> None:
    state = until(start(sides="a"), "act")
    assert field(state, 2) == "r1"
    assert field(state, 4) == field(state, 3) == "north"
    assert field(state, 1) == "t1"
