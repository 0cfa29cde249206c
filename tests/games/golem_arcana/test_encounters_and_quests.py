"""Encounters, secret quests, and what nobody may learn before its time."""

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.facts import QuestFulfilled
from domain.games.golem_arcana.options import Options
from domain.kernel.any_game import previewable_fact_count
from domain.kernel.game import ResolvedAction
from domain.kernel.rulings import Accepted

SECRETS = "south=1,north=2,buried-cache=b3,unquiet-grave=a4,stranger=c4"
NIGHT = {"scenario": "night-of-embers", "secrets": SECRETS}


def test_an_encounter_is_met_where_a_golem_comes_to_rest_once(at) -> None:
    """GA-R46: the buried cache gives 6 Mana and heals 10."""
    table = at("s1=horned-blight@b2:40;s2=horned-blight@b2:40;n1=winged-preserver@f6:110", **NIGHT)
    table.do("move s1 walk b3")
    assert table.unit("s1") == "horned-blight@b3:50%walk.1.1"
    assert table.purse("south")[1] == 6
    assert "buried-cache=b3!" in table.field(11)
    assert table.figures("ga.encounter.meet") == {"encounter": "A buried cache"}
    table.do("move s2 walk b3")
    assert table.purse("south")[1] == 6


def test_an_encounter_is_not_met_in_passing(at) -> None:
    table = at("s1=horned-blight@b2:40;n1=winged-preserver@f6:110", **NIGHT)
    table.do("move s1 walk b4")
    assert "buried-cache=b3," in table.field(11)


def test_displacement_meets_too_and_the_status_counts_down_with_the_golems_own_seat(at) -> None:
    table = at(
        "s1=sand-lion+vask@a5:50;n1=winged-preserver@f6:110;n2=bramblehorn@a5:45", **NIGHT
    ).do("use s1 shoulder-aside n2", "displace a4")
    assert table.unit("n2") == "bramblehorn@a4:33!unquiet-grave:accuracy:-10:1:north"


def test_an_encounter_may_destroy_and_in_a_match_of_two_the_opponent_earns_it(at) -> None:
    """GA-R48."""
    table = at("s1=horned-blight@a3:12;s2=sand-lion@a1:50;n1=sand-lion@f6:50", **NIGHT)
    table.do("move s1 walk a4")
    assert (table.unit("s1"), table.purse("north")[2]) == ("", 1)


def test_a_choice_belongs_to_the_golems_seat_even_in_anothers_turn(at) -> None:
    table = at("s1=sand-lion+vask@c5:50;n1=winged-preserver@f6:110;n2=bramblehorn@c5:45", **NIGHT)
    table.do("use s1 shoulder-aside n2", "displace c4")
    assert (table.asked, table.field(12)) == ("north", "choice/stranger/n2")
    assert table.legal() == ["choose 1", "choose 2", "choose 3"]
    assert table.refused("choose 4") == "ga.entry.range"
    table.do("choose 2")
    assert table.purse("north")[2] == 1
    assert table.unit("n2") == "bramblehorn@c4:35"
    assert table.asked == "south"


def test_leaving_the_stranger_does_nothing(at) -> None:
    table = at("s1=sand-lion@c5:50;n1=winged-preserver@f6:110", **NIGHT)
    table.do("move s1 walk c4", "choose 3")
    assert table.purse("south")[1:] == (0, 0)


def test_a_quest_to_destroy_is_fulfilled_at_once(at) -> None:
    """Break a giant, 3 VP, and 3 for the Titan."""
    table = at(
        "s1=horned-blight@a3:40;n1=winged-preserver@a3:5;n2=vigilant-sentinel@f6:45",
        scenario="night-of-embers",
        secrets=SECRETS.replace("south=1,north=2", "south=2,north=1"),
    ).do("attack s1 gore n1", "dice 30")
    assert table.purse("south")[2] == 6
    assert table.field(11).startswith("south=2!,north=1,")
    assert table.figures("ga.quest.fulfil") == {"quest": "Break a giant"}


def test_quests_to_hold_and_to_hoard_are_fulfilled_in_ones_upkeep(at) -> None:
    """GA-R47."""
    more = {"scenario": "night-of-embers", "turn": "north"}
    hold = at("s1=sand-lion@a3:50;n1=sand-lion@f6:50", seats="south:0:0:0:-;north:6:0:0:-",
              secrets=SECRETS, **more).do("end")  # fmt: skip
    assert (hold.purse("south")[2], hold.field(11)[:8]) == (3, "south=1!")
    assert hold.figures("ga.vp.quest") == {"points": 3}
    hoard = SECRETS.replace("south=1", "south=3")
    for mana, vp in ((11, 0), (12, 2)):
        table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", secrets=hoard,
                   seats=f"south:0:{mana}:0:-;north:6:0:0:-", **more).do("end")  # fmt: skip
        assert table.purse("south")[2] == vp


# --- what is hidden ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("viewer", "seen"),
    [
        ("south", "south=1,north=?"),
        ("north", "south=?,north=2"),
        ("spectator", "south=?,north=?"),
        ("referee", SECRETS),
    ],
)
def test_each_viewer_sees_the_secrets_it_may(at, viewer: str, seen: str) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", **NIGHT)
    view = GAME.write_view(table.state, viewer)
    assert view.split(" ")[10] == seen
    scene = msgspec.json.encode(GAME.scene(table.state, viewer)).decode()
    assert ("Mark the stones" in scene) == (viewer in ("south", "referee"))
    assert ("unquiet" in scene) == (viewer == "referee")


