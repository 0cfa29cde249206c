"""The command `emeth new`, which starts a match with its options, terms and seats."""

from collections.abc import Iterator
from typing import Any

import click
from msgspec import Struct

from domain.kernel.game import AnyGame
from services.cli import keyring
from services.cli.clocks import clock_option, read_clocks
from services.cli.connection import ServiceAddress, with_service
from services.cli.keyring import KeyringEntry
from services.cli.options import GameName, as_json, collect_options, game_options, read_options
from services.cli.terminal.console import print_json, print_table
from services.cli.terms import (
    CHANCE,
    JOIN_POLICIES,
    REFEREES,
    SEAT_ASSIGNMENTS,
    START_POLICIES,
    SUBSTITUTE_POLICIES,
    UNDO,
)
from services.wire.emeth.v1 import matches_pb2 as pb


class NewMatch(Struct, frozen=True):
    """The options of `emeth new`."""

    given: tuple[str, ...]
    """Options of the game."""
    title: str
    chances: tuple[str, ...]
    undo: str
    pause_on_dispute: bool
    public: bool
    unlisted: bool
    stand_in: str
    begin: str | None
    referee: str | None
    admit: str
    seats: str
    players_only: bool
    seat: str | None
    name: str | None
    entropy: str
    clocks: tuple[str, ...]
    armies: tuple[str, ...]
    bots: tuple[str, ...]
    hints: bool

    def start_policy(self, game: AnyGame) -> str:
        """Return when the match starts: `at-once` or `when-full`.

        By default, a match with hidden information or with invite codes starts when it is full.
        The creator then sees no hand, because players join with codes, not with tokens.
        """
        by_codes = self.admit != "invited" or self.seats != "chosen" or self.players_only
        waits = game.has_hidden_information or by_codes
        return self.begin or ("when-full" if waits else "at-once")

    @property
    def visibility(self) -> pb.Visibility.ValueType:
        """Return who may watch the match."""
        if self.unlisted:
            return pb.VISIBILITY_UNLISTED
        return pb.VISIBILITY_PUBLIC if self.public else pb.VISIBILITY_PRIVATE

    def refereed(self, game: AnyGame) -> str:
        """Return who referees; by default nobody where the referee would see hidden hands."""
        waits = game.has_hidden_information and self.start_policy(game) == "when-full"
        return self.referee or ("nobody" if waits else "creator")

    @property
    def own_seat(self) -> pb.OwnSeat | None:
        """Return the seat that the creator takes, or None."""
        if self.seat is None:
            return None
        return pb.OwnSeat(seat=self.seat, player=self.name or "", entropy=self.entropy)


