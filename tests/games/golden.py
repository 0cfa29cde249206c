"""Golden files of sentences: one example of everything that a game says.

`GOLDEN=write pytest tests/games/<package>/test_sentences.py` writes the file anew.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from domain.conformance.vectors import read_vector
from domain.kernel.any_game import fold
from domain.kernel.game import REFEREE, AnyGame, ResolvedAction
from domain.kernel.narration import Narration
from domain.kernel.rulings import Refused, explain
from services.cli.recorded_games import read_recorded

HERE: Final = Path(__file__).parent


class ResolvedStep(NamedTuple):
    """One action of a match, and what was said of it."""

    before: Any
    done: ResolvedAction[Any, Any]
    narration: Narration
    after: Any


def moments(game: AnyGame) -> Iterator[ResolvedStep]:
    """Every action of the game's vectors and of its recorded game, as the referee sees it."""
    for state, steps in _matches(game):
        for seat, text in steps:
            action = game.read_action(text)
            accepted = game.decide(state, seat, action)
            assert not isinstance(accepted, Refused), (text, accepted)
            after = fold(game, state, accepted.facts)
            done = ResolvedAction(seat, action, accepted.facts, accepted.rulings)
            yield ResolvedStep(
                state, done, game.narrate(state, game.redact(done, REFEREE), after), after
            )
            state = after


def _matches(game: AnyGame) -> Iterator[tuple[Any, list[tuple[str, str]]]]:
    """First states, and who does what."""
    package = HERE / game.slug.replace("-", "_")
    for line in (package / "vectors.jsonl").read_bytes().splitlines():
        vector = read_vector(line)
        options = msgspec.convert(vector.options, game.options)
        at = vector.start
        start = game.start(options) if at is None else game.read_position(at, options)
        yield start, [(step.by, step.do) for step in vector.steps]
    demo = read_recorded(game.slug)
    yield game.start(msgspec.convert(demo.options, game.options)), list(demo.actions)


def book(game: AnyGame) -> str:
    """An example of each prompt, action, outcome, fact and ruling, the first that comes."""
    pages: dict[str, dict[str, str]] = {
        "captions": {}, "actions": {}, "outcomes": {}, "facts": {}, "rulings": {}
    }  # fmt: skip
    for before, done, narration, after in moments(game):
        verb = game.parts(before, done.action).verb
        for state in (before, after):
            pages["captions"].setdefault(_asked(game, state), game.caption(state, REFEREE))
        pages["actions"].setdefault(verb, game.parts(before, done.action).sentence)
        kinds = list(dict.fromkeys(_tag(fact) for fact in done.facts))
        pages["outcomes"].setdefault(f"{verb}: {' '.join(kinds)}", narration.outcome)
        for fact, sentence in zip(done.facts, narration.facts, strict=True):
            pages["facts"].setdefault(_tag(fact), sentence or "-")
        for ruling in done.rulings:
            said = game.figures_in_words(before, ruling.figures, after)
            for rule in ruling.rules:
                pages["rulings"].setdefault(rule, explain(game.rules[rule], said))
    return "\n".join(_page(name, page) for name, page in pages.items())


def _asked(game: AnyGame, state: Any) -> str:
    ended = game.result(state)
    if ended is not None:
        return f"{ended.reason}: {ended.score}"
    asked = [f"{prompt.seat} {prompt.expected_action}" for prompt in game.turn(state)]
    return " ".join([*asked, *game.scene(state, REFEREE).attributes])


def _tag(fact: Any) -> str:
    tag = str(type(fact).__struct_config__.tag)
    return tag.rpartition(".")[2]


def _page(name: str, page: dict[str, str]) -> str:
    lines = (f"{key}\n    {sentence}" for key, sentence in sorted(page.items()))
    return "\n".join([f"== {name} ==", "", *lines, ""])


def assert_golden(path: Path, text: str) -> None:
    """The file says this, or is written so that it does."""
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    assert path.read_text() == text
