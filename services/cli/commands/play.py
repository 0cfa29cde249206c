"""`emeth actions`, `play`, `preview` and `resign`: what a seat may do, and doing it."""

import click

from services.cli import keyring
from services.cli.access import Access, accessed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.cli.terminal.play_session import sit
from services.client import Client
from services.wire.emeth.v1 import play_pb2 as pb
from services.wire.emeth.v1.actions_pb2 import Action

AnyResponse = pb.SubmitActionResponse | pb.PreviewActionResponse | pb.ResignResponse


@click.command(short_help="List what a seat may do.")
@click.option("--verb", metavar="VERB", help="Only actions of this kind, as `capture`.")
@click.option("--every", is_flag=True, help="Every way of paying on a line of its own.")
@accessed
@connected
@as_json
def actions(
    service: ServiceAddress, access: Access, verb: str | None, every: bool, as_json: bool
) -> None:
    """List what a seat may do now. The referee's token may look at any seat's.

    Where an action can be paid for in many ways, it is listed once, with a + and the first way.

    \b
    Examples:
      emeth actions
      emeth actions --as black --verb capture
      emeth actions --every
    """

    async def listing(client: Client) -> list[Action]:
        token = await access.acting(client)
        if every:
            listed = await client.list_every_action(token, access.match)
            return [action for action in listed if not verb or action.verb == verb]
        return await client.list_actions(token, access.match, verb=verb or "")

    found = service.run(listing)
    if as_json:
        print_json(found)
        return
    rows = ((f"{each.notation}{' +' if each.group else ''}", each.sentence) for each in found)
    print_table(("ACTION", "WHAT IT IS"), rows)


@click.command(short_help="Take an action, or play interactively.")
@click.argument("action", required=False)
@click.option(
    "--bot",
    type=click.Choice(["random"]),
    help="Let a bot act for all other seats that tokens are remembered for.",
)
@click.option(
    "--at", "expected", type=click.IntRange(1), metavar="VERSION", help="Only at this version."
)
@accessed
@connected
@as_json
def play(
    service: ServiceAddress,
    access: Access,
    action: str | None,
    bot: str | None,
    expected: int | None,
    as_json: bool,
) -> None:
    """Take one ACTION, or play with the board before you until the match is over.

    An action is written in machine notation (`emeth rules GAME` explains it), or in the rulebook's
    score notation where the game has one. Without --as, the seat that is asked acts.

    \b
    Examples:
      emeth play                      with the board, for every seat that is yours
      emeth play --bot random         against a bot
      emeth play a6-b6                one action
      emeth play h3-g3 --as black --json
    """
    if action is None:
        if as_json or expected:
            raise click.UsageError("--json and --at go with an ACTION")
        service.run(lambda client: sit(client, access, bot=bot is not None))
        return
    text = action

    async def playing(client: Client) -> pb.SubmitActionResponse:
        token = await access.acting(client)
        return await client.submit(
            token, access.match, text, human=access.is_human(text), expected_version=expected
        )

    _tell(service.run(playing), access, as_json=as_json)


@click.command(short_help="Show what an action would do.")
@click.argument("action")
@accessed
@connected
@as_json
def preview(service: ServiceAddress, access: Access, action: str, as_json: bool) -> None:
    """Show what an ACTION would do and by which rules, and record nothing.

    \b
    Example:
      emeth preview a6-b6
    """

    async def asking(client: Client) -> pb.PreviewActionResponse:
        token = await access.acting(client)
        human = access.is_human(action)
        return await client.preview(token, access.match, action, human=human)

    _tell(service.run(asking), access, as_json=as_json, explained=True)


@click.command(short_help="Give up the match.")
@accessed
@connected
@as_json
def resign(service: ServiceAddress, access: Access, as_json: bool) -> None:
    """Give up the match for a seat.

    \b
    Example:
      emeth resign --as black
    """

    async def resigning(client: Client) -> pb.ResignResponse:
        return await client.resign(await access.acting(client), access.match)

    _tell(service.run(resigning), access, as_json=as_json)


def _tell(response: AnyResponse, access: Access, *, as_json: bool, explained: bool = False) -> None:
    """Print what came of an action. A refusal ends the command."""
    stands = response.HasField("accepted")
    if stands and not isinstance(response, pb.PreviewActionResponse):
        keyring.use(access.match, response.accepted.version)
    if as_json:
        print_json(response)
        if not stands:
            raise click.exceptions.Exit(CommandRefused.exit_code)
        return
    if not stands:
        raise CommandRefused(sentences.refused(response.refused))
    for line in sentences.accepted(response.accepted, explained=explained):
        click.echo(line)
