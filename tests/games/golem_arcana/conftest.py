"""A table to play at, in notation, on the board where every terrain is: `proving-ground`."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from domain.games.golem_arcana import GAME
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.packs import CORE
from domain.games.golem_arcana.facts import Fact
from domain.games.golem_arcana.options import Options
from domain.games.golem_arcana.state import State
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.rulings import Accepted, Figures, Refused, Ruling


def narrated(
    before: State, seat: str, action: Any, answer: Accepted[Fact], viewer: str = REFEREE
) -> Narration:
    """Return the narration of an accepted action."""
    done = GAME.redact(ResolvedAction(seat, action, answer.facts, answer.rulings), viewer)
    after = fold(GAME, before, answer.facts)
    return GAME.narrate(
        GAME.information_state(before, viewer), done, GAME.information_state(after, viewer)
    )


class Table:
    """A battle in progress. Actions are those of the seat that is to act, unless `by` says."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: tuple[Fact, ...] = ()
        self.rulings: tuple[Ruling, ...] = ()

    @property
    def asked(self) -> str:
        """The seat that is to act."""
        return GAME.turn(self.state)[0].seat

    @property
    def position(self) -> str:
        return GAME.write_position(self.state)

    def field(self, number: int) -> str:
        """A field of the position, from 1 as the reference counts."""
        return self.position.split(" ")[number - 1]

    def unit(self, name: str) -> str:
        """How the position writes a unit; empty if it is gone."""
        units = ";".join((self.field(7), self.field(8))).split(";")
        return next((unit.partition("=")[2] for unit in units if unit.startswith(f"{name}=")), "")

    def purse(self, seat: str) -> tuple[int, int, int]:
        """Action Points, Mana, Victory Points of a seat."""
        has = next(purse for name, purse in self.state.seats.items() if name == seat)
        return has.ap, has.mana, has.vp

    def do(self, *actions: str, by: str | None = None) -> "Table":
        """Take these actions, one after the other."""
        for text in actions:
            answer = self._judge(text, by)
            assert isinstance(answer, Accepted), f"{text} in {self.position}: {answer}"
            self.facts, self.rulings = answer.facts, answer.rulings
            self.state = fold(GAME, self.state, answer.facts)
        return self

    def narrate(self, text: str, viewer: str = REFEREE) -> Narration:
        """Take an action, and return its narration."""
        before, seat = self.state, self.asked
        self.do(text)
        answer = Accepted(self.facts, self.rulings)
        return narrated(before, seat, GAME.read_action(text), answer, viewer)

    def refused(self, text: str, by: str | None = None) -> str:
        """The rule that forbids an action."""
        answer = self._judge(text, by)
        assert isinstance(answer, Refused), f"{text} is accepted in {self.position}"
        assert answer.why
        return answer.rule

    def _judge(self, text: str, by: str | None) -> Accepted[Fact] | Refused:
        action = GAME.read_action(text)
        if isinstance(action, Refused):
            return action
        over = self.state.outcome is not None
        return GAME.decide(self.state, by or ("south" if over else self.asked), action)

    def legal(self, beginning: str = "") -> list[str]:
        """What the seat to act may do, sorted, of what begins so."""
        texts = [GAME.write_action(action) for action in GAME.legal(self.state, self.asked)]
        return sorted(text for text in texts if text.startswith(beginning))

    def figures(self, rule: str) -> Figures:
        """The figures of the first ruling of the last action that cites a rule."""
        found = [ruling.figures for ruling in self.rulings if rule in ruling.rules]
        assert found, f"{rule} is not among {[ruling.rules for ruling in self.rulings]}"
        return found[0]


@pytest.fixture
def at() -> Callable[..., Table]:
    """Set a battle up: `at("s1=sand-lion@a9:50;n1=...")`, South to move with 6 Action Points."""

    def set_up(
        golems: str,
        *,
        scenario: str = "proving-ground",
        options: str = "-",
        rounds: int = 1,
        turn: str = "south",
        seats: str = "south:6:0:0:-;north:0:0:0:-",
        constructs: str = "-",
        wells: str = "-",
        powers: str = "-",
        secrets: str = "-",
        todo: str = "-",
        pack: Pack = CORE,
    ) -> Table:
        text = (
            f"ga1 {scenario} {options} R{rounds} {turn} {seats} {golems} {constructs} {wells} "
            f"{powers} {secrets} {todo} *"
        )
        return Table(GAME.read_position(text, Options(scenario=scenario, pack=pack)))

    return set_up


@pytest.fixture
def start() -> Callable[..., Table]:
    """Begin a match with these options."""

    def begin(**options: object) -> Table:
        chosen = {name.replace("_", "-"): value for name, value in options.items()}
        return Table(GAME.start(msgspec.convert(chosen, Options)))

    return begin


@pytest.fixture
def table() -> Callable[[State], Table]:
    """A table with any state."""
    return Table
