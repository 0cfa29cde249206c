"""The commands `emeth actions`, `play`, `preview` and `resign`."""

import click

from domain.bots.levels import LEVELS
from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import VERSION, as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.cli.terminal.play_session import sit
from services.client import Client
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Action

stand_in = click.option(
    "--for",
    "seat",
    default="",
    metavar="SEAT",
    help="As the referee, act as a substitute for this seat.",
)


@click.command(short_help="List what a seat may do.")
@click.option("--every", is_flag=True, help="List each way to pay on its own line.")
@click.option(
    "--for", "seat", default="", metavar="SEAT", help="As the referee, list this seat's actions."
)
@with_access
@with_service
@as_json
def actions(
    service: ServiceAddress,
    access: MatchAccess,
    every: bool,
    seat: str,
    as_json: bool,
) -> None:
    r"""List the legal actions of a seat now. The referee may list any seat's.

    An action that can be paid for in several ways is listed once: with a + and the first way.

    \b
    Examples:
      emeth actions
      emeth actions --as black
      emeth actions --every
      emeth actions --for white
    """

    async def listing(client: Client) -> list[Action]:
        token = await access.acting(client, seat)
        if every:
            return await client.list_every_action(token, access.match, seat)
        return await client.list_actions(token, access.match, seat)

    found = service.run(listing)
    if as_json:
        print_json(found)
        return
    rows = ((f"{each.notation}{' +' if each.group else ''}", each.sentence) for each in found)
    print_table(("ACTION", "WHAT IT IS"), rows)


@click.command(short_help="Take an action, or play interactively.")
@click.argument("action", required=False)
@click.option(
    "--against",
    "level",
    type=click.Choice(list(LEVELS)),
    help="Let a bot of this level play all other seats whose tokens are remembered.",
)
@click.option(
    "--at",
    "expected",
    type=VERSION,
    metavar="VERSION",
    help="Act only if the match is at this version.",
)
@stand_in
@with_access
@with_service
@as_json
def play(
    service: ServiceAddress,
    access: MatchAccess,
    action: str | None,
    level: str | None,
    expected: int | None,
    seat: str,
    as_json: bool,
) -> None:
    r"""Take one ACTION; without ACTION, play interactively until the match is over.

    Write an action in machine notation (see `emeth rules GAME`), or in the rulebook's score
    notation if the game has one. Without --as, the seat whose turn it is acts.

    \b
    Examples:
      emeth play                      interactively, for every seat that is yours
      emeth play --against club       against a bot
      emeth play a6-b6                one action
      emeth play h3-g3 --as black --json
      emeth play h3-g3 --for black    as the referee, where `emeth new --stand-in` allows it
    """
    if action is None:
        if seat:
            raise click.UsageError("--for needs an ACTION: interactive play does not take it")
        if as_json or expected:
            raise click.UsageError(
                "--json and --at need an ACTION: interactive play does not take them"
            )
        service.run(lambda client: sit(client, access, level=level), session=True)
        return
    text = action

    async def playing(client: Client) -> pb.SubmitActionResponse:
        token = await access.acting(client, seat)
        score_notation = access.is_score_notation(text)
        return await client.submit(
            token,
            access.match,
            text,
            score_notation=score_notation,
            expected_version=expected,
            seat=seat,
        )

    _tell(service.run(playing), access, as_json=as_json)


@click.command(short_help="Show what an action would do.")
@click.argument("action")
@stand_in
@with_access
@with_service
@as_json
def preview(
    service: ServiceAddress, access: MatchAccess, action: str, seat: str, as_json: bool
) -> None:
    r"""Show the effect of an ACTION and the rules it rests on, without recording it.

    \b
    Example:
      emeth preview a6-b6
    """

    async def asking(client: Client) -> pb.SubmitActionResponse:
        token = await access.acting(client, seat)
        score_notation = access.is_score_notation(action)
        return await client.submit(
            token,
            access.match,
            action,
            score_notation=score_notation,
            seat=seat,
            validate_only=True,
        )

    _tell(service.run(asking), access, as_json=as_json, explained=True)


@click.command(short_help="Resign the match.")
@stand_in
@with_access
@with_service
@as_json
def resign(service: ServiceAddress, access: MatchAccess, seat: str, as_json: bool) -> None:
    r"""Resign the match for a seat.

    \b
    Example:
      emeth resign --as black
    """

    async def resigning(client: Client) -> pb.SubmitActionResponse:
        token = await access.acting(client, seat)
        return await client.submit_action(token, access.match, seat=seat, resignation=True)

    _tell(service.run(resigning), access, as_json=as_json)


def _tell(
    response: pb.SubmitActionResponse,
    access: MatchAccess,
    *,
    as_json: bool,
    explained: bool = False,
) -> None:
    """Print the outcome of an action.

    Raises:
        CommandRefused: The rules refuse the action.
    """
    stands = response.HasField("accepted")
    if response.accepted.HasField("receipt"):  # it was recorded
        keyring.set_last_used(access.match, response.accepted.version)
    if as_json:
        print_json(response)
        if not stands:
            raise click.exceptions.Exit(CommandRefused.exit_code)
        return
    if not stands:
        raise CommandRefused(sentences.refusal_sentence(response.refused))
    for line in sentences.outcome_lines(response.accepted, explained=explained):
        click.echo(line)
