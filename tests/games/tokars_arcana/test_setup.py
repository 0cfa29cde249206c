"""Setting up: armies, formation, board, who begins, the debriefing."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.games.tokars_arcana import GAME
from domain.games.tokars_arcana.state import Options
from domain.kernel.rulings import Figures

After = Callable[..., str]
Refusal = Callable[..., str]
Cited = Callable[..., dict[str, Figures]]


def start(**options: Any) -> str:
    return GAME.write_position(GAME.start(msgspec.convert(options, Options)))


def opening(**options: Any) -> dict[str, Figures]:
    rulings = GAME.opening(msgspec.convert(options, Options))
    return {rule: ruling.figures for ruling in rulings for rule in ruling.rules}


def test_each_player_sees_the_chief_left_of_the_general() -> None:
    assert start() == "mztnxtzm/ssssssss/8/8/8/8/8/8/IIIIIIII/WKPDBAKW - - south order -"
    assert opening()["ta.setup.formation"]["north_left"] == "h"


def test_with_formation_mirrored_both_generals_stand_on_e() -> None:
    assert start(formation="mirrored").startswith("mztxntzm/")
    assert opening(formation="mirrored")["ta.setup.formation"]["north_left"] == "a"


def test_either_seat_may_have_either_race() -> None:
    assert start(south="undead", north="human", rows=8) == (
        "wkabdpkw/iiiiiiii/8/8/8/8/SSSSSSSS/MZTXNTZM - - south order -"
    )


def test_an_army_is_8_soldiers_2_sergeants_2_lieutenants_2_captains_a_chief_and_a_general() -> None:
    army = opening(south="undead")["ta.setup.army"]
    counts = {rank: army[f"{rank}s"] for rank in ("soldier", "sergeant", "captain", "general")}
    assert counts == {"soldier": 8, "sergeant": 2, "captain": 2, "general": 1}


def test_the_board_has_as_many_rows_as_the_players_wish() -> None:
    assert start(rows=12).count("/") == 11
    assert opening(rows=12)["ta.setup.board"] == {"columns": 8, "rows": 12}
    for rows in (7, 13):
        with pytest.raises(msgspec.ValidationError):
            start(rows=rows)


def test_unknown_options_and_other_values_are_refused() -> None:
    for options in ({"race": "elves"}, {"south": "elves"}, {"quiet_limit": 1001}, {"check": 1}):
        with pytest.raises(msgspec.ValidationError):
            start(**options)
    assert msgspec.convert({"pass": "stuck"}, Options).passing == "stuck"


def test_the_starting_seat_is_an_option() -> None:
    assert start(first="north").endswith(" north order -")
    assert opening(first="north")["ta.setup.first"] == {"first": "north"}


def test_a_random_starting_seat_is_entered_by_south(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    tossing = start(first="random")
    assert tossing.endswith(" - toss -")
    (prompt,) = GAME.turn(GAME.start(Options(first="random")))
    assert (prompt.seat, prompt.is_chance) == ("south", True)
    assert after(tossing, "first north", first="random").endswith(" north order -")
    assert cited(tossing, "first south")["ta.setup.first"] == {"to_move": "south"}
    assert refusal(tossing, "first south", by="north") == "ta.turn.seat"
    assert refusal(tossing, "a2-a3") == "ta.turn.prompt"


def test_in_a_debriefing_both_say_ready_before_the_toss(
    after: After, refusal: Refusal, cited: Cited
) -> None:
    options = {"debriefing": True, "first": "random"}
    briefing = start(**options)
    assert briefing.endswith(" - brief:sn -")
    assert "ta.setup.debriefing" in opening(**options)
    assert refusal(briefing, "ready north", by="south", **options) == "ta.turn.seat"
    assert refusal(briefing, "a2-a3", by="south", **options) == "ta.turn.prompt"
    waiting = after(briefing, "ready south", by="south", **options)
    assert waiting.endswith(" - brief:n -")
    assert refusal(waiting, "ready south", by="south", **options) == "ta.turn.seat"
    assert after(waiting, "ready north", **options).endswith(" - toss -")
    assert cited(waiting, "ready north", **options)["ta.setup.first"] == {"first": "random"}
    agreed = start(debriefing=True, first="north")
    options = {"debriefing": True, "first": "north"}
    done = after(after(agreed, "ready north", by="north", **options), "ready south", **options)
    assert done.endswith(" north order -")
