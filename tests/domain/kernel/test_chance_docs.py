"""docs/chance.md is enough to make every draw again: this reads the file of a match as a stranger
would, with the lists of the page and its Python, and with nothing of the rules."""

import json
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana.content.packs import CORE
from domain.kernel.game import REFEREE
from domain.match import Terms, Verdict, raise_dispute, resign, revert
from domain.registry import GAMES
from tests.domain.conftest import MatchBuilder

PAGE = (Path(__file__).parents[3] / "docs" / "chance.md").read_text()
PYTHON: dict[str, Any] = {}
exec(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1], PYTHON)  # type: ignore[index]  # noqa: S102  # it is ours
Json = dict[str, Any]

# --- what the page says --------------------------------------------------------------------------


def rows(game: str) -> list[tuple[str, ...]]:
    """The rows of the tables in the section of a game."""
    section = PAGE.partition(f"\n### {game}\n")[2].partition("\n##")[0]
    cells = re.findall(r"^\| (.*) \|$", section, re.MULTILINE)
    return [tuple(row.split(" | ")) for row in cells]


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


IDS = {
    row[0]: quoted(row[1])
    for game in ("Res Arcana", "Golem Arcana")
    for row in rows(game)
    if len(row) == 2
}
LISTS = {row[0]: quoted(row[2]) for game in GAMES.values() for row in rows(game.name) if row[2:]}
DICE = LISTS["`earthen-war.dice` with one of the `dice`"]
TWO_DICE = LISTS["`earthen-war.dice` with two `dice`"]
TOSS = LISTS["`tokars-arcana.first`"]

# --- a stranger's program ------------------------------------------------------------------------


def leading_to(log: list[Json], version: int) -> list[Json]:
    """The events that lead to a version, the first first."""
    path = []
    while version > 0:
        event = log[version - 1]
        path.append(event)
        goes = event["type"] == "match.LineContinued" or event.get("verdict") == "reverted"
        version = event["to"] if goes else version - 1
    return path[::-1]


def facts(events: list[Json], kind: str, **wanted: str) -> list[Json]:
    found = [fact for event in events for fact in event.get("facts", ()) if fact["type"] == kind]
    return [fact for fact in found if all(fact[name] == each for name, each in wanted.items())]


def cards(log: list[Json], event: Json, before: list[Json]) -> list[str]:
    """The cards of which an entry of Res Arcana is one."""
    first = event["facts"][0]
    match first["type"].removeprefix("res-arcana."):
        case "place-shown":
            return IDS[f"tile {len(facts(before, 'res-arcana.place-shown')) + 1}"]
        case "monument-stacked":
            gone = facts(before, "res-arcana.monument-stacked")
            return [each for each in IDS["monuments"] if each not in {f["card"] for f in gone}]
        case "card-dealt":
            what = "mages" if first["to"] == "mages" else "artifacts"
            gone = facts(before, "res-arcana.card-dealt")
            return [each for each in IDS[what] if each not in {f["card"] for f in gone}]
        case _:
            pile = {"seat": first["seat"], "pile": first["pile"]}

            def goes_on(each: Json) -> bool:
                shuffles = facts([each], "res-arcana.card-shuffled", **pile)
                return "draw" in each and bool(shuffles)

            run = [*takewhile(goes_on, log[event["version"] - 1 :])]
            return [fact["card"] for fact in facts(run, "res-arcana.card-shuffled", **pile)]


def listed(log: list[Json], event: Json, before: list[Json]) -> tuple[str, list[str]]:
    """The entry of a draw as text, and all those that were possible."""
    action = event["action"]
    word = action["type"].partition(".")[2]
    match action["type"]:
        case "earthen-war.dice":
            shown = " ".join(map(str, action["dice"]))
            return f"dice {shown}", DICE if len(action["dice"]) == 1 else TWO_DICE
        case "tokars-arcana.first":
            return f"first {action['seat']}", TOSS
        case "res-arcana.first":
            return f"first {action['seat']}", [f"first {seat}" for seat in log[0]["seats"]]
        case "res-arcana.flip" | "res-arcana.next" | "res-arcana.deal":
            return f"{word} {action['card']}", [
                f"{word} {each}" for each in cards(log, event, before)
            ]
        case "golem-arcana.dice":
            return f"dice {action['roll']}", [f"dice {n:02}" for n in range(100)]
        case "golem-arcana.die":
            (possible,) = [
                ruling["figures"]["possible"]
                for ruling in event["rulings"]
                if "ga.displace.place" in ruling["rules"]
            ]
            count = len(possible.split(", "))
            return f"die {action['roll']}", [f"die {n}" for n in range(1, count + 1)]
        case "golem-arcana.hide":
            (hidden,) = facts([event], "golem-arcana.encounter-hidden")
            scenario = log[0]["options"]["scenario"]
            regions = IDS[f"`{scenario}`, `{hidden['encounter']}`"]
            taken = {f["region"] for f in facts(before, "golem-arcana.encounter-hidden")}
            left = [each for each in regions if each not in taken]
            return f"hide {action['number']}", [f"hide {n}" for n in range(1, len(left) + 1)]
        case "golem-arcana.quest":
            quests = IDS[f"`{log[0]['options']['scenario']}`, quests"]
            dealt = {str(f["number"]) for f in facts(before, "golem-arcana.quest-dealt")}
            left = [each for each in quests if each not in dealt]
            return f"quest {action['number']}", [f"quest {each}" for each in left]
        case other:
            raise AssertionError(f"the page has no list for {other}")


