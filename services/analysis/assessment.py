"""The assessment of one event in a search process: win probabilities, and better actions.

The value of the played action does not come from the search that chose a better one, which visited
the better one far more. Both positions are evaluated alike, with the same budget and the same
random numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from domain.bots.evaluation import win_chances
from domain.bots.levels import Level
from domain.bots.player import Choice, choose_action
from domain.kernel.any_game import fold
from domain.kernel.game import AnyGame, ResolvedAction
from domain.kernel.rulings import Accepted, Refused, Ruling, explain
from domain.match.information_states import read_information_state
from domain.registry import GAMES
from services.bots import search_process

Kind = Literal["", "inaccuracy", "mistake", "blunder"]
KINDS: Final[tuple[tuple[float, Kind], ...]] = (
    (0.25, "blunder"),
    (0.12, "mistake"),
    (0.06, "inaccuracy"),
)
"""Kinds of mistakes, with the least drop of the win probability for each."""
MAX_ALTERNATIVES: Final = 2
"""Maximum number of better actions whose positions are evaluated."""
MAX_REASONS: Final = 4
MAX_VARIATION_LENGTH: Final = 8


class AssessmentRequest(Struct, frozen=True):
    """A request to assess an event."""

    game: str
    shape: str
    viewer: str
    """The viewer of the assessment."""
    after: bytes
    """The state after the event as the viewer may know it, in JSON."""
    nodes: int
    seed: bytes
    seat: str = ""
    """The seat that acted; empty if no better actions are requested."""
    action: str = ""
    before: bytes = b""
    """The state before the event as the acting seat could know it, in JSON."""
    until: float | None = None
    ended: Mapping[str, float] = {}
    """Each seat's share of the win if the event ended the match, which a state may not show."""


class HintRequest(Struct, frozen=True):
    """A request for the best actions of a seat that is to act."""

    game: str
    shape: str
    state: bytes
    """The state as the seat may know it, in JSON."""
    seat: str
    nodes: int
    seed: bytes
    until: float | None = None


class SuggestedAction(Struct, frozen=True):
    """An action that a bot suggests."""

    action: str
    sentence: str
    win_probability: float
    variation: tuple[str, ...]
    """Actions that may follow, the suggested one first."""
    reasons: tuple[str, ...]
    """Consequences that the action taken did not have, with the rules that they follow from."""


class Assessment(Struct, frozen=True):
    """The assessment of an event."""

    chances: Mapping[str, float]
    """The win probability of each seat after the event."""
    taken: float = 0.0
    """The win probability of the acting seat after the action taken."""
    best: float = 0.0
    """The win probability of the acting seat after the best action found."""
    better: tuple[SuggestedAction, ...] = ()
    reply: str = ""
    """The opponent's best reply to a mistake, in words."""

    @property
    def kind(self) -> Kind:
        """The kind of mistake that the action was; empty if it was none."""
        return kind_of(self.best - self.taken)


def kind_of(drop: float) -> Kind:
    """Return the name for a drop of the win probability.

    >>> kind_of(0.3), kind_of(0.01)
    ('blunder', '')
    """
    return next((kind for least, kind in KINDS if drop >= least), "")


def assess(question: bytes) -> bytes:
    """Assess the event of a request."""
    event = msgspec.msgpack.decode(question, type=AssessmentRequest)
    game, stop = GAMES[event.game], search_process.stop_condition(event.until)
    chances = event.ended
    if not chances:
        after = read_information_state(game, event.after, event.shape, search_process.library())
        chances = win_chances(game, after, event.viewer, event.nodes, event.seed, stop)
    assessed = Assessment(chances)
    if event.action:
        assessed = _compare(game, event, chances, stop)
    return msgspec.msgpack.encode(assessed)


def hint(question: bytes) -> bytes:
    """Return the best actions of a seat, the best first."""
    asked = msgspec.msgpack.decode(question, type=HintRequest)
    game, stop = GAMES[asked.game], search_process.stop_condition(asked.until)
    known = read_information_state(game, asked.state, asked.shape, search_process.library())
    level = Level("coach", 0, "Gives hints.", asked.nodes)
    choice = choose_action(game, known, asked.seat, level, asked.seed, stop=stop)
    nothing = Accepted[Any](())
    suggestions = []
    for each in choice.alternatives[:MAX_ALTERNATIVES]:
        outcome = _resolve(game, known, asked.seat, each.action)
        assert outcome is not None, "a bot's choice is legal"
        chance = each.win_chance
        suggestions.append(
            _suggestion(game, known, asked.seat, each.action, outcome, nothing, chance, choice)
        )
    return msgspec.msgpack.encode(suggestions)


