"""Forecasts of an armed action on the stylus's screen: chance to hit, cost and path."""

from pathlib import Path

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.notation.tap_vectors import read_tap_vector
from domain.stylus.tap_machine import Selection, StylusView, stylus_screen, tap
from domain.stylus.targets import Forecast

LINES = (Path(__file__).parent / "taps.jsonl").read_bytes().splitlines()
VECTORS = {vector.name: vector for vector in map(read_tap_vector, LINES)}


def tapped(name: str, *targets: str) -> tuple[StylusView, Selection]:
    vector = VECTORS[name]
    state = GAME.read_position(vector.start, GAME.options(**vector.options))
    moment, hand = StylusView(GAME, state, vector.seats), Selection()
    for target in targets:
        hand = tap(moment, hand, target).hand
    return moment, hand


def armed(name: str, *targets: str) -> tuple[str, str, Forecast]:
    """The action that is armed, what it costs, and what is worth knowing of it."""
    moment, hand = tapped(name, *targets)
    found = stylus_screen(moment, hand).armed
    assert found is not None
    cost = GAME.parts(moment.state, found.action).cost
    return found.label, cost, moment.pointing.forecast(found.action)


def test_an_attack_is_shown_with_its_chance_to_hit_and_its_damage() -> None:
    action, cost, forecast = armed("attack-and-dice", "base s1", "card s1 bite")
    assert (action, cost) == ("attack s1 bite n1", "2 {ap}")
    assert forecast.figures == {
        "chance": 67,
        "accuracy": 75,
        "dodge": -8,
        "damage": 21,
        "critical": 31,
    }
    assert forecast.path == ()


def test_a_move_is_shown_with_its_path() -> None:
    action, cost, forecast = armed("move-by-card", "base s1", "card s1 walk", "region c9")
    assert (action, cost) == ("move s1 walk c9", "1 {ap}")
    assert forecast == Forecast(path=("b9", "c9"))


def test_a_charge_is_shown_with_both() -> None:
    action, _, forecast = armed("charge", "base s1", "card s1 bite", "card s1 walk")
    assert action == "charge s1 bite walk n1"
    assert (forecast.figures["chance"], forecast.path) == (65, ("c6", "d7"))


def test_what_is_no_attack_and_no_movement_has_nothing_more_to_tell() -> None:
    moment, _ = tapped("move-by-card")
    assert moment.pointing.forecast(GAME.read_action("end")) == Forecast()


def test_abilities_that_may_be_tapped_next_are_listed_with_their_current_cost_and_pips() -> None:
    moment, hand = tapped("move-by-card", "base s1")
    ((target, walk),) = moment.pointing.abilities(stylus_screen(moment, hand).next)
    assert (target, walk.name) == ("card s1 walk", "Walk")
    assert walk.attributes == {"AP": "1", "pips": "0"}
