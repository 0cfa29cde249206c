"""Hidden information of Golem Arcana, listed independently: encounters and quests of others."""

from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.games.golem_arcana.actions import EnterHiding, EnterQuest
from domain.games.golem_arcana.battle.battle import Battle
from domain.games.golem_arcana.content.pack_reading import read_pack
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import DealtQuest, HiddenEncounter, State

STEPS = 50
DUSK = Path(__file__).with_name("dusk.scenario.toml")
"""A scenario of three seats in which much is hidden: it is added to the game's own pack."""


def options() -> tuple[Options, ...]:
    """What to play."""
    return Options(scenario="night-of-embers"), Options(scenario="dusk", pack=read_pack(*_files()))


def write_pack(folder: Path) -> None:
    """Put the pack of the dusk into a folder, for a service."""
    for kind, content in zip(("content", "boards"), _files(), strict=True):
        (folder / f"dusk.{kind}.toml").write_bytes(content)


def _files() -> tuple[bytes, bytes]:
    folder = files("domain.games.golem_arcana.content")
    content, boards = (
        folder.joinpath(f"eretsu-core.{kind}.toml").read_bytes() for kind in ("content", "boards")
    )
    return content, boards + DUSK.read_bytes()


def twin(state: State, viewer: str, random: Random) -> State:
    """A state that differs from this one only in what the viewer may not see."""
    scenario = Battle(state).scenario
    taken = {each.where for each in state.encounters.values() if each.triggered}
    encounters = dict(state.encounters)
    for card in scenario.encounters:
        if card.id in encounters and not encounters[card.id].triggered:
            free = [region for region in card.candidates if region not in taken]
            encounters[card.id] = HiddenEncounter(random.choice(free))
            taken.add(encounters[card.id].where)
    unknown = [s for s, dealt in state.quests.items() if not dealt.fulfilled and s != viewer]
    known = {dealt.number for s, dealt in state.quests.items() if s not in unknown}
    loose = [n for n in range(1, len(scenario.quests) + 1) if n not in known]
    random.shuffle(loose)
    quests = {s: DealtQuest(loose.pop()) if s in unknown else d for s, d in state.quests.items()}
    return replace(state, encounters=encounters, quests=quests)


def open_part(state: State, viewer: str) -> Any:
    """All that the viewer may see: it is equal for two states if these are twins."""
    quests = [
        (seat, dealt if dealt.fulfilled or seat == viewer else "unknown")
        for seat, dealt in state.quests.items()
    ]
    met = [(name, each) for name, each in state.encounters.items() if each.triggered]
    return replace(state, quests={}, encounters={}), quests, met


def open_facts(facts: tuple[Any, ...], viewer: str) -> list[Any]:
    """Events that the viewer sees and no later state shows: there are none."""
    del facts, viewer
    return []


def secret(state: State, seat: str, action: Any, viewer: str) -> bool:
    """May the viewer not know which of several such actions this is?"""
    del state
    return isinstance(action, EnterHiding) or (isinstance(action, EnterQuest) and seat != viewer)


def livelier(state: State, random: Random) -> State:
    """A state in which more is about to happen: a rival rich enough for its quest, Golems near to
    where encounters may lie."""
    if not state.golems or state.todo or random.random() < 0.4:
        return state
    seats = {
        seat: replace(purse, mana=random.choice((purse.mana, 11, 12)), ap=max(purse.ap, 2))
        for seat, purse in state.seats.items()
    }
    names = random.sample([*state.golems], min(3, len(state.golems)))
    hurt = {
        name: replace(golem, hp=random.choice((golem.hp, 1)) if name in names else golem.hp)
        for name, golem in state.golems.items()
    }
    return replace(state, seats=seats, golems=hurt)
