"""`emeth new`: a match begins, with its options, terms and seats."""

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
    """How a match is to begin."""

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
        """When it begins: unless it is said, when it is full where players hide something, so that
        whoever starts it sees no hand by that."""
        by_codes = self.admit != "invited" or self.seats != "chosen" or self.players_only
        waits = game.has_hidden_information or by_codes
        return self.begin or ("when-full" if waits else "at-once")

    @property
    def visibility(self) -> pb.Visibility.ValueType:
        """Who may look on."""
        if self.unlisted:
            return pb.VISIBILITY_UNLISTED
        return pb.VISIBILITY_PUBLIC if self.public else pb.VISIBILITY_PRIVATE

    def refereed(self, game: AnyGame) -> str:
        """Who referees: unless it is said, nobody in a game in which the referee sees hands."""
        waits = game.has_hidden_information and self.start_policy(game) == "when-full"
        return self.referee or ("nobody" if waits else "creator")

    @property
    def own_seat(self) -> pb.OwnSeat | None:
        """The seat that whoever starts the match takes with it."""
        if self.seat is None:
            return None
        return pb.OwnSeat(seat=self.seat, player=self.name or "", entropy=self.entropy)


@click.command(short_help="Start a match.")
@click.argument("game", type=GameName())
@game_options
@click.option("--title", default="", metavar="TEXT", help="A name for people.")
@click.option(
    "--chance",
    "chances",
    multiple=True,
    metavar="[SEAT=]entered|rolled",
    show_default="entered",
    help="Who tells what dice and shuffles show: the players, or the service. With a seat it is so"
    " for that seat; may be repeated.",
)
@click.option(
    "--undo",
    type=click.Choice(list(UNDO)),
    default="consent",
    show_default=True,
    help="Who must agree when something is taken back.",
)
@click.option("--pause-on-dispute", is_flag=True, help="Nobody acts while a dispute is open.")
@click.option("--public", is_flag=True, help="Anybody may look on, without a token.")
@click.option("--unlisted", is_flag=True, help="The same for whoever knows its id; no list has it.")
@click.option(
    "--stand-in",
    type=click.Choice(list(SUBSTITUTE_POLICIES)),
    default="nobody",
    show_default=True,
    help="Who may act for a seat whose player is gone for good.",
)
@clock_option
@click.option(
    "--begin",
    type=click.Choice(list(START_POLICIES)),
    show_default="when-full in games that hide something, else at-once",
    help="When it begins: at once, or when its last seat is taken, by codes that show no hand.",
)
@click.option(
    "--referee",
    type=click.Choice(list(REFEREES)),
    show_default="nobody if it begins when-full and hides something, else creator",
    help="Who referees, and so sees all that is hidden.",
)
@click.option(
    "--admit",
    type=click.Choice(list(JOIN_POLICIES)),
    default="invited",
    show_default=True,
    help="Who may take a seat: who has its code, or one code for all seats, or anybody. It goes"
    " with --begin when-full.",
)
@click.option(
    "--seats",
    type=click.Choice(list(SEAT_ASSIGNMENTS)),
    default="chosen",
    show_default=True,
    help="Which seat a player has: the one taken, the first open one, or one that is drawn when"
    " the match begins. It goes with --begin when-full.",
)
@click.option(
    "--players-only",
    is_flag=True,
    help="Seats are for players of frontends alone. It goes with --begin when-full.",
)
@click.option("--seat", metavar="SEAT", help="Take this seat at once; goes with --name.")
@click.option("--name", metavar="NAME", help="What you are called there.")
@click.option("--entropy", default="", metavar="TEXT", help="Your own share in all later draws.")
@click.option(
    "--army",
    "armies",
    multiple=True,
    metavar="SEAT=ID",
    help="A saved army for a seat; may be repeated. `emeth army list` shows yours.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="SEAT=LEVEL",
    help="A bot of the service takes this seat, as black=club; may be repeated.",
)
@click.option("--hints", is_flag=True, help="Seats may ask for hints, which everybody is told.")
@with_service
@as_json
@collect_options("wanted", NewMatch)
def new(service: ServiceAddress, game: AnyGame, wanted: NewMatch, as_json: bool) -> None:
    """Start a match, and remember its tokens.

    A seat's token or code invites one player to that seat: hand it over. With a token you may also
    play the seat yourself; a code is good for joining alone.

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
        raise click.UsageError("--seat and --name go together: who takes which seat")
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
    """What was made, and what can be done with it."""
    click.echo(f"Match {made.match.match_id} ({game.name}): {made.match.caption}\n")
    print_table(("ROLE", "TOKEN"), keyring.tokens_in_order(made.match, made.tokens).items())
    if made.invite_codes:
        click.echo()
        print_table(
            ("ROLE", "CODE"), keyring.tokens_in_order(made.match, made.invite_codes).items()
        )
    click.echo("\n" + "\n".join(_next_steps(made)))


def _next_steps(made: pb.CreateMatchResponse) -> Iterator[str]:
    """What people would type next: whoever made the match, and whom they play with."""
    seats = [seat.name for seat in made.match.seats if not seat.bot]
    if not seats:
        yield "Bots have all seats. Look on:"
        yield "  emeth watch"
        return
    joining = f"emeth join {seats[-1]} --name Bob --match {made.match.match_id} --token"
    if made.invite_codes:
        yield "Tokens and codes are remembered here. A code dies when a player has joined by it:"
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
    """Who tells what chance shows: for the match, if it is said, and for single seats."""
    found: dict[str, str] = {}
    for pair in given:
        seat, _, chance = pair.rpartition("=")
        if chance not in CHANCE or (not seat and "=" in pair):
            raise click.UsageError(f"--chance is {' or '.join(CHANCE)}, or SEAT= and that: {pair}")
        if found.setdefault(seat, chance) != chance:
            whose = f" for {seat}" if seat else ""
            raise click.UsageError(f"--chance{whose} is said twice: leave one of them out")
    of_match = found.pop("", None)
    return of_match, {seat: CHANCE[chance] for seat, chance in found.items()}


def _check_clashes(options: dict[str, Any], chance: str | None, armies: dict[str, str]) -> None:
    """What is said in two ways must be said once."""
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
    """Return the values of `SEAT=VALUE` pairs by seat."""
    found = {}
    for pair in given:
        seat, separator, value = pair.partition("=")
        if not (seat and separator and value):
            raise click.UsageError(f"{flag} is SEAT=VALUE, as {example}, not {pair!r}")
        if seat in found:
            raise click.UsageError(f"{flag} {seat} is given twice: a seat has {what}")
        found[seat] = value
    return found
