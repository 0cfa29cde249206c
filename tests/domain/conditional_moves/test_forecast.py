"""The forecast describes conditional moves in sentences of the game, as far as they are known."""

from itertools import islice

import pytest

from domain.conditional_moves import (
    ConditionalMove,
    ConditionalMoves,
    forecast_moves,
    initial_progress,
)
from domain.conditional_moves.forecast import MAX_TRIED_ACTIONS
from domain.conditional_moves.progress import ConditionalMovesProgress
from domain.match import Terms, visible_match
from domain.registry import GAMES
from tests.domain.conditional_moves.test_progress import left
from tests.domain.conftest import MatchBuilder

PLAN = (
    ConditionalMove(0, "", "a6-b6", ("h3-g3",)),
    ConditionalMove(1, "white", "f1-g1", ("c8-c7",)),
    ConditionalMove(0, "", "", ("h3-g3",)),
    ConditionalMove(3, "", "f1-g1", ()),
    ConditionalMove(4, "", "", ("g3-g4", "c8-c7")),
)


def forecast(
    plan: ConditionalMoves, story: MatchBuilder, standing: ConditionalMovesProgress | None = None
) -> dict[int, object]:
    match = visible_match(story.match, plan.seat)
    found = forecast_moves(plan, standing or initial_progress(plan), match)
    return {number: (node.on, node.replies) for number, node in found.nodes.items()}


def test_triggers_and_responses_are_described_from_the_positions_they_lead_to() -> None:
    story = MatchBuilder("agog", 1, Terms())
    assert forecast(left("black", *PLAN), story) == {
        1: ("Move the golem from a6 to b6", ("Move the golem from h3 to g3",)),
        2: ("Move the golem from f1 to g1", ("Move the golem from c8 to c7",)),
        # Whatever White does first, the answer is the same.
        3: ("", ("Move the golem from h3 to g3",)),
        4: ("Move the golem from f1 to g1", ()),
        # Two actions in a row are not Black's to take: what the second would be cannot be said.
        5: ("", ("", "")),
    }


def test_moves_that_can_no_longer_occur_are_not_forecast() -> None:
    story = MatchBuilder("agog", 1, Terms())
    assert sorted(forecast(left("black", *PLAN), story, ConditionalMovesProgress((3,)))) == [
        3,
        4,
        5,
    ]


def test_the_next_action_is_forecast_first_and_the_rest_after_it() -> None:
    story = MatchBuilder("agog", 1, Terms())
    plan = left("white", ConditionalMove(0, "black", "h3-g3", ("f1-g1",)))
    found = forecast_moves(plan, ConditionalMovesProgress((1,), ("a6-b6",)), story.match)
    assert found.replies == ("Move the golem from a6 to b6",)
    assert found.nodes[1].on == "Move the golem from h3 to g3"
    assert found.nodes[1].replies == ("Move the golem from f1 to g1",)


def test_illegal_moves_are_not_forecast() -> None:
    story = MatchBuilder("agog", 1, Terms())
    assert forecast(left("black", ConditionalMove(0, "", "a6-a1", ("h3-g3",))), story) == {
        1: ("", ("",))
    }


@pytest.mark.parametrize("game", GAMES)
def test_each_forecast_action_of_each_game_is_described_in_its_sentences(game: str) -> None:
    story = MatchBuilder(game, 5, Terms(chance="rolled")).play(30)
    rules, match = story.rules, story.match
    acting, *_ = match.prompts
    seat = next(each for each in match.seats if each != acting.seat)
    seen = visible_match(match, seat)
    actions = list(islice(rules.legal(seen.position, acting.seat), 20))
    nodes = [ConditionalMove(0, acting.seat, rules.write_action(each), ()) for each in actions]
    found = forecast(left(seat, *nodes), story)
    assert len(found) == len(actions)
    for node, action in zip(found.values(), actions, strict=True):
        assert node in ((rules.parts(seen.position, action).sentence, ()), ("", ()))
    assert any(node != ("", ()) for node in found.values())


def test_an_endless_plan_is_forecast_up_to_the_limit() -> None:
    story = MatchBuilder("agog", 1, Terms())
    nodes = [ConditionalMove(0, "", "a6-b6", ("h3-g3",)) for _ in range(500)]
    found = forecast(left("black", *nodes), story)
    assert len(found) == 500
    assert sum(node != ("", ("",)) for node in found.values()) == MAX_TRIED_ACTIONS // 2