def test_what_is_triggered_or_fulfilled_is_shown_to_all(at) -> None:
    secrets = "south=1!,north=2,buried-cache=b3!,unquiet-grave=a4,stranger=c4"
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", scenario="night-of-embers", secrets=secrets)
    view = GAME.write_view(table.state, "spectator")
    assert view.split(" ")[10] == "south=1!,north=?,buried-cache=b3!"
    scene = msgspec.json.encode(GAME.scene(table.state, "north")).decode()
    assert "A buried cache" in scene
    assert "Mark the stones" in scene


def test_nobody_but_the_referee_learns_what_is_being_hidden(start) -> None:
    table = start(scenario="night-of-embers")
    assert GAME.write_view(table.state, "south").split(" ")[11].startswith("hide/?,hide/?,quest")
    assert GAME.scene(table.state, "south").caption == "Something is being hidden"
    assert list(GAME.legal(table.state, "south")) == []
    resolved = happened(table, "hide 2")
    for viewer, action in (("south", "hide ?"), ("spectator", "hide ?"), ("referee", "hide 2")):
        seen = GAME.redact(resolved, viewer)
        assert GAME.write_action(seen.action) == action
        text = msgspec.json.encode(seen).decode()
        assert ("buried" in text) == (viewer == "referee")


def test_a_dealt_quest_is_known_to_its_seat(start) -> None:
    table = start(scenario="night-of-embers").do("hide 2", "hide 1")
    dealt = happened(table, "quest 3")
    for viewer, action in (("south", "quest 3"), ("north", "quest ?"), ("referee", "quest 3")):
        seen = GAME.redact(dealt, viewer)
        assert GAME.write_action(seen.action) == action
        assert ("3" in msgspec.json.encode(seen.facts).decode()) == (viewer != "north")


def happened(table, text: str) -> ResolvedAction:
    """What an action does, taken in this state."""
    seat, action = table.asked, GAME.read_action(text)
    outcome = GAME.decide(table.state, seat, action)
    assert isinstance(outcome, Accepted)
    return ResolvedAction(seat, action, outcome.facts, outcome.rulings)


def test_what_a_preview_must_not_show_is_marked(at, start) -> None:
    """All before it is the same as without an encounter."""
    golems = "s1=horned-blight@b2:40;n1=winged-preserver@f6:110"
    met = happened(at(golems, **NIGHT), "move s1 walk b3")
    elsewhere = {**NIGHT, "secrets": SECRETS.replace("cache=b3", "cache=d3")}
    missed = happened(at(golems, **elsewhere), "move s1 walk b3")
    first = next(place for place, fact in enumerate(met.facts) if GAME.reveals(fact))
    assert met.facts[:first] == missed.facts
    # That there is no encounter is information, too: an undo needs consent.
    night, plain = (Options(scenario=each) for each in ("night-of-embers", "proving-ground"))
    for facts in (met.facts, missed.facts):
        assert previewable_fact_count(GAME, night, facts) == len(missed.facts)
    assert previewable_fact_count(GAME, plain, missed.facts) is None
    hidden = happened(start(scenario="night-of-embers"), "hide 1")
    assert any(GAME.reveals(fact) for fact in hidden.facts)


# --- what a viewer may know ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("viewer", "secrets"),
    [
        ("south", "south=1,north=?"),
        ("north", "south=?,north=2"),
        ("spectator", "south=?,north=?"),
        ("referee", SECRETS),
    ],
)
def test_as_far_as_a_viewer_knows_nothing_lies_hidden(at, viewer: str, secrets: str) -> None:
    table = at("s1=sand-lion@a1:50;n1=sand-lion@f6:50", **NIGHT)
    assert (
        GAME.write_position(GAME.information_state(table.state, viewer)).split(" ")[10] == secrets
    )


def test_what_a_seat_foresees_is_the_same_whatever_lies_hidden(at) -> None:
    """The preview of a movement says nothing of what waits there."""
    golems = "s1=horned-blight@b2:40;n1=winged-preserver@f6:110"
    here, elsewhere = (
        at(golems, **{**NIGHT, "secrets": SECRETS.replace("cache=b3", f"cache={region}")})
        for region in ("b3", "d3")
    )
    assert GAME.information_state(here.state, "south") == GAME.information_state(
        elsewhere.state, "south"
    )
    here.state = GAME.information_state(here.state, "south")
    here.do("move s1 walk b3")
    elsewhere.do("move s1 walk b3")
    assert here.facts == elsewhere.facts


def test_a_rival_is_not_foreseen_to_fulfil_its_quest_and_oneself_is(at) -> None:
    """GA-R47: in North's Upkeep, after South's `end`, and in South's own."""
    secrets = SECRETS.replace("south=1,north=2", "south=2,north=1")
    for turn, mover, foreseen in (("south", "n1", False), ("north", "s1", True)):
        other = "s1" if mover == "n1" else "n1"
        table = at(f"{mover}=sand-lion@a3:50;{other}=sand-lion@f6:50", scenario="night-of-embers",
                   secrets=secrets if mover == "n1" else SECRETS, turn=turn)  # fmt: skip
        table.state = GAME.information_state(table.state, "south")
        table.do("end")
        fulfilled = any(isinstance(fact, QuestFulfilled) for fact in table.facts)
        assert fulfilled == foreseen
