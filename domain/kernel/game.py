"""The `Game` contract: the functions and data that every game provides.

A game is a pure decider: total functions over immutable values, bundled as a `Game`. It rolls no
dice and reads no clock: the results of dice and shuffles are *entry* actions like any other action.

The functions are in groups. A game of perfect information without dice or cards needs only
`Words`, `Rules`, `Notation`, `Display` and `PERFECT_INFORMATION`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from domain.kernel.armies import AnyArmies, SideStatus
from domain.kernel.chance import RandomBelow
from domain.kernel.hints import Aim, Forecast, RefusedLine
from domain.kernel.narration import Narration
from domain.kernel.packs import PackType
from domain.kernel.parts import Group, Parts
from domain.kernel.rulings import Accepted, Figures, Refused, Rule, Ruling, figures_by_name
from domain.kernel.scene import Edge, Scene
from domain.kernel.table_theme import NO_TABLE_THEME, Face, TableTheme
from domain.kernel.theme import DEFAULT_THEME, Theme

SPECTATOR: Final = "spectator"
REFEREE: Final = "referee"

O = TypeVar("O")  # noqa: E741  options, state, action, fact: the letters used everywhere
S = TypeVar("S")
A = TypeVar("A")
F = TypeVar("F")


class VectorMismatch(Struct, frozen=True):
    """A difference between a game and a conformance vector."""

    what: str
    expected: str
    got: str


class Prompt(Struct, frozen=True, omit_defaults=True):
    """A seat that may act now, and the kind of action that the game expects."""

    seat: str
    expected_action: str
    """The kind of action, in the game's words: `turn`, `dice`, `place`."""
    is_chance: bool = False
    """True if the action enters the result of dice or a shuffle; all legal entries are equally
    likely."""
    is_face_down: bool = False
    """True for an entry that deals cards face down. Its legal actions would reveal hidden cards to
    the seat, so the service always makes the entry."""


class Result(Struct, frozen=True):
    """The result of a finished game."""

    winners: tuple[str, ...]
    """The seats that won: none in a draw, several in a shared victory."""
    reason: str
    """The game's word for the reason: `capture`, `resign`."""
    score: str
    """The score in the game's notation: `1-0`."""


class ResolvedAction(Struct, Generic[A, F], frozen=True):
    """An action with its facts and rulings: the part of an event that may need redaction."""

    seat: str
    action: A
    """The action, or None if the seat resigned by a match event with the facts of `forfeit`."""
    facts: tuple[F, ...]
    rulings: tuple[Ruling, ...] = ()


class ScoreNotation(Struct, Generic[S, A], frozen=True):
    """The rulebook's score notation, in a game that has one besides its action notation."""

    writer: Callable[[S], Callable[[A], str]]
    """Returns a function that writes legal actions of this state. Disambiguation is computed once,
    for any number of actions."""
    read: Callable[[S, str], A | Refused]
    """Returns the one legal action that a text means, or the refusal."""
    record: Callable[[S, Iterable[A]], str]
    """Returns the score of a whole match from its first state and its actions."""

    def write(self, state: S, action: A) -> str:
        """Return the notation of one action in the state before it."""
        return self.writer(state)(action)


class DrawOffers(Struct, Generic[A], frozen=True):
    """The actions with which a seat offers a draw and answers an offer."""

    offer: Callable[[str], A]
    answer: Callable[[str, bool], A]


class PerfectInformation(Struct, frozen=True):
    """The marker of a game without hidden information, in place of `Secrets`."""


PERFECT_INFORMATION: Final = PerfectInformation()


def no_redaction(resolved: ResolvedAction[A, F], viewer: str) -> ResolvedAction[A, F]:
    """Return the action unchanged: in a game of perfect information nothing is hidden."""
    del viewer
    return resolved


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


def _no_refused_lines(_: Any, __: str, ___: str) -> tuple[RefusedLine, ...]:
    return ()


def _no_forecast(_: Any, __: str, ___: Any) -> None:
    return None


_NO_AIM: Final = Aim()