def _compare(
    game: AnyGame, event: AssessmentRequest, chances: Mapping[str, float], stop: Callable[[], bool]
) -> Assessment:
    """Compare the played action with the best alternatives."""
    known = read_information_state(game, event.before, event.shape, search_process.library())
    taken = game.read_action(event.action)
    done = None if isinstance(taken, Refused) else _resolve(game, known, event.seat, taken)
    if done is None or not any(prompt.seat == event.seat for prompt in game.turn(known)):
        return Assessment(chances)
    level = Level("coach", 0, "Looks back.", event.nodes)
    choice = choose_action(game, known, event.seat, level, event.seed, stop=stop)

    def judged(outcome: Accepted[Any]) -> float:
        state = fold(game, known, outcome.facts)
        found = win_chances(game, state, event.seat, event.nodes, event.seed, stop)
        return found.get(event.seat, 0.5)

    worth, found = judged(done), []
    for action in _alternatives(game, choice, event.action):
        outcome = _resolve(game, known, event.seat, action)
        if outcome is not None and (chance := judged(outcome)) > worth:
            found.append(
                _suggestion(game, known, event.seat, action, outcome, done, chance, choice)
            )
    found.sort(key=lambda each: -each.win_probability)
    best = found[0].win_probability if found else worth
    found = [each for each in found if kind_of(each.win_probability - worth)]
    reply = _reply(game, fold(game, known, done.facts), level, event.seed, stop) if found else ""
    return Assessment(chances, worth, best, tuple(found), reply)


def _reply(game: AnyGame, state: Any, level: Level, seed: bytes, stop: Callable[[], bool]) -> str:
    """Describe the best reply to a mistake; return "" if that would reveal hidden information."""
    prompts = game.turn(state)
    if (
        game.has_hidden_information
        or game.result(state) is not None
        or not prompts
        or prompts[0].is_chance
    ):
        return ""
    seat = prompts[0].seat
    action = choose_action(game, state, seat, level, seed, stop=stop).action
    outcome = _resolve(game, state, seat, action)
    assert outcome is not None, "a bot's choice is legal"
    resolved = ResolvedAction(seat, action, outcome.facts, outcome.rulings)
    return game.narrate(state, resolved, fold(game, state, outcome.facts)).outcome


def _alternatives(game: AnyGame, choice: Choice, taken: str) -> Sequence[Any]:
    """Return the actions that the search valued above the played one."""
    actions = [each.action for each in choice.alternatives]
    written = [game.write_action(action) for action in actions]
    ahead = written.index(taken) if taken in written else len(written)
    return actions[: min(ahead, MAX_ALTERNATIVES)]


def _resolve(game: AnyGame, known: Any, seat: str, action: Any) -> Accepted[Any] | None:
    outcome = game.decide(known, seat, action)
    return None if isinstance(outcome, Refused) else outcome


def _suggestion(
    game: AnyGame,
    known: Any,
    seat: str,
    action: Any,
    outcome: Accepted[Any],
    done: Accepted[Any],
    chance: float,
    choice: Choice,
) -> SuggestedAction:
    after = fold(game, known, outcome.facts)
    narration = game.narrate(
        known, ResolvedAction(seat, action, outcome.facts, outcome.rulings), after
    )
    follows = action == choice.action
    line = choice.line[:MAX_VARIATION_LENGTH] if follows else (action,)
    return SuggestedAction(
        action=game.write_action(action),
        sentence=narration.outcome,
        win_probability=chance,
        variation=tuple(map(game.write_action, line)),
        reasons=_reasons(game, known, after, narration.facts, outcome, done),
    )


def _reasons(
    game: AnyGame,
    known: Any,
    after: Any,
    sentences: Sequence[str],
    outcome: Accepted[Any],
    done: Accepted[Any],
) -> tuple[str, ...]:
    """Return facts and rulings of the better action that the played one lacks."""
    same = {msgspec.json.encode(fact) for fact in map(_fact_key, done.facts)}
    reasons = [
        sentence
        for fact, sentence in zip(outcome.facts, sentences, strict=False)
        if sentence and msgspec.json.encode(_fact_key(fact)) not in same
    ]
    cited = {_ruling_key(ruling) for ruling in done.rulings}
    for ruling in outcome.rulings:
        if _ruling_key(ruling) not in cited:
            said = game.figures_in_words(known, ruling.figures, after)
            reasons += [explain(game.rules[ruling.rules[0]], said)]
    return tuple(dict.fromkeys(reasons))[:MAX_REASONS]


def _fact_key(fact: Any) -> Any:
    return msgspec.to_builtins(fact, enc_hook=str)


def _ruling_key(ruling: Ruling) -> tuple[Any, ...]:
    return (*ruling.rules, *sorted(ruling.figures.items()))
