"""Content packs of Golem Arcana drawn at random: everything that the vocabulary can say.

Values are drawn from the types of the content itself, so a new word of the vocabulary is drawn
without a change here. A card that the check of packs refuses is drawn again, so everything that the
check accepts can be drawn.
"""

from random import Random
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from bench.drawing import Drawing, Table, written
from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.battle.sides import teams_of
from domain.games.golem_arcana.content.cards import (
    SEATS,
    AncientCard,
    Encounter,
    GolemCard,
    KnightCard,
    Location,
    RelicCard,
    SecretQuest,
    Well,
)
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.pack_reading import PackError, read_pack
from domain.games.golem_arcana.state import HiddenEncounter, State, Variants
from domain.kernel.notation_error import NotationError

SIZES: Final = ("warsprite", "ogre", "titan", "colossus")
TERRAIN: Final = [
    *["P"] * 8,
    *["Pg", "Pm", "E", "Eg", "Em", "B", "S", "D", "X", "W", "O1", "O2", "O3"],
]
TRIES: Final = 60
"""Draws of a card before the pack does without it."""


# --- packs ---------------------------------------------------------------------------------------


class Drawn:
    """A pack in progress: its tables, and the cards that passed the check."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.drawing = Drawing(chance, {"id": self._id, "source": lambda: "house"})
        self._ids = 0
        self.factions = ["faction-1", "faction-2"]
        self.content: Table = {
            "pack": {"id": "drawn", "version": "1"},
            **self._tables(),
            "faction": [self._faction(name) for name in self.factions],
            **{kind: [] for kind in ("golem", "knight", "relic", "ancient")},
        }
        self.drawing.named |= {
            "arcanum": lambda: "stone",
            "factions": lambda: self.factions,
            "rulebook": list,
            "house": list,
        }
        self.content["golem"] = [self._plain_golem()]
        kinds = (("golem", GolemCard, 4), ("knight", KnightCard, 3))
        for name, kind, most in (*kinds, ("relic", RelicCard, 4), ("ancient", AncientCard, 2)):
            for _ in range(chance.randint(1, most)):
                self._add(name, kind)

    def _id(self) -> str:
        self._ids += 1
        return f"x{self._ids}"

    def _faction(self, name: str) -> Table:
        return {"id": name, "name": "F", "source": "house", "arcana": ["stone"]}

    def _plain_golem(self) -> Table:
        """Return a Golem that can walk and strike, so that something happens in every battle."""
        walk = {"id": "walk", "name": "Walk", "class": "walk", "ap": 1, "mp": 3}
        strike = {"id": "strike", "name": "Strike", "class": "attack", "mode": "melee", "ap": 1}
        return {
            "id": "plain", "name": "Plain", "arcanum": "stone", "size": "warsprite", "apv": 10,
            "hp": 20, "armor": 0, "dodge": 0, "source": "house",
            "ability": [walk, {**strike, "accuracy": 70, "damage": 8}],
        }  # fmt: skip

    def _tables(self) -> Table:
        draw = self.chance.randint
        cover = {
            kind: {size: draw(0, 50) for size in SIZES}
            for kind in ("ground", "shallow", "medium", "deep", "pit", "heavy")
        }
        costs = "plain ground medium elevated obstructed shallow deep pit swamp"
        return {
            "base_size": {size: draw(1, 2 + n) for n, size in enumerate(SIZES)},
            "capacity": {"region": draw(1, 6)},
            "ap_pool": {"100": draw(1, 12)},
            "walk_cost": {kind: draw(1, 3) for kind in costs.split()},
            "cover": cover,
            "kill_vp": {kind: draw(0, 6) for kind in (*SIZES, "construct")},
        }

    def _add(self, kind: str, card: Any) -> None:
        """Add a card that is sound, if one of `TRIES` draws is."""
        for _ in range(TRIES):
            entry = self.drawing.table(card)
            if kind == "golem":
                entry["hp"] = self.chance.choice((1, 5, 12, 30, entry["hp"]))
            if kind == "relic" and "construct" in entry:
                entry["charges"] = 1
            trial = {**self.content, kind: [entry]}
            if kind == "golem":
                trial["golem"] = [*self.content["golem"], entry]
            if self._sound(trial):
                self.content[kind].append(entry)
                return

    def _sound(self, content: Table, boards: Table | None = None) -> Pack | None:
        try:
            return read_pack(written(content), written(boards or {}))
        except PackError:
            return None

    def pack(self) -> Pack:
        """Return the pack with a sound scenario."""
        for _ in range(TRIES):
            scenario = Boards(self.chance, self.content).scenario()
            found = self._sound(self.content, {"scenario": [scenario]})
            if found is not None:
                return found
        raise AssertionError("no sound scenario was drawn")


class Boards:
    """A random scenario for the cards of a pack."""

    def __init__(self, chance: Random, content: Table) -> None:
        self.chance = chance
        self.content = content
        self.width, self.height = chance.randint(1, 5), chance.randint(2, 5)
        self.seats = chance.sample(SEATS, chance.choice((2, 2, 2, 3, 4)))
        self.room: dict[str, int] = {}
        self._ids = 0
        self.drawing = Drawing(
            chance,
            {
                "id": self._id,
                "regions": self._regions,
                "candidates": self._regions,
                "at": self._region,
            },
        )

    def _id(self) -> str:
        self._ids += 1
        return f"y{self._ids}"

    def _region(self) -> str:
        return f"{'abcde'[self.chance.randrange(self.width)]}{self.chance.randint(1, self.height)}"

    def _regions(self) -> list[str]:
        return [self._region() for _ in range(self.chance.randint(1, 4))]

    def scenario(self) -> Table:
        """Return a scenario, which may still fail the check of packs."""
        chance = self.chance
        build = chance.random() < 0.3
        rows = [chance.choices(TERRAIN, k=self.width) for _ in range(self.height)]
        self.room = {
            f"{'abcde'[x]}{self.height - y}": self._room(letters)
            for y, row in enumerate(rows)
            for x, letters in enumerate(row)
        }
        everything = f"a1:{'abcde'[self.width - 1]}{self.height}"
        scenario: Table = {
            "id": "field", "name": "Field", "about": "", "source": "house", "apv": 100,
            "seats": self.seats, "build": build, "rounds": chance.choice((1, 3, 6, 9)),
            "elimination": chance.choice(("win", "vp", "continue")),
            "grid": [" ".join(row) for row in rows],
            "zone": {seat: [chance.choice((everything, self._region()))] for seat in self.seats},
            "start_vp": {seat: chance.randint(0, 3) for seat in self.seats},
        }  # fmt: skip
        for name, kind, most in (("wells", Well, 2), ("location", Location, 2)):
            scenario[name] = [self.drawing.table(kind) for _ in range(chance.randint(0, most))]
        scenario["encounter"] = [self._encounter() for _ in range(chance.randint(0, 4))]
        if chance.random() < 0.4:
            quests = range(len(self.seats) + chance.randint(0, 2))
            scenario["quest"] = [self.drawing.table(SecretQuest) for _ in quests]
        for name, values in (
            ("vp_target", (3, 10, 40)),
            ("ap", (1, 4, 9, 30)),
            ("mana_percent", (0, 50, 100)),
        ):
            if chance.random() < 0.3:
                scenario[name] = chance.choice(values)
        if chance.random() < 0.4:
            rest = {"max": chance.randint(0, 3), "round": chance.randint(0, 3)}
            scenario["reserve"] = {**rest, "ap": chance.randint(0, 2)}
        if not build:
            scenario["army"] = {seat: self._army() for seat in self.seats}
        return scenario

    def _encounter(self) -> Table:
        """Return an encounter with either effects or choices, as the check requires."""
        drawn = self.drawing.table(Encounter)
        kept = "effects" if self.chance.random() < 0.5 else "choices"
        return {key: drawn[key] for key in ("id", "name", "candidates", kept) if key in drawn}

    def _army(self) -> Table:
        chance = self.chance
        golems = []
        for _ in range(chance.randint(1, 4)):
            golem = {"type": self._one("golem")}
            golem |= {kind: self._one(kind) for kind in ("knight", "relic")
                      if self.content[kind] and chance.random() < 0.6}  # fmt: skip
            place = self._place(golem["type"])
            golem |= {"at": place} if place else {}
            golems.append(golem)
        ancients = [each["id"] for each in self.content["ancient"] if chance.random() < 0.7]
        return {"faction": "faction-1", "golems": golems, "ancients": ancients}

    def _place(self, golem: str) -> str | None:
        """Return a random Region with room for one more Golem, or None."""
        size = next(each["size"] for each in self.content["golem"] if each["id"] == golem)
        need = self.content["base_size"][size]
        for region in self._regions():
            if self.room.setdefault(region, 0) >= need:
                self.room[region] -= need
                return region
        return None

    def _room(self, letters: str) -> int:
        """Return the total of Base Sizes that fit on this terrain."""
        capacity: int = self.content["capacity"]["region"]
        return 0 if letters == "B" else capacity - (int(letters[1]) if letters[0] == "O" else 0)

    def _one(self, kind: str) -> str:
        found: str = self.chance.choice(self.content[kind])["id"]
        return found


# --- matches -------------------------------------------------------------------------------------


def draw_pack(chance: Random) -> Pack:
    """Return a random pack with one scenario, `field`."""
    return Drawn(chance).pack()


def draw_options(chance: Random, pack: Pack) -> Any:
    """Return random options of a match with this pack: readings of the rules, and teams."""
    schema = msgspec.json.schema(Variants)["$defs"]["Variants"]["properties"]
    possible = {name: each["enum"] for name, each in schema.items()}
    possible["teams"] = teams_of(pack.scenarios["field"].seats)
    readings = {
        name: chance.choice(values) for name, values in possible.items() if chance.random() < 0.3
    }
    return msgspec.convert({"pack": pack, "scenario": "field", **readings}, GAME.options)


def draw_start(chance: Random, options: Any) -> State:
    """Return the first state of a match with these options, or a random position of it."""
    state = GAME.start(options)
    if chance.random() < 0.4:
        return state
    for _ in range(12):
        try:
            return GAME.read_position(GAME.write_position(_scattered(chance, state)), options)
        except NotationError:
            continue
    return state


def _scattered(chance: Random, state: State) -> State:
    """Return a position with Golems anywhere, hurt and crowded.

    Encounters lie where they may, even two in one Region.
    """
    pack = state.pack
    board, scenario = pack.board(state.scenario), pack.scenarios[state.scenario]
    few = chance.sample(board.regions, min(len(board.regions), chance.randint(1, 3)))
    first = chance.choice([*state.seats])
    golems = {
        name: replace(golem, where=chance.choice(few), hp=chance.randint(1, min(golem.hp, 15)))
        for name, golem in state.golems.items()
        if chance.random() < 0.8
    }
    seats = {
        seat: replace(purse, ap=chance.randint(0, 30) * (seat == first), mana=_mana(chance))
        for seat, purse in state.seats.items()
    }
    hidden = {
        each.id: HiddenEncounter(_lair(chance, each.candidates, few))
        for each in scenario.encounters
    }
    return replace(
        state, round=1, turn=first, todo=(), golems=golems, seats=seats, encounters=hidden
    )


def _mana(chance: Random) -> int:
    return chance.choice((0, 5, 40, 9999))


def _lair(chance: Random, candidates: tuple[str, ...], few: list[str]) -> str:
    """Return a Region with Golems where the encounter may lie, or any of its candidates."""
    return chance.choice([each for each in candidates if each in few] or list(candidates))