@click.command(short_help="Start a match.")
@click.argument("game", type=GameName())
@game_options
@click.option("--title", default="", metavar="TEXT", help="Title of the match.")
@click.option(
    "--chance",
    "chances",
    multiple=True,
    metavar="[SEAT=]entered|rolled",
    show_default="entered",
    help="Source of dice and shuffles: entered by the players, or rolled by the service. With SEAT"
    " it applies to that seat; may be repeated.",
)
@click.option(
    "--undo",
    type=click.Choice(list(UNDO)),
    default="consent",
    show_default=True,
    help="Who must agree to a takeback: nobody (free), the opponents or the referee.",
)
@click.option("--pause-on-dispute", is_flag=True, help="Pause the match while a dispute is open.")
@click.option("--public", is_flag=True, help="Let anybody watch without a token.")
@click.option(
    "--unlisted", is_flag=True, help="Let anybody with the match ID watch; lists do not show it."
)
@click.option(
    "--stand-in",
    type=click.Choice(list(SUBSTITUTE_POLICIES)),
    default="nobody",
    show_default=True,
    help="Who may act as a substitute for an absent player.",
)
@clock_option
@click.option(
    "--begin",
    type=click.Choice(list(START_POLICIES)),
    show_default="when-full in games with hidden information, else at-once",
    help="When the match starts: at once, or when its last seat is taken.",
)
@click.option(
    "--referee",
    type=click.Choice(list(REFEREES)),
    show_default="nobody with --begin when-full in games with hidden information, else creator",
    help="Who referees. The referee sees all hidden information.",
)
@click.option(
    "--admit",
    type=click.Choice(list(JOIN_POLICIES)),
    default="invited",
    show_default=True,
    help="Who may join: players with the code of a seat, with one code for all seats, or anybody."
    " Needs --begin when-full.",
)
@click.option(
    "--seats",
    type=click.Choice(list(SEAT_ASSIGNMENTS)),
    default="chosen",
    show_default=True,
    help="Which seat a player gets: the chosen one, the first open one, or one drawn at random when"
    " the match starts. Needs --begin when-full.",
)
@click.option(
    "--players-only",
    is_flag=True,
    help="Reserve seats for players of frontends. Needs --begin when-full.",
)
@click.option("--seat", metavar="SEAT", help="Take this seat yourself. Needs --name.")
@click.option("--name", metavar="NAME", help="Your name as a player. Needs --seat.")
@click.option(
    "--entropy", default="", metavar="TEXT", help="Mix this text of yours into all later draws."
)
@click.option(
    "--army",
    "armies",
    multiple=True,
    metavar="SEAT=ID",
    help="Use this saved army for SEAT; may be repeated. `emeth army list` shows yours.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="SEAT=LEVEL",
    help="Let a bot of the service play SEAT, as black=club; may be repeated.",
)
@click.option("--hints", is_flag=True, help="Allow hints; all players see each request for one.")
@with_service
@as_json
@collect_options("wanted", NewMatch)
def new(service: ServiceAddress, game: AnyGame, wanted: NewMatch, as_json: bool) -> None:
    r"""Start a match and remember its tokens.

    The token or code of a seat invites one player to that seat: send it to that player. With a
    token you may also play the seat yourself; a code only lets a player join.

    \b
    Examples:
      emeth new agog
      emeth new agog --option handicap=3 --option handicap_tie=spine --title "Sunday"
      emeth new earthen-war --chance rolled --undo free
      emeth new earthen-war --chance rolled --chance black=entered
      emeth new agog --public --stand-in referee
      emeth new res-arcana --chance rolled --seat north --name Ann
      emeth new res-arcana --chance rolled --begin at-once
      emeth new agog --public --admit anybody --seats drawn
      emeth new agog --clock 10m+5s --clock white=5m+5s
      emeth new agog --clock 3d/action
      emeth new agog --bot black=club
      emeth new golem-arcana --option scenario=twin-wells --army south=5f2c0c8e-...
    """
    if wanted.public and wanted.unlisted:
        raise click.UsageError(
            "--public and --unlisted contradict each other: leave one of them out"
        )
    if (wanted.seat is None) != (wanted.name is None):
        raise click.UsageError("--seat and --name need each other: give both or neither")
    options = read_options(wanted.given)
    by_seat = _by_seat("--army", wanted.armies, "an army", "south=5f2c0c8e-...")
    bots = _by_seat("--bot", wanted.bots, "a bot", "black=club")
    chance, seat_chance = _chances(wanted.chances)
    clock, seat_clocks = read_clocks(wanted.clocks)
    _check_clashes(options, chance, by_seat)
    made = service.run(
        lambda client: client.create_match(
            game=game.slug,
            options=options,
            title=wanted.title,
            chance=CHANCE[chance or "entered"],
            undo_policy=UNDO[wanted.undo],
            pause_on_dispute=wanted.pause_on_dispute,
            visibility=wanted.visibility,
            substitute_policy=SUBSTITUTE_POLICIES[wanted.stand_in],
            armies=by_seat,
            seat_chance=seat_chance,
            start_policy=START_POLICIES[wanted.start_policy(game)],
            referee_policy=REFEREES[wanted.refereed(game)],
            own_seat=wanted.own_seat,
            join_policy=JOIN_POLICIES[wanted.admit],
            seat_assignment=SEAT_ASSIGNMENTS[wanted.seats],
            players_only=wanted.players_only,
            time_control=clock,
            seat_time_controls=seat_clocks,
            bots=bots,
            help_policy=pb.HELP_POLICY_HINTS if wanted.hints else pb.HELP_POLICY_NONE,
        )
    )
    _remember(game, wanted.seat, made)
    if as_json:
        print_json(made)
        return
    _tell(game, made)