def draws(log: list[Json]) -> Iterator[tuple[str, str, str]]:
    """Each draw that can be checked: its kind, what it is, and what the seed gives."""
    shares: list[str] = []
    waiting: list[tuple[Json, list[str]]] = []
    renewed: list[list[tuple[Json, list[str]]]] = []
    for event in log:
        if event["type"] == "match.SeatClaimed" and event.get("entropy"):
            shares.append(f"{event['seat']}:{event['entropy']}")
        elif event.get("draw") is not None:
            waiting.append((event, [*shares]))
        elif event["type"] == "match.SeedRevealed":
            seeds = [*event.get("earlier", ()), event["seed"]]
            for seed, drawn in zip(seeds, [*renewed, waiting], strict=True):
                for each, known in drawn:
                    entry, entries = listed(log, each, leading_to(log, each["version"] - 1))
                    entries = sorted(entries, key=str.encode)
                    below = PYTHON["numbers"](seed, each["match"], each["draw"], known)
                    yield each["action"]["type"], entry, entries[below(len(entries))]
            waiting, renewed = [], []
        elif event["type"] == "match.ChanceRenewed":
            renewed.append(waiting)
            waiting = []


# --- that it is so -------------------------------------------------------------------------------

ROLLED = Terms(chance="rolled")


def exported_events(story: MatchBuilder) -> list[Json]:
    """The events as a file has them."""
    return [json.loads(sealed.body) for sealed in story.events]


def over(story: MatchBuilder) -> MatchBuilder:
    """All give up, one after the other, until the match is over."""
    for seat in story.match.seats:
        if story.match.result is None:
            story.tell(resign(story.match, seat, story.command_context, story.seeds))
    return story


def check(story: MatchBuilder) -> set[str]:
    """Make all draws of a match again; the kinds of entries that there were."""
    made = [*draws(exported_events(over(story)))]
    for number, (kind, entry, due) in enumerate(made, 1):
        assert entry == due, f"{kind}, draw {number}"
    drawn = [each.event for each in story.events if getattr(each.event, "draw", None)]
    assert len(made) == len(drawn)
    return {kind for kind, *_ in made}


LIVES: list[tuple[str, dict[str, Any], set[str]]] = [
    ("agog", {}, set()),
    ("earthen-war", {"artillery": True}, {"dice"}),
    ("tokars-arcana", {"first": "random"}, {"first"}),
    ("res-arcana", {"first": "random", "players": 4}, {"first", "flip", "next", "deal"}),
    ("res-arcana", {"draft": "yes", "players": 3}, {"flip", "next", "deal"}),
    ("res-arcana", {"hand": "choose", "sides": "a"}, {"next", "deal"}),
    ("golem-arcana", {"scenario": "night-of-embers"}, {"hide", "quest"}),
    ("golem-arcana", {"scenario": "twin-wells"}, {"dice"}),
]


@pytest.mark.parametrize(("game", "options", "kinds"), LIVES)
def test_every_draw_of_a_match_can_be_made_again_from_the_page_alone(
    game: str, options: dict[str, Any], kinds: set[str]
) -> None:
    found: set[str] = set()
    for seed in range(3):
        story = MatchBuilder(game, seed, ROLLED, options).play(60)
        found |= check(story.seat_players().play(60))
    assert found >= {f"{game}.{kind}" for kind in kinds}


@pytest.mark.parametrize(("game", "options", "kinds"), LIVES)
def test_so_can_the_draws_of_lines_that_were_left_and_of_several_runs(
    game: str, options: dict[str, Any], kinds: set[str]
) -> None:
    for seed in range(2):
        story = MatchBuilder(game, seed, ROLLED, options).seat_players().play(15)
        for _ in range(4):
            to = story.random.randint(1, story.match.version - 1)
            if not story.take_back(to):
                story.tell(
                    raise_dispute(story.match, story.match.seats[0], 1, "?", story.command_context)
                )
                words = (story.match, Verdict(story.match.version, "back", ()), to)
                story.tell(revert(*words, story.command_context, story.version_lookup, story.seeds))
            story.start_again().play(10)
        over(story)
        story.take_back(story.random.randint(1, story.match.version - 1), REFEREE)
        check(story.play(5))


DISPLACING = (
    "ga1 proving-ground - R1 south south:4:0:0:-;north:4:0:0:-"
    " s1=ossuary-hulk@e7:125;n1=horned-blight@e7:60 - - - - - *"
)
"""Where an attack may displace at random."""


def test_a_random_displacement_can_be_rolled_again() -> None:
    rules = GAMES["golem-arcana"]
    kinds: set[str] = set()
    for seed in range(12):
        chosen = {"scenario": "proving-ground"}
        story = MatchBuilder("golem-arcana", seed, ROLLED, chosen, DISPLACING)
        story.play_this(rules.read_action("attack s1 bone-flail n1"))
        kinds |= check(story)
    assert "golem-arcana.die" in kinds


def test_the_cards_of_the_page_are_those_of_the_packs() -> None:
    pack = msgspec.convert({}, GAMES["res-arcana"].options).pack
    for what in ("monuments", "mages", "artifacts"):
        assert IDS[what] == sorted(getattr(pack, what))
    for place in pack.places.values():
        assert place.id in IDS[f"tile {place.tile}"]
    scenarios = [each for each in CORE.scenarios.values() if each.encounters or each.quests]
    assert {name.split("`")[1] for name in IDS if name.startswith("`")} == {
        each.id for each in scenarios
    }
    for scenario in scenarios:
        quests = [str(number) for number in range(1, len(scenario.quests) + 1)]
        assert IDS[f"`{scenario.id}`, quests"] == quests
        for encounter in scenario.encounters:
            assert IDS[f"`{scenario.id}`, `{encounter.id}`"] == [*encounter.candidates]
