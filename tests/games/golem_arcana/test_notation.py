"""Actions and positions as text, there and back; invalid text is refused with the reason."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.options import Options
from domain.kernel.notation_error import NotationError
from domain.kernel.rulings import Refused

FIRST = (
    "ga1 proving-ground - R1 south south:6:0:0:nahesh;north:0:0:0:- "
    "s1=sand-lion+tamsin*ember-lens.3@a9:50%bite.2.1!x.y:dodge:-15:2:north;"
    "n1=plague-bringer*briar-totem.0@a9:85 n1k=briar-totem@b9:18 a5:L,e5:S "
    "south.nahesh.calm-harbour@a9 - - *"
)
NIGHT = (
    "ga1 night-of-embers - R1 south south:6:0:0:-;north:0:0:0:- s1=sand-lion@a1:50;"
    "n1=sand-lion@f6:50 - f2:L - south=1,north=2,buried-cache=b3,unquiet-grave=a4,stranger=c4 - *"
)
LISTS = (
    "ga1 proving-ground cooldown=text,range=steps R1 south "
    "south:6:0:0:nahesh;north:0:0:0:urzal s1=sand-lion*briar-totem.0@a9:50%bite.2.1%walk.1.1"
    "!a.b:mp:1:1:south!x.y:dodge:-15:2:north;s2=bramblehorn@off:45;s10=bramblehorn@off:45;"
    "n1=plague-bringer*briar-totem.0@a9:85 s1k=briar-totem@b9:18;n1k=briar-totem@c9:18 a5:L,e5:S "
    "north.urzal.grave-chill@a9,south.nahesh.calm-harbour@a9 - - *"
)
DRAWN = (
    "ga1 proving-ground - R3 - south:0:0:1:-;north:0:0:1:- s1=sand-lion@a1:50;n1=sand-lion@f6:50"
    " - - - - - draw:south+north"
)
OPTIONS = Options(scenario="proving-ground")
SAMPLES = sorted(
    {
        position
        for line in Path(__file__).with_name("vectors.jsonl").read_text().splitlines()
        for vector in [json.loads(line)]
        for position in [vector["start"], *(step["position"] for step in vector["steps"])]
        if position
    }
)
VERBS = GAME.notation.split()
WORDS = ["s1", "n1", "a1", "z99", "bite", "walk", "07", "7", "-", *VERBS]

SCRAPS = ["", " ", *"09-?;,!%=:k", "s1", "south", "a1", "z9", "99999", "roll/s1/bite/n1"]


@pytest.mark.parametrize(
    "text",
    ["move s1 walk c4", "attack s1 bite n1", "charge s1 bite walk n1", "use s1 whip-the-reins",
     "use s1 knit-the-cracks s2", "relic s1 drink n1", "invoke urzal reckoning",
     "invoke urzal grave-chill c4", "enter s1 a1", "end", "dice 07", "displace c4", "die 2",
     "step c4", "stay", "choose 1", "deploy s1 a1", "hold s1", "quest 2", "hide 1"],
)  # fmt: skip
def test_every_kind_of_action_is_read_and_written(text: str) -> None:
    action = GAME.read_action(text)
    assert not isinstance(action, Refused)
    assert GAME.write_action(action) == text


@pytest.mark.parametrize(
    "text",
    ["", " ", "jump", "move s1", "move s1  walk d6", "move s1 walk d6 ", "Move s1 walk d6", "end 1",
     "move s1 walk d6 d7", "dice", "dice 0 7", "attack s1 bite n1\n", "quest ?", "hide ?",
     "use s1", "invoke urzal", "móve s1 walk d6", "x" * 500, "move s1 walk " + "a" * 50],
)  # fmt: skip
def test_there_is_no_other_spelling(text: str) -> None:
    answer = GAME.read_action(text)
    assert isinstance(answer, Refused)
    assert (answer.rule, bool(answer.why)) == ("ga.syntax", True)


@given(st.text() | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_reading_an_action_never_fails(text: str) -> None:
    action = GAME.read_action(text)
    if not isinstance(action, Refused):
        assert GAME.write_action(action) == text


@given(st.text())
def test_reading_any_text_as_a_position_explains_itself(text: str) -> None:
    with pytest.raises(NotationError, match=r"."):
        GAME.read_position(text, OPTIONS)


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([FIRST, NIGHT, *SAMPLES[:: max(len(SAMPLES) // 60, 1)]]),
    st.data(),
)
def test_a_damaged_position_is_read_as_itself_or_refused(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(at, min(at + 12, len(text))))
    put = data.draw(st.sampled_from(SCRAPS))
    damaged = text[:at] + put + text[end:]
    options = Options(scenario=text.split(" ")[1])
    try:
        state = GAME.read_position(damaged, options)
    except NotationError:
        return
    written = GAME.write_position(state)
    assert GAME.read_position(written, options) == state
    assert written == damaged or sorted(written) == sorted(damaged) or "hide/" in damaged
    for prompt in GAME.turn(state):
        assert any(True for _ in GAME.legal(state, prompt.seat))


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("ga1", "ga2", "version"),
        ("proving-ground", "first-steps", "scenario"),
        ("ground - R1", "ground range=square R1", "one spelling"),
        ("ground - R1", "ground range=cubits R1", "Invalid enum"),
        ("ground - R1", "ground weather=rain R1", "unknown field"),
        ("R1", "R01", "Round"),
        ("R1 south", "R1 east", "does not play"),
        ("R1 south", "R1 -", "somebody's Turn"),
        ("R1 south", "R0 south", "somebody's Turn"),
        ("south:6:0:0:nahesh;north:0:0:0:-", "south:6:0:0:nahesh", "the seats of"),
        ("north:0:0:0:-", "north:0:0:0:-;north:0:0:0:-", "one spelling"),
        ("south:6", "south:-6", "among the seats"),
        (":nahesh;", ":zeus;", "Ancient One zeus"),
        (":nahesh;", ":nahesh+nahesh;", "twice"),
        ("s1=sand-lion", "s1=mud-pie", "no such Golem"),
        ("+tamsin", "+nobody", "there is none"),
        ("*ember-lens", "*nothing", "no such Relic"),
        ("ember-lens.3", "ember-lens.4", "more than 3"),
        ("@a9:50", "@a9:51", "more than the printed 50"),
        ("@a9:50", "@a9:0", "cannot be"),
        ("@a9:50", "@k9:50", "not on this board"),
        ("@a9:50", "@b8:50", "blocking terrain"),
        ("%bite.2.1", "%sing.2.1", "no ability sing"),
        ("%bite.2.1", "%bite.0.1", "without pips"),
        ("%bite.2.1", "%bite.2.1u", "only option cooldown=text"),
        ("%bite.2.1", "%bite.2.1%bite.2.1", "one spelling"),
        ("%bite.2.1", "%bite.2", "a Cooldown"),
        (":dodge:", ":luck:", "cannot be"),
        ("!x.y:dodge:-15:2:north", "!x.y:dodge:-15:2:east", "does not play"),
        ("!x.y:dodge", "!dodge", "a status effect"),
        (";n1=", ";s1=", "each unit once"),
        ("n1k=briar-totem@b9:18", "n1k=ember-lens@b9:18", "no Construct"),
        ("n1k=briar-totem@b9:18", "n1k=briar-totem@b9:19", "more than 18"),
        ("n1k=briar-totem@b9:18", "n1k=briar-totem@b8:18", "blocking"),
        ("a5:L", "a6:L", "no well in a6"),
        ("a5:L,e5:S", "a5:L,e5:S,a5:L", "one spelling"),
        ("calm-harbour@a9", "calm-harbour@g5", "in water"),
        ("nahesh.calm-harbour@a9", "urzal.grave-chill@a9", "has no Ancient One urzal"),
        ("nahesh.calm-harbour@a9", "nahesh.tide-of-mending@a9", "no such Blessing"),
        ("- - *", "south=1 - *", "there are 0 quests"),
        ("- - *", "stranger=c4 - *", "no encounter"),
        ("- - *", "- begin *", "setting up"),
        ("- - *", "- roll/s1/walk/n1 *", "no attack walk"),
        ("- - *", "- roll/s1/bite/s9 *", "no unit s9"),
        ("- - *", "- roll/s7/bite/n1 *", "not on the board"),
        ("- - *", "- meet/s1 *", "needs neither"),
        ("- - *", "- dance/s1 *", "work"),
        ("- - *", "- choice/stranger/s1 *", "no encounter stranger"),
        ("- - *", "- - win:south", "nobody's Turn"),
        ("- - *", "- - won", r"\*, win:south"),
        ("- - *", "- *", "13 fields"),
    ],
)
def test_an_impossible_position_is_refused(was: str, now: str, why: str) -> None:
    assert was in FIRST
    assert GAME.write_position(GAME.read_position(FIRST, OPTIONS)) == FIRST
    with pytest.raises(NotationError, match=why):
        GAME.read_position(FIRST.replace(was, now, 1), OPTIONS)


@pytest.mark.parametrize(
    ("text", "was", "now"),
    [
        (LISTS, "cooldown=text,range=steps", "range=steps,cooldown=text"),
        (LISTS, "south:6:0:0:nahesh;north:0:0:0:urzal", "north:0:0:0:urzal;south:6:0:0:nahesh"),
        (LISTS, "s2=bramblehorn@off:45;s10=bramblehorn@off:45",
         "s10=bramblehorn@off:45;s2=bramblehorn@off:45"),
        (LISTS, "%bite.2.1%walk.1.1", "%walk.1.1%bite.2.1"),
        (LISTS, "!a.b:mp:1:1:south!x.y:dodge:-15:2:north",
         "!x.y:dodge:-15:2:north!a.b:mp:1:1:south"),
        (LISTS, "s1k=briar-totem@b9:18;n1k=briar-totem@c9:18",
         "n1k=briar-totem@c9:18;s1k=briar-totem@b9:18"),
        (LISTS, "a5:L,e5:S", "e5:S,a5:L"),
        (LISTS, "north.urzal.grave-chill@a9,south.nahesh.calm-harbour@a9",
         "south.nahesh.calm-harbour@a9,north.urzal.grave-chill@a9"),
        (NIGHT, "south=1,north=2", "north=2,south=1"),
        (NIGHT, "buried-cache=b3,unquiet-grave=a4", "unquiet-grave=a4,buried-cache=b3"),
        (DRAWN, "draw:south+north", "draw:north+south"),
    ],
)  # fmt: skip
def test_a_position_is_read_in_any_order_and_written_in_one(text: str, was: str, now: str) -> None:
    options = Options(scenario=text.split(" ")[1])
    assert was in text
    assert GAME.write_position(GAME.read_position(text, options)) == text
    assert GAME.write_position(GAME.read_position(text.replace(was, now), options)) == text


@pytest.mark.parametrize("was", ["roll/s1/bite/n1,step/s1", "nahesh+urzal"])
def test_the_order_of_work_and_of_an_army_is_no_list_to_be_sorted(was: str) -> None:
    text = (
        "ga1 proving-ground - R1 south south:6:0:0:nahesh+urzal;north:0:0:0:- "
        "s1=sand-lion@a9:50;n1=sand-lion@a9:50 - - - - roll/s1/bite/n1,step/s1 *"
    )
    now = re.sub(r"(.*)([,+])(.*)", r"\3\2\1", was)
    assert GAME.write_position(GAME.read_position(text, OPTIONS)) == text
    swapped = text.replace(was, now)
    assert GAME.write_position(GAME.read_position(swapped, OPTIONS)) == swapped


@pytest.mark.parametrize(
    ("was", "now", "why"),
    [
        ("south=1,north=2", "south=1,south=1,north=2", "one spelling"),
        ("north=2", "north=1", "the same quest"),
        ("a1:50;", "a1:50!x.y:mp:1:1:south!x.y:mp:1:2:south;", "a status effect twice"),
        ("s1=sand-lion", "w1=sand-lion", "does not play"),
        ("buried-cache=b3", "buried-cache=b4", "no encounter"),
        ("stranger=c4 -", "stranger=c4 hide/stranger", "setting up"),
        ("n1=sand-lion@f6", "n1=sand-lion@?", "nobody is to deploy"),
    ],
)
def test_a_position_with_invalid_hidden_items_is_refused(was: str, now: str, why: str) -> None:
    options = Options(scenario="night-of-embers")
    assert GAME.write_position(GAME.read_position(NIGHT, options)) == NIGHT
    with pytest.raises(NotationError, match=why):
        GAME.read_position(NIGHT.replace(was, now, 1), options)


def test_a_redacted_position_is_no_start() -> None:
    options = Options(scenario="night-of-embers")
    view = GAME.write_view(GAME.read_position(NIGHT, options), "spectator")
    with pytest.raises(NotationError):
        GAME.read_position(view, options)


def test_an_error_points_at_the_place() -> None:
    text = FIRST.replace("n1k=briar-totem@b9:18", "tooth")
    with pytest.raises(NotationError) as caught:
        GAME.read_position(text, OPTIONS)
    assert caught.value.at == text.index("tooth")
    assert "n1k" not in caught.value.why
