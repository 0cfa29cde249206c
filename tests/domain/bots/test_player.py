"""Bots choose for a seat from what it may know, and the same again from the same seed."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from domain.bots import LEVELS, Level, choose_action, win_chances
from domain.bots.random_play import play_actions, prompt_for, random_action, random_entry
from domain.bots.splitmix import SplitMix64
from domain.kernel.any_game import state_after
from domain.kernel.game import AnyGame
from domain.registry import GAMES
from tests.secrets.pairs import HIDING, pair

QUICK = Level("quick", 0, "Thinks just enough to be looked at.", 24)

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def positions(game: AnyGame, options: Any, steps: int) -> Iterator[Any]:
    """Some of a random game, in which a seat is to act."""
    state, generator, acted = game.start(options), SplitMix64(b"play"), 0
    while acted < steps and (prompt := prompt_for(game, state)) is not None:
        if not prompt.is_chance and prompt.seat in game.seats(options):
            if acted % 6 == 0:
                yield state
            acted += 1
        pick = random_entry if prompt.is_chance else random_action
        state = state_after(game, state, prompt.seat, pick(game, state, prompt.seat, generator))


def usual(game: AnyGame) -> Any:
    return msgspec.convert({}, game.options)


@every_game
def test_what_is_chosen_is_legal_and_follows_from_the_seed(game: AnyGame) -> None:
    for number, state in enumerate(positions(game, usual(game), 40)):
        prompt = prompt_for(game, state)
        assert prompt is not None
        known, seed = game.information_state(state, prompt.seat), b"%d" % number
        choice = choose_action(game, known, prompt.seat, QUICK, seed)
        assert choice.action in play_actions(game, state, prompt.seat)
        assert choice == choose_action(game, known, prompt.seat, QUICK, seed)
        assert choice.line[0] == choice.alternatives[0].action == choice.action
        assert all(0 <= each.win_chance <= 1.000001 for each in choice.alternatives)
        assert choice.alternatives[0].win_chance == choice.win_chance


@every_game
def test_the_chances_of_all_seats_are_one_together(game: AnyGame) -> None:
    for state in islice(positions(game, usual(game), 30), 3):
        for viewer in (*game.seats(usual(game)), "spectator"):
            chances = win_chances(game, game.information_state(state, viewer), viewer, 24, b"judge")
            assert sum(chances.values()) == pytest.approx(1)


def test_who_slips_does_anything_that_is_legal_and_who_never_slips_does_what_looks_best() -> None:
    game = GAMES["earthen-war"]
    state = next(positions(game, usual(game), 1))
    prompt = prompt_for(game, state)
    assert prompt is not None
    legal = [*play_actions(game, state, prompt.seat)]
    steady, slipping = (
        Level("quick", 0, "Tried out.", 24, random_move_rate=share) for share in (0.0, 1.0)
    )
    for level, least in ((steady, 1), (slipping, min(8, len(legal) // 2))):
        seeds = [b"%d" % number for number in range(30)]
        choices = [choose_action(game, state, prompt.seat, level, seed) for seed in seeds]
        assert choices == [choose_action(game, state, prompt.seat, level, seed) for seed in seeds]
        assert all(each.action in legal for each in choices)
        assert len({game.write_action(each.action) for each in choices}) >= least
    assert LEVELS["master"].random_move_rate == 0


def test_a_seat_without_a_prompt_chooses_nothing() -> None:
    game = GAMES["agog"]
    with pytest.raises(ValueError, match="black has no prompt"):
        choose_action(game, game.start(game.options()), "black", QUICK, b"")


def test_who_is_stopped_at_once_still_chooses() -> None:
    game = GAMES["agog"]
    start = game.start(game.options())
    choice = choose_action(game, start, "white", LEVELS["master"], b"", stop=lambda: True)
    assert choice.action in play_actions(game, start, "white")
    assert choice.nodes < 100 < LEVELS["master"].budget


WON_AT_ONCE = {
    "agog": "6J1/8/8/7j/8/8/8/GGG5 w 0 0 - *",
    "earthen-war": "ew1 6 w use c4,a2 B2x,W3ux,B3/.x,.,W3/B2,W3u,W3 B3x,.x,W3/B1ux,.,W3/.,.,W3 - *",
    "tokars-arcana": "2tnxtzm/2m1s1ss/2s5/8/8/8/8/2I5/I3IIII/WKPDB1WA IIK ssssz south order -",
    "res-arcana": "ra1 t1 r15 east north act"
    " alchemy,divination,protection,reanimate,research,transmutation"
    " cursed-forge,dragons-lair library,temple"
    " great-pyramid,obelisk,golden-statue,mausoleum,hanging-gardens"
    " north/in/16e33l2c1d/celestial-horse*,colossus,coral-castle,death-life,dragon-egg,druid,"
    "dwarven-pickaxe*,elemental-spring,guard-dog,sacred-grove*:1l,solomons-mine,treant/-/-/"
    "crypt,philosophers-stone/-/-/-"
    " east/out/22e1l64c2d1g/calm-elan,catacombs-of-the-dead:4d,dancing-sword,dragon-bridle,"
    "fiery-whip,hawk,hypnotic-basin,magical-shard,oracle,seer,wind-dragon/corrupt-altar/"
    "-/-/-/-/-",
    "golem-arcana": "ga1 first-steps - R6 north south:0:17:0:-;north:4:1:1:-"
    " s2=dune-viper@a3:65%spiked-volley.1.1%walk.2.2;"
    "n1=vigilant-sentinel@d3:7;n2=prism-archer@d3:13%walk.1.2 - - - - - *",
}
"""Positions in which few of the legal actions win."""


@pytest.mark.parametrize("level", ["strong", "master"])
@pytest.mark.parametrize("slug", WON_AT_ONCE)
def test_what_wins_at_once_is_done(slug: str, level: str) -> None:
    game = GAMES[slug]
    state = game.read_position(WON_AT_ONCE[slug], usual(game))
    prompt = prompt_for(game, state)
    assert prompt is not None
    choice = choose_action(
        game, game.information_state(state, prompt.seat), prompt.seat, LEVELS[level], b"win"
    )
    result = game.result(state_after(game, state, prompt.seat, choice.action))
    assert result is not None
    assert result.winners == (prompt.seat,)
    assert choice.win_chance > 0.9


def wins(game: AnyGame, state: Any, seat: str) -> bool:
    """Can this seat win at once?"""
    results = [
        game.result(state_after(game, state, seat, each))
        for each in play_actions(game, state, seat)
    ]
    return any(result is not None and result.winners == (seat,) for result in results)


@pytest.mark.parametrize("level", ["club", "strong", "master"])
def test_what_would_lose_at_once_is_prevented(level: str) -> None:
    game = GAMES["tokars-arcana"]
    state = game.read_position("4n3/8/8/8/8/8/8/4t3/3II3/D3B3 - - south order -", usual(game))
    choice = choose_action(game, state, "south", LEVELS[level], b"threat")
    then = state_after(game, state, "south", choice.action)
    assert not wins(game, then, "north"), game.write_action(choice.action)
    assert wins(game, state_after(game, state, "south", game.read_action("pass")), "north")


@pytest.mark.parametrize("slug", HIDING)
def test_the_choice_is_the_same_whatever_lies_hidden_from_its_seat(slug: str) -> None:
    random, looked, options = Random(3), 0, HIDING[slug].options()
    for _ in range(400):
        found = pair(slug, random.choice(options), random)
        prompts = found.game.turn(found.states[0]) if found else ()
        own = next((prompt for prompt in prompts if found and prompt.seat == found.viewer), None)
        if found is None or own is None or own.is_chance:
            continue
        choices = [
            choose_action(
                found.game, found.game.information_state(state, own.seat), own.seat, QUICK, b"same"
            )
            for state in found.states
        ]
        assert choices[0] == choices[1]
        looked += 1
        if looked == 8:
            return
    raise AssertionError("no such pairs")


def test_three_and_four_seats_each_think_of_themselves() -> None:
    for slug in HIDING:
        game = GAMES[slug]
        for options in HIDING[slug].options():
            for state in islice(positions(game, options, 30), 3):
                prompt = prompt_for(game, state)
                assert prompt is not None
                choice = choose_action(
                    game, game.information_state(state, prompt.seat), prompt.seat, QUICK, b"many"
                )
                assert choice.action in play_actions(game, state, prompt.seat)
                chances = win_chances(
                    game, game.information_state(state, prompt.seat), prompt.seat, 24, b"many"
                )
                assert chances.keys() == {*game.seats(options)}


def won_by_who_looks_at_more(number: int) -> bool:
    """The players change seats, and each pair of matches begins with other actions at random."""
    game = GAMES["agog"]
    state, generator, plies = game.start(game.options()), SplitMix64(b"pair %d" % (number // 2)), 0
    better = ("white", "black")[number % 2]
    while (result := game.result(state)) is None:
        prompt = prompt_for(game, state)
        assert prompt is not None
        level = Level("", 0, "", 120 if prompt.seat == better else 4)
        if plies < 6:
            action = random_action(game, state, prompt.seat, generator)
        else:
            action = choose_action(
                game, state, prompt.seat, level, b"%d %d" % (number, plies)
            ).action
        state, plies = state_after(game, state, prompt.seat, action), plies + 1
    return result.winners == (better,)


def test_who_looks_at_more_plays_better() -> None:
    assert sum(map(won_by_who_looks_at_more, range(8))) >= 6
