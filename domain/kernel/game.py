"""The contract that every game keeps.

A game is a pure decider: a handful of total functions over immutable values, bundled as a `Game`.
It rolls no dice and reads no clock: chance reaches it as *entry* actions, like any other action.

The functions are in a few groups: a game of perfect information, without dice or cards, states
`Words`, `Rules`, `Notation` and `Display`, and that it is `OPEN`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from domain.kernel.armies import AnyArmies, SideStatus
from domain.kernel.chance import RandomBelow
from domain.kernel.narration import Narration
from domain.kernel.packs import PackType
from domain.kernel.parts import Group, Parts
from domain.kernel.rulings import Accepted, Figures, Refused, Rule, Ruling, figures_by_name
from domain.kernel.scene import Scene, Side
from domain.kernel.theme import DEFAULT_THEME, Theme

SPECTATOR: Final = "spectator"
REFEREE: Final = "referee"

O = TypeVar("O")  # noqa: E741  options, state, action, fact: the letters used all through
S = TypeVar("S")
A = TypeVar("A")
F = TypeVar("F")


class VectorMismatch(Struct, frozen=True):
    """Where a game differs from what a conformance vector says."""

    what: str
    expected: str
    got: str


class Prompt(Struct, frozen=True, omit_defaults=True):
    """A seat that may act now, and what the game expects of it."""

    seat: str
    expected_action: str
    """What is expected, in the game's words: `turn`, `dice`, `place`."""
    is_chance: bool = False
    """The action is an entry: what dice or a shuffle showed, all legal entries equally likely."""
    is_face_down: bool = False
    """An entry that is dealt face down: what may be answered would tell the seat what others hold.
    So the service makes it, whoever makes the other entries."""


class Result(Struct, frozen=True):
    """How a game ended."""

    winners: tuple[str, ...]
    """The seats that won; none in a draw without winners, several in a shared victory."""
    reason: str
    """The game's word for how: `capture`, `resign`."""
    score: str
    """As the game's notation writes it: `1-0`."""


class ResolvedAction(Struct, Generic[A, F], frozen=True):
    """What one action did: the part of an event that may need veiling."""

    seat: str
    action: A
    """None where a seat gave up: `ResignationRules.forfeit` tells the facts of that."""
    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()


class ScoreNotation(Struct, Generic[S, A], frozen=True):
    """A notation for people, where the rulebook has one beside the machine's."""

    writer: Callable[[S], Callable[[A], str]]
    """Writes actions that are legal in this state, as many as are wanted: what it needs to know of
    all of them (how they are told apart) it works out once."""
    read: Callable[[S, str], A | Refused]
    """The one legal action that a text means."""
    record: Callable[[S, Iterable[A]], str]
    """A whole match, from its first state and its actions."""

    def write(self, state: S, action: A) -> str:
        """One action, as it is written in this state (before it is taken)."""
        return self.writer(state)(action)


class DrawOffers(Struct, Generic[A], frozen=True):
    """The actions by which a seat offers a draw and answers an offer."""

    offer: Callable[[str], A]
    answer: Callable[[str, bool], A]


class PerfectInformation(Struct, frozen=True):
    """The game hides nothing from anybody."""


PERFECT_INFORMATION: Final = PerfectInformation()


def no_redaction(happening: ResolvedAction[A, F], viewer: str) -> ResolvedAction[A, F]:
    """The veil of a game of perfect information: everybody sees everything."""
    del viewer
    return happening


def _no_secrets(notation: "Notation[O, S, A]") -> "Secrets[O, S, A, F]":
    return Secrets(
        redact=no_redaction,
        information_state=lambda state, _: state,
        sample_state=lambda known, *_: known,
        reveals=_never,
        deals_face_down=_never,
        write_view=lambda state, _: notation.write_position(state),
    )


def _never(_: Any) -> bool:
    return False


def _never_probes(_: Any, __: Any) -> bool:
    return False


