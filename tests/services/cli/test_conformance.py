"""`emeth conform`: vectors that agree, vectors that do not, and files that hold none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from domain.kernel.any_game import fold
from domain.kernel.rulings import Accepted
from domain.registry import GAMES

Emeth = Callable[..., Result]

VECTORS = Path(__file__).parents[2] / "games" / "agog" / "vectors.jsonl"
SETUP = json.loads(VECTORS.read_text().splitlines()[0])
Change = Callable[[dict[str, Any]], object]


def file_of(folder: Path, *vectors: object) -> Path:
    path = folder / "some.jsonl"
    path.write_text("".join(f"{json.dumps(vector)}\n" for vector in vectors))
    return path


def changed(change: Change) -> dict[str, Any]:
    vector = json.loads(json.dumps(SETUP))
    change(vector)
    return dict(vector)


def test_vectors_that_agree_pass(emeth: Emeth, tmp_path: Path) -> None:
    result = emeth("conform", file_of(tmp_path, SETUP, SETUP), file_of(tmp_path, SETUP, SETUP))
    assert result.output == "4 passed, 0 failed\n"
    assert result.exit_code == 0


def test_a_wrong_position_is_shown_as_two_boards(emeth: Emeth, tmp_path: Path) -> None:
    def put_it_on_a7(vector: dict[str, Any]) -> None:
        step = vector["steps"][0]
        step["position"] = step["position"].replace("3ggggg/1G2", "G2ggggg/4")

    result = emeth("conform", file_of(tmp_path, changed(put_it_on_a7), SETUP))
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[-1] == "1 passed, 1 failed"
    assert lines[0] == "FAILED agog crafted-setup, after 1 steps: position after white: a6-b6"
    words = [" ".join(line.split()) for line in lines]
    assert "7 G . . g g g g g 7 . . . g g g g g" in words
    assert "6 . . . . g g g g 6 . G . . g g g g" in words


WRONG: dict[str, tuple[Change, str]] = {
    "a rule": (
        lambda v: v["illegal"][0].update(rule="agog.end.over"),
        "after 0 steps: attempt by black: h3-h2",
    ),
    "an attempt that is legal": (
        lambda v: v["illegal"][0].update(by="white", do="a6-b6"),
        "expected: refused by agog.turn.order",
    ),
    "a step that is not legal": (
        lambda v: v["steps"][0].update(do="a5-a6"),
        "got:      refused by agog.move.clear",
    ),
    "a missing action": (
        lambda v: v["legal"]["0"].pop(0),
        "got:      14 actions, among them a6-a7",
    ),
    "an action too many": (
        lambda v: v["legal"]["0"].insert(0, "a1-a2"),
        "expected: 15 actions, among them a1-a2",
    ),
    "the order of actions": (lambda v: v["legal"]["0"].reverse(), "legal actions 0"),
    "the score": (lambda v: v["steps"][0].update(human="b6"), "human notation"),
    "the record": (lambda v: v.update(record="1. b6"), "after 2 steps: record"),
    "a view": (lambda v: v.update(views={"0": {"black": "?"}}), "view of black"),
    "an option": (lambda v: v.update(options={"handicap": 21}), "Expected `int` <= 20"),
    "the start": (lambda v: v.update(start="8/8 w"), "a position has six fields"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_whatever_is_wrong_in_a_vector_is_found(emeth: Emeth, tmp_path: Path, wrong: str) -> None:
    change, shown = WRONG[wrong]
    result = emeth("conform", file_of(tmp_path, changed(change)))
    assert shown in result.output
    assert result.output.endswith("\n0 passed, 1 failed\n")
    assert result.exit_code == 1


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "line 1: not a vector"),
        ('{"game": "agog"}', "missing required field `name`"),
        (json.dumps(SETUP | {"game": "chess"}), "there is no game 'chess'"),
        (json.dumps(SETUP | {"legal": {"3": []}}), "refers to step 3, but has 2 steps"),
        (json.dumps(SETUP | {"extra": 1}), "unknown field `extra`"),
    ],
)
def test_a_line_that_is_no_vector_is_a_usage_error(
    emeth: Emeth, tmp_path: Path, line: str, why: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(line)
    result = emeth("conform", path)
    assert result.exit_code == 2
    assert why in result.output


def test_a_file_without_vectors_is_a_usage_error(emeth: Emeth, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_text("\n")
    assert emeth("conform", path).exit_code == 2


def test_a_service_plays_the_vectors_that_start_where_the_options_do(
    emeth_online: Emeth, shared_service: Any, tmp_path: Path
) -> None:
    lines = VECTORS.read_text().splitlines()
    some = file_of(tmp_path, *map(json.loads, lines[:20]))
    begin = sum(json.loads(line)["start"] is None for line in lines[:20])
    assert 3 < begin < 20
    result = emeth_online("conform", "--via", "grpc", shared_service.address, some)
    assert result.output.splitlines() == [
        f"left out {20 - begin} of 20, which begin in mid-game",
        f"{begin} passed, 0 failed",
    ]


@pytest.mark.parametrize("wrong", ["a rule", "a missing action", "the score", "the record"])
def test_a_service_that_disagrees_fails_the_vector(
    emeth_online: Emeth, shared_service: Any, tmp_path: Path, wrong: str
) -> None:
    change, shown = WRONG[wrong]
    path = file_of(tmp_path, changed(change))
    result = emeth_online("conform", "--via", "grpc", shared_service.address, path)
    assert shown in result.output
    assert result.exit_code == 1


def test_a_service_that_is_not_there_is_no_failed_check(emeth: Emeth) -> None:
    result = emeth("conform", "--via", "grpc", "127.0.0.1:1", VECTORS)
    assert result.exit_code == 3
    assert "no service answers at 127.0.0.1:1" in result.output


EXTRAS = Path(__file__).parents[2] / "games" / "golem_arcana" / "extras.jsonl"


def test_vectors_of_game_specific_kinds_are_checked_with_the_others(emeth: Emeth) -> None:
    number = len(EXTRAS.read_text().splitlines())
    result = emeth("conform", EXTRAS, VECTORS)
    assert result.output == f"{number + len(VECTORS.read_text().splitlines())} passed, 0 failed\n"


def test_a_service_plays_no_vectors_of_further_kinds(
    emeth_online: Emeth, shared_service: Any
) -> None:
    number = len(EXTRAS.read_text().splitlines())
    result = emeth_online("conform", "--via", "grpc", shared_service.address, EXTRAS)
    assert result.output.splitlines() == [
        f"left out {number} of {number}, which are not matches to play",
        "0 passed, 0 failed",
    ]


def test_an_extra_vector_that_does_not_agree_is_shown(emeth: Emeth, tmp_path: Path) -> None:
    vectors = [json.loads(line) for line in EXTRAS.read_text().splitlines()]
    army = next(each for each in vectors if each["kind"] == "army" and each["errors"])
    result = emeth("conform", file_of(tmp_path, army | {"errors": []}, army))
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        f"FAILED {tmp_path}/some.jsonl, line 1: errors of {army['name']!r}",
        "  expected: no errors",
        f"  got:      {', '.join(army['errors'])}",
        "1 passed, 1 failed",
    ]


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ({"game": "golem-arcana", "kind": "song"}, "has no vectors of the kind 'song'"),
        ({"game": "agog", "kind": "army"}, "its kinds are none"),
        ({"game": "chess", "kind": "army"}, "there is no game 'chess'"),
        ({"game": "golem-arcana", "kind": "army"}, "line 1: not a vector"),
    ],
)
def test_an_extra_line_that_is_no_vector_is_a_usage_error(
    emeth: Emeth, tmp_path: Path, extra: dict[str, str], why: str
) -> None:
    result = emeth("conform", file_of(tmp_path, extra))
    assert result.exit_code == 2
    assert why in result.output


def test_a_service_plays_no_vector_in_which_it_deals_face_down(
    emeth_online: Emeth, shared_service: Any, tmp_path: Path
) -> None:
    """A vector may say which secret quest a seat was dealt; no client can say so to a service."""
    game, options = GAMES["golem-arcana"], {"scenario": "night-of-embers"}
    state, steps = game.start(game.options(**options)), []
    for _ in range(2):
        outcome = game.decide(state, "referee", game.read_action("hide 1"))
        assert isinstance(outcome, Accepted)
        state = fold(game, state, outcome.facts)
        position = game.write_position(state)
        steps.append({"by": "referee", "do": "hide 1", "position": position})
    vector = {"game": game.slug, "name": "dealt", "options": options, "start": None}
    path = file_of(tmp_path, vector | {"steps": steps[:1]}, vector | {"steps": steps})
    result = emeth_online("conform", "--via", "grpc", shared_service.address, path)
    assert result.output.splitlines() == [
        "left out 1 of 2, in which the service deals face down",
        "1 passed, 0 failed",
    ]