def _remember(game: AnyGame, seat: str | None, made: pb.CreateMatchResponse) -> None:
    tokens = keyring.tokens_in_order(made.match, made.tokens)
    held = {seat: tokens.pop(seat)} if seat is not None else {}
    codes = keyring.tokens_in_order(made.match, made.invite_codes)
    ring = KeyringEntry(game.slug, tokens, held, codes, made.match.version)
    keyring.remember(made.match.match_id, ring)


def _tell(game: AnyGame, made: pb.CreateMatchResponse) -> None:
    """Print the new match, its tokens and codes, and the next steps."""
    click.echo(f"Match {made.match.match_id} ({game.name}): {made.match.caption}\n")
    print_table(("ROLE", "TOKEN"), keyring.tokens_in_order(made.match, made.tokens).items())
    if made.invite_codes:
        click.echo()
        print_table(
            ("ROLE", "CODE"), keyring.tokens_in_order(made.match, made.invite_codes).items()
        )
    click.echo("\n" + "\n".join(_next_steps(made)))


def _next_steps(made: pb.CreateMatchResponse) -> Iterator[str]:
    """Yield the commands that the creator and the other players may type next."""
    seats = [seat.name for seat in made.match.seats if not seat.bot]
    if not seats:
        yield "Bots have all seats. Watch them:"
        yield "  emeth watch"
        return
    joining = f"emeth join {seats[-1]} --name Bob --match {made.match.match_id} --token"
    if made.invite_codes:
        yield "Tokens and codes are remembered here. A code lets one player join:"
        yield f"  {joining} CODE"
        return
    alone = len(seats) < len(made.match.seats)
    yield "The tokens are remembered here. Try next:"
    yield f"  {'emeth play' if alone else 'emeth play --against club':27}  play against a bot"
    yield f"  {f'emeth join {seats[0]} --name Ann':27}  take a seat: then only you can act for it"
    if len(seats) > 1:
        yield "What another player types, with the seat's token:"
        yield f"  {joining} TOKEN"


def _chances(
    given: tuple[str, ...],
) -> tuple[str | None, dict[str, pb.Chance.ValueType]]:
    """Return the source of dice and shuffles: of the match, or None, and of single seats."""
    found: dict[str, str] = {}
    for pair in given:
        seat, _, chance = pair.rpartition("=")
        if chance not in CHANCE or (not seat and "=" in pair):
            raise click.UsageError(
                f"--chance {pair} is invalid: it is {' or '.join(CHANCE)}, for one seat with SEAT="
                " before it"
            )
        if found.setdefault(seat, chance) != chance:
            whose = f" for {seat}" if seat else ""
            raise click.UsageError(f"--chance{whose} is given twice: leave one of them out")
    of_match = found.pop("", None)
    return of_match, {seat: CHANCE[chance] for seat, chance in found.items()}


def _check_clashes(options: dict[str, Any], chance: str | None, armies: dict[str, str]) -> None:
    """Raise UsageError if an option of the game contradicts --chance or --army."""
    clashes = []
    if chance is not None and options.get("chance", chance) != chance:
        clashes.append((f"--option chance={options['chance']}", f"--chance {chance}"))
    fielded = options.get("armies")
    if isinstance(fielded, dict):
        clashes += [
            (f"--option armies, which has {seat},", f"--army {seat}={army}")
            for seat, army in armies.items()
            if seat in fielded
        ]
    for one, other in clashes:
        raise click.UsageError(f"{one} and {other} contradict each other: leave one of them out")


def _by_seat(flag: str, given: tuple[str, ...], what: str, example: str) -> dict[str, str]:
    """Return the values of `SEAT=VALUE` pairs by seat.

    Raises:
        UsageError: A pair is malformed, or a seat is given twice.
    """
    found = {}
    for pair in given:
        seat, separator, value = pair.partition("=")
        if not (seat and separator and value):
            raise click.UsageError(f"{flag} {pair!r} is not SEAT=VALUE, such as {example}")
        if seat in found:
            raise click.UsageError(f"{flag} names {seat} twice: a seat has {what}")
        found[seat] = value
    return found