def _no_aim(_: Any, __: str, ___: str, ____: str) -> Aim:
    return _NO_AIM


def _no_faces(_: Any) -> Mapping[str, Face]:
    return {}


def _missing_caption(_: Any, __: str) -> str:
    raise AssertionError("Game.of puts the scene's caption here")


@dataclass(frozen=True, eq=False)
class Words(Generic[O, S]):
    """The types of a game's values, and the index of its rules."""

    options: type[O]
    """A frozen Struct that forbids unknown fields. Its types, bounds and `Meta` descriptions define
    the allowed options; decoding is the only check of options."""
    state: type[S]
    actions: Any
    """The union of all action types, each with a tag that begins with the slug."""
    facts: Any
    """The union of all fact types, each with a tag that begins with the slug."""
    rules: Mapping[str, Rule]


@dataclass(frozen=True, eq=False, kw_only=True)
class Rules(Generic[O, S, A, F]):
    """The rules of a game: legal actions, their outcomes, and the result."""

    seats: Callable[[O], tuple[str, ...]]
    start: Callable[[O], S]
    turn: Callable[[S], tuple[Prompt, ...]]
    legal: Callable[[S, str], Iterator[A]]
    """Yields every action that `decide` accepts from this seat, each once."""
    decide: Callable[[S, str, A], Accepted[F] | Refused]
    evolve: Callable[[S, F], S]
    result: Callable[[S], Result | None]

    opening: Callable[[O], tuple[Ruling, ...]] = _no_rulings
    """Returns the rulings on the starting position."""
    over: Callable[[S], Refused | None] | None = None
    """Returns the refusal of any action after the end of the game, and None before the end. Only
    for games whose reference cites this rule before malformed notation. Callers use
    `parse_action`."""
    groups: Callable[[S, str], Iterator[Group[A]]] | None = None
    """Yields the actions of `legal`, in the same order, in groups: for games with positions that
    have thousands of actions. No two groups have equal parts. Creating a group computes only its
    first actions."""
    consequences: Callable[[S, A], tuple[F, ...]] | None = None
    """Returns the facts of a legal action without checking it again: for perft and search."""
    has_chance: bool = True
    """True if the game may prompt for dice or a shuffle."""
    entry_roles: tuple[str, ...] = ()
    """Roles that make chance entries and are neither a seat nor the referee, such as `table`."""
    legacy_decisions: Callable[[S, str, A], Iterator[tuple[str, Accepted[F] | Refused]]] | None = (
        None
    )
    """Yields the outcomes that known defects of earlier releases gave, each with a description of
    the defect. Readjudication uses them to find the recorded matches that a defect affected."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ResignationRules(Generic[S, A, F]):
    """A game's own actions and rules for resigning and for draws by agreement."""

    is_administrative: Callable[[A], bool] = _never
    """Returns True for a resignation or a draw offer. Such actions are not part of play: perft,
    bots and random play leave them out."""
    resign: Callable[[str], A] | None = None
    """Returns the seat's resignation, in games whose notation has one. In other games a resignation
    is an event of the match."""
    draws: DrawOffers[A] | None = None
    """The actions that offer and answer a draw, in games whose notation has them. In other games
    these are events of the match."""
    agreed_draws: bool = True
    """True if the players may agree on a draw."""
    forfeit: Callable[[S, str], Accepted[F]] | None = None
    """Returns the facts of a resignation after which at least two other seats play on. The resigned
    seat gets no more prompts, and when one seat is left the game has a result. Without this
    function, and in matches of two seats, a resignation ends the match."""
    resigned_seats: Callable[[S], tuple[str, ...]] | None = None
    """Returns the seats that resigned and play no longer. Required with `forfeit`."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Notation(Generic[O, S, A]):
    """The notation of positions and actions."""

    notation: str
    """A description of the notation for people: a few lines with examples."""
    write_position: Callable[[S], str]
    read_position: Callable[[str, O], S]
    """Raises NotationError if the text is not a position of this game under these options."""
    write_action: Callable[[A], str]
    read_action: Callable[[str], A | Refused]

    read_stored_position: Callable[[str, O], S] | None = None
    """Reads the first position of a stored match, in any notation that earlier releases wrote; None
    if `read_position` does. Callers use `any_game.read_stored_position`."""
    score: ScoreNotation[S, A] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Display(Generic[S, A, F]):
    """How a game is shown to people, and how they point at it."""

    scene: Callable[[S, str], Scene]
    """Returns what a viewer may see: a seat, `spectator` or `referee`."""
    parts: Callable[[S, A], Parts]
    """Returns the parts of an action, given the state before it."""
    outline: Callable[[S, A], Parts] | None = None
    """Returns the parts without their sentence, if writing sentences is slow: for callers that
    process hundreds of actions. Callers use `action_outline`."""
    narrate: Callable[[S, ResolvedAction[A, F], S], Narration]
    """Returns sentences on an action, given the states before and after it. All three are as the
    viewer may know them (`Secrets.information_state`, `Secrets.redact`). Names of cards that may be
    hidden come from the redacted action, never from a state."""

    caption: Callable[[S, str], str] = _missing_caption
    """Returns the scene's caption, which is needed far more often than the scene. Defaults to the
    caption of the whole scene."""
    piece_id_changes: Callable[[ResolvedAction[A, F]], Mapping[str, str]] = _no_id_changes
    """Returns the new ids of pieces, by their ids before the action: for games whose piece ids
    contain the piece's space."""
    figures_in_words: Callable[[S, Figures, S], tuple[str, ...]] = _figures_by_name
    """Returns the figures of a ruling or a refusal in words: for games whose figures contain ids or
    notation. Figures of no interest to people are left out. The states are those before and after
    the explained action, as the viewer may know them; for a refusal both are the state before."""
    verbs: Mapping[str, str] = field(default_factory=dict)
    """The label of each kind of action in lists, by `Parts.verb`: `Walk off the board`."""
    sides: Mapping[str, Edge] = field(default_factory=dict)
    """The side of the board from which each seat sees it; empty for a board without sides."""
    theme: Theme = DEFAULT_THEME
    """The appearance of spaces, pieces and icons in drawings."""
    table_theme: TableTheme = NO_TABLE_THEME
    """The appearance of the game on the page's table: `read_theme` of the game's package."""
    announcements: Callable[[S], tuple[str, ...]] | None = None
    """Returns sentences that the rules require to be announced to everybody, as "check" in chess;
    mostly none."""
    pointing: Callable[[S, str, str], Any] | None = None
    """Returns the `domain.stylus.targets.Pointing` of a state for the acting seat and the viewing
    seat, if the game's reference defines how things are tapped. Otherwise taps are derived from
    `parts`. (Typed as Any because that module imports this one.)"""
    refused_lines: Callable[[S, str, str], tuple[RefusedLine, ...]] = _no_refused_lines
    """Returns the lines of a piece's face that its seat cannot use now, with the reasons, given the
    seat's information state, the seat and the id of the piece. Lines that have legal actions may be
    among them; callers leave those out."""
    forecast: Callable[[S, str, A], Forecast | None] = _no_forecast
    """Returns what a legal action would do, given the seat's information state, or None. Fields
    that differ from their defaults replace those of `domain.kernel.forecasts`."""
    aim: Callable[[S, str, str, str], Aim] = _no_aim
    """Returns what an order reaches, and the targets that it is refused, given the seat's
    information state, the seat, the id of the acting piece, and the line (or the verb, if the order
    is no line of a face)."""
    faces: Callable[[Any], Mapping[str, Face]] = _no_faces
    """Returns the faces of all content, by `Piece.face`, given the match's content pack, or None in
    a game without packs. They are part of the theme, so they are the same for every viewer."""
    stylus_rule_ids: Mapping[str, str] = field(default_factory=dict)
    """The reference's ids for rules of `domain.stylus.tap_rules`, by the ids there."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Secrets(Generic[O, S, A, F]):
    """What is hidden from whom. A game provides all of these functions or `PERFECT_INFORMATION`.

    There is no default for the functions that redact, so that no game leaks a secret by omission.
    """

    redact: Callable[[ResolvedAction[A, F], str], ResolvedAction[A, F]]
    """Returns the action without anything that the viewer may not know."""
    information_state: Callable[[S, str], S]
    """Returns the state as a viewer may know it, with placeholders for hidden parts. States that
    the viewer cannot distinguish have the same information state, with the same scene, legal
    actions and refusals for that viewer."""
    sample_state: Callable[[S, str, RandomBelow], S]
    """Returns a full state consistent with a viewer's information state (determinization). Each
    possible state may be drawn, and the viewer's information state of it is the given one."""
    reveals: Callable[[F], bool]
    """Returns True if the fact determined or revealed something hidden. An undo of it needs
    consent, and a preview ends before it."""
    probes: Callable[[F, O], bool] = _never_probes
    """Returns True if a seat learns something hidden from the fact or from what follows, even that
    nothing follows: it looks at cards, or stops on a space that may hide something. An undo needs
    consent, and a preview ends with the fact. The answer depends on public information only, so
    that it reveals no secret itself."""
    deals_face_down: Callable[[O], bool]
    """Returns True if a match with these options may have a prompt that `is_face_down`. The service
    then commits to a seed even if the players make all other entries."""
    write_view: Callable[[S, str], str]
    """Returns the position as a viewer may see it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Heuristics(Generic[S, A]):
    """Optional evaluation functions for bots. They never affect the rules."""

    evaluate: Callable[[S], Mapping[str, float]] | None = None
    """Returns each seat's win probability in a full state, with sum 1: a fast static evaluation. In
    a finished state only the keys are used."""
    move_ordering: Callable[[S, A], float] | None = None
    """Returns the priority of a legal action in the search, higher first: for games that have more
    actions than a search can visit."""


@dataclass(frozen=True, eq=False, kw_only=True)
class GameContent(Generic[O, S]):
    """A game's content packs, and the armies that its players bring."""

    armies: AnyArmies | None = None
    """Functions for building armies, in games whose players bring armies."""
    status: Callable[[S, str, O], tuple[SideStatus, ...]] | None = None
    """Returns the status of each side, in turn order, as a viewer may see it: for games whose sides
    have armies."""
    packs: PackType | None = None
    """The game's content packs, if its content is data."""


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
    """A game with the functions of all groups above. `domain.registry` lists all games.

    `Game.of` creates a game from its groups. Callers write `game.legal(state, seat)` and need not
    know the group. (The groups are dataclasses because a Struct cannot have several Struct bases.)
    """

    slug: str
    name: str
    summary: str
    vector_checks: Mapping[str, Callable[[bytes], tuple[VectorMismatch, ...]]]
    """Checks of further kinds of conformance vectors, by their `kind`. Each takes a line and
    returns the mismatches; it raises NotationError if the line is not such a vector."""

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
        resignations: ResignationRules[S, A, F] | None = None,
        heuristics: Heuristics[S, A] | None = None,
        content: GameContent[O, S] | None = None,
        vector_checks: Mapping[str, Callable[[bytes], tuple[VectorMismatch, ...]]] | None = None,
    ) -> "Game[O, S, A, F]":
        """Return the game of these groups.

        `secrets` has no default: a game without hidden information states `PERFECT_INFORMATION`.
        """
        if isinstance(secrets, PerfectInformation):
            secrets = _no_secrets(notation)
        groups = (words, rules, notation, display, secrets, resignations, heuristics, content)
        fields = {name: value for group in groups if group for name, value in vars(group).items()}
        if display.caption is _missing_caption:
            fields["caption"] = lambda state, viewer: display.scene(state, viewer).caption
        return Game(
            slug=slug, name=name, summary=summary, vector_checks=vector_checks or {}, **fields
        )

    @property
    def has_hidden_information(self) -> bool:
        """True if the game has hidden information."""
        return self.redact is not no_redaction

    def __repr__(self) -> str:
        return f"<Game {self.slug}>"


AnyGame = Game[Any, Any, Any, Any]