def _no_id_changes(_: Any) -> Mapping[str, str]:
    return {}


def _figures_by_name(_: Any, figures: Figures, __: Any) -> tuple[str, ...]:
    return figures_by_name(figures)


def _no_rulings(_: Any) -> tuple[Ruling, ...]:
    return ()


def _missing_caption(_: Any, __: str) -> str:
    raise AssertionError("Game.of puts the scene's caption here")


@dataclass(frozen=True, eq=False)
class Words(Generic[O, S]):
    """What a game is told in: the types of its values, and the index of its rules."""

    options: type[O]
    """A frozen Struct that forbids unknown fields. Its types, bounds and `Meta` descriptions are
    what players may choose; decoding it is the only check of options there is."""
    state: type[S]
    actions: Any
    """The union of all action types, each with a tag that begins with the slug."""
    facts: Any
    """The union of all fact types, each with a tag that begins with the slug."""
    rules: Mapping[str, Rule]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules(Generic[O, S, A, F]):
    """What may happen, and what follows from it."""

    seats: Callable[[O], tuple[str, ...]]
    start: Callable[[O], S]
    turn: Callable[[S], tuple[Prompt, ...]]
    legal: Callable[[S, str], Iterator[A]]
    """Every action that `decide` would accept from this seat, lazily, each once."""
    decide: Callable[[S, str, A], Accepted[F] | Refused]
    evolve: Callable[[S, F], S]
    result: Callable[[S], Result | None]

    opening: Callable[[O], tuple[Ruling, ...]] = _no_rulings
    """The rulings behind the starting position."""
    over: Callable[[S], Refused | None] | None = None
    """The refusal of everything that is tried after the end, and None before it: in games whose
    reference cites this rule before the spelling of what was tried. Elsewhere None, and a text is
    read before it is judged. Use `understand`."""
    groups: Callable[[S, str], Iterator[Group[A]]] | None = None
    """The actions that `legal` lists, in the same order, in groups: for a game with positions that
    have more actions than anybody wants to read. No two groups have equal parts. Making a group
    works out its first actions only."""
    consequences: Callable[[S, A], tuple[F, ...]] | None = None
    """The facts of an action that `legal` listed, without judging it again: for counting trees."""
    has_chance: bool = True
    """May the game ask for an entry of chance, as dice or a shuffle?"""
    entry_roles: tuple[str, ...] = ()
    """Who makes entries of chance without being a seat or the referee, as `table`."""
    legacy_decisions: Callable[[S, str, A], Iterator[tuple[str, Accepted[F] | Refused]]] | None = (
        None
    )
    """What earlier releases made of an action by mistakes that are known, each with the mistake in
    words. Judging again tells by it which recorded matches a mistake has hit."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ResignationRules(Generic[S, A, F]):
    """How a seat gives up, and how a draw is agreed on, where a game has words for it."""

    is_administrative: Callable[[A], bool] = _never
    """Is this action no part of play, but a resignation or an offer of a draw? Such actions are
    left out of perft counts and of random play."""
    resign: Callable[[str], A] | None = None
    """The action by which this seat gives up, where the game's notation has one; elsewhere giving
    up is an event of the match."""
    draws: DrawOffers[A] | None = None
    """The actions that offer and answer a draw, where the game's notation has them; elsewhere
    these are events of the match."""
    agreed_draws: bool = True
    """May the players agree on a draw?"""
    forfeit: Callable[[S, str], Accepted[F]] | None = None
    """What follows, and why, when a seat that is still in gives up while at least two others are:
    facts after which the game goes on without it, and asks it for nothing any more. The result is
    the game's own when only one is left. For games of three seats or more; where there is none, and
    in matches of two seats, giving up ends the match."""
    resigned_seats: Callable[[S], tuple[str, ...]] | None = None
    """The seats that gave up and are out of the game. Goes with `forfeit`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Notation(Generic[O, S, A]):
    """How positions and actions are written and read."""

    notation: str
    """How they are written, in a few lines with examples, for people."""
    write_position: Callable[[S], str]
    read_position: Callable[[str, O], S]
    """Raises NotationError for a text that is no position of this game under these options."""
    write_action: Callable[[A], str]
    read_action: Callable[[str], A | Refused]

    read_stored_position: Callable[[str, O], S] | None = None
    """Reads the first position of a stored match, however it was written and meant when it was
    stored; None where `read_position` does. Use `recall`."""
    score: ScoreNotation[S, A] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Display(Generic[S, A, F]):
    """How the game is shown to people, and pointed at by them."""

    scene: Callable[[S, str], Scene]
    """What a viewer may see: a seat, `spectator` or `referee`."""
    parts: Callable[[S, A], Parts]
    outline: Callable[[S, A], Parts] | None = None
    """The parts without their sentence, where that takes long: for whoever takes hundreds of
    actions apart. Use `outlined`."""
    """An action in the state before it."""
    narrate: Callable[[S, ResolvedAction[A, F], S], Narration]
    """What happened, in words, from the state before it and the state after it. All three are as
    the viewer may know them (`Secrets.known`, `Secrets.veil`): names of what may be hidden come
    from the happening, never from a state."""

    caption: Callable[[S, str], str] = _missing_caption
    """The caption of that scene, by itself: it is asked for far more often. Where it is not given,
    the scene is made for it."""
    piece_id_changes: Callable[[ResolvedAction[A, F]], Mapping[str, str]] = _no_id_changes
    """The ids of pieces in the scene before it that have other ids in the scene after it, with
    these: in games that call a piece by the place where it stands."""
    figures_in_words: Callable[[S, Figures, S], tuple[str, ...]] = _figures_by_name
    """The figures of a ruling or a refusal as people say them, each in a few words, without those
    that tell people nothing: for games in whose rulings there are ids, or codes of a notation. From
    the state before what they explain and the state after it, as the viewer may know them; of a
    refusal both are the state in which the action was tried."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """What each kind of action is called where people choose one of many, by its `Parts.verb`:
    `Walk off the board`."""
    sides: Mapping[str, Side] = field(default_factory=dict)
    """At which side of the board seats sit: they see it from there. Empty where it has no sides."""
    theme: Theme = DEFAULT_THEME
    """How a drawing shows the kinds of spaces and pieces, and the icons."""
    announcements: Callable[[S], tuple[str, ...]] | None = None
    """What the rules want called out to everybody in this state, as chess's "check": sentences,
    mostly none. For games where all may hear it, so there is no viewer."""
    pointing: Callable[[S, str, str], Any] | None = None
    """The `domain.stylus.targets.Pointing` of a state for the seat that is to act, and the seat
    that looks, where the game's reference says how things are tapped; elsewhere taps are told from
    `parts`. (Any: that module is built on this one.)"""
    stylus_rule_ids: Mapping[str, str] = field(default_factory=dict)
    """The game's own ids for the rules of `domain.stylus.tap_rules`, by the ids there, where its
    reference has some."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Secrets(Generic[O, S, A, F]):
    """What is hidden, and from whom. A game says all of it or is `OPEN`: there are no defaults, so
    that none shows a secret by forgetting one of these."""

    redact: Callable[[ResolvedAction[A, F], str], ResolvedAction[A, F]]
    """The happening with everything taken out that this viewer may not know."""
    information_state: Callable[[S, str], S]
    """The state as a viewer may know it: in place of what is hidden from it stands nothing, or
    something unknown, or a stand-in. States that the viewer cannot tell apart are known as one and
    the same, which looks, lists and refuses as they do. So whatever is worked out for a viewer in
    this state is the same whatever lies hidden."""
    sample_state: Callable[[S, str, RandomBelow], S]
    """From a state as a viewer knows it, one of the whole states that the viewer holds possible:
    any may be drawn. To the viewer it is known as the very state that it was made from."""
    reveals: Callable[[F], bool]
    """Did this fact settle or show what was hidden from somebody? To undo it then needs consent,
    and a preview ends before it."""
    probes: Callable[[F, O], bool] = _never_probes
    """Does a seat learn what lies hidden from this fact or from what follows it, be it nothing, in
    a match with these options? As where it looks at cards, or where a piece comes to rest on a
    space under which something may lie. To undo it then needs consent, and a preview ends with it.
    It goes by what is open alone, so that whether consent is needed tells nobody where it lies."""
    deals_face_down: Callable[[O], bool]
    """May a match with these options ask for an entry that is `dealt`? Then the service commits to
    a seed also where the players enter all else."""
    write_view: Callable[[S, str], str]
    """The position as a viewer may see it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Heuristics(Generic[S, A]):
    """What experience tells of positions, for bots: rules of thumb, which decide nothing. A game
    may have none."""

    evaluate: Callable[[S], Mapping[str, float]] | None = None
    """For each seat how likely it wins from a whole state, all together 1: a quick guess, without
    looking ahead. Of a state that is over only the seats matter."""
    move_ordering: Callable[[S, A], float] | None = None
    """How much a legal action promises before it is tried, higher is better: what promises most is
    tried first. For games that have more actions than can be tried."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GameContent(Generic[O, S]):
    """What a game has as data, and what its players bring."""

    armies: AnyArmies | None = None
    """How armies are built, in a game whose players bring some."""
    status: Callable[[S, str, O], tuple[SideStatus, ...]] | None = None
    """How each side stands, in order of play, as a viewer may see it, under the match's options;
    for games whose sides have armies."""
    packs: PackType | None = None
    """Its content packs, in a game that has its content as data."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Game(
    Words[O, S],
    Rules[O, S, A, F],
    ResignationRules[S, A, F],
    Notation[O, S, A],
    Display[S, A, F],
    Secrets[O, S, A, F],
    Heuristics[S, A],
    GameContent[O, S],
):
    """A game: its words, its rules, its looks. `domain.registry` lists them all.

    It is made of the groups above by `Game.of`, and has the functions of all of them: whoever plays
    it writes `game.legal(state, seat)`, and need not know which group that is in. (Dataclasses, and
    no Structs, since a Struct cannot have several groups as its bases.)
    """

    slug: str
    name: str
    summary: str
    vector_checks: Mapping[str, Callable[[bytes], tuple[VectorMismatch, ...]]]
    """Further kinds of conformance vectors, by the word in their `kind`: how the game differs from
    the vector on a line. Raises NotationError for a line that is no such vector."""

    @staticmethod
    def of(
        slug: str,
        name: str,
        summary: str,
        *,
        words: Words[O, S],
        rules: Rules[O, S, A, F],
        notation: Notation[O, S, A],
        display: Display[S, A, F],
        secrets: Secrets[O, S, A, F] | PerfectInformation,
        concessions: ResignationRules[S, A, F] | None = None,
        insight: Heuristics[S, A] | None = None,
        content: GameContent[O, S] | None = None,
        vector_checks: Mapping[str, Callable[[bytes], tuple[VectorMismatch, ...]]] | None = None,
    ) -> "Game[O, S, A, F]":
        """The game of these groups. `secrets` has no default: it is for each game to say that it
        is `OPEN`."""
        if isinstance(secrets, PerfectInformation):
            secrets = _no_secrets(notation)
        groups = (words, rules, notation, display, secrets, concessions, insight, content)
        told = {name: value for group in groups if group for name, value in vars(group).items()}
        if display.caption is _missing_caption:
            told["caption"] = lambda state, viewer: display.scene(state, viewer).caption
        return Game(
            slug=slug, name=name, summary=summary, vector_checks=vector_checks or {}, **told
        )

    @property
    def has_hidden_information(self) -> bool:
        """Is anything ever hidden from anybody?"""
        return self.redact is not no_redaction

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"


AnyGame = Game[Any, Any, Any, Any]
