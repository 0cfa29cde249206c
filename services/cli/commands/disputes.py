"""`emeth dispute`, `disputes` and `verdict`: questions raised on events, and their answers."""

import click
from msgspec import Struct

from domain.kernel.game import REFEREE
from services.cli import keyring
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import VERSION, as_json, collect_options
from services.cli.terminal import sentences
from services.cli.terminal.console import print_json
from services.cli.terms import build_filter


@click.command(short_help="Question an event.")
@click.argument("version", type=VERSION)
@click.argument("reason")
@with_access
@with_service
@as_json
def dispute(
    service: ServiceAddress, access: MatchAccess, version: int, reason: str, as_json: bool
) -> None:
    """Question the event at VERSION for a seat, and give the REASON. The referee answers.

    \b
    Example:
      emeth dispute 4 "the golem had moved already" --as black
    """
    seats = access.ring.seats
    if access.token is None and access.role is None and len(seats) != 1:
        raise click.UsageError(f"say with --as which seat disputes: {', '.join(seats) or 'none'}")
    token = access.token_of(access.role or (seats[0] if seats else ""))
    made = service.run(lambda client: client.create_dispute(token, access.match, version, reason))
    number = made.number
    keyring.set_last_used(access.match, number)
    if as_json:
        print_json({"dispute": number})
    else:
        click.echo(f"dispute {number} on event {version} is open: the referee answers it")


@click.command(short_help="List disputes and verdicts.")
@click.option("--open", "is_open", is_flag=True, help="Only those without a verdict.")
@click.option("--find", default="", metavar="TEXT", help="Only those with all these words.")
@with_access
@with_service
@as_json
def disputes(
    service: ServiceAddress, access: MatchAccess, is_open: bool, find: str, as_json: bool
) -> None:
    """List the disputes of a match and what was decided, the latest raised first.

    \b
    Examples:
      emeth disputes
      emeth disputes --open
      emeth disputes --find "knocked over"
    """
    token = access.viewing()

    wanted = build_filter({"state =": "OPEN" if is_open else "", "text :": find})
    found = service.run(
        lambda client: client.list_disputes(
            token, access.match, wanted, at_least_version=access.ring.version
        )
    )
    if as_json:
        print_json(found)
        return
    for each in found:
        click.echo(sentences.dispute_line(each))


class GivenVerdict(Struct, frozen=True):
    """What a referee decides, and why."""

    uphold: bool
    revert_to: int | None
    facts: tuple[str, ...]
    reason: str
    rules: tuple[str, ...]


@click.command(short_help="Answer a dispute, as the referee.")
@click.argument("number", type=VERSION)
@click.argument("reason")
@click.option("--uphold", is_flag=True, help="The event stands.")
@click.option("--revert-to", type=VERSION, metavar="VERSION", help="Go on from there.")
@click.option(
    "--fact",
    "facts",
    multiple=True,
    metavar="JSON",
    help="Correct the position by this fact; may be repeated.",
)
@click.option(
    "--rule", "rules", multiple=True, metavar="ID", help="A rule it rests on; may be repeated."
)
@with_access
@with_service
@as_json
@collect_options("ruled", GivenVerdict)
def verdict(
    service: ServiceAddress, access: MatchAccess, number: int, ruled: GivenVerdict, as_json: bool
) -> None:
    """Answer dispute NUMBER with a REASON: uphold the event, go back, or correct the position.

    The verdict is a precedent: later explanations that rest on the same rules name it. Facts are
    written as `emeth explain VERSION --facts` shows those of an event.

    \b
    Examples:
      emeth verdict 7 "golems may do that" --uphold --rule agog.move.step
      emeth verdict 7 "the wrong golem was moved" --revert-to 4
      emeth verdict 7 "a golem was knocked over" \\
        --fact '{"type": "agog.unit-moved", "unit": "G", "start": "b6", "end": "b5"}'
    """
    if [ruled.uphold, ruled.revert_to is not None, bool(ruled.facts)].count(True) != 1:
        raise click.UsageError("say one of --uphold, --revert-to and --fact")
    token = access.token_of(access.role or REFEREE)
    correction = {"facts_json": ruled.facts} if ruled.facts else None
    given = service.run(
        lambda client: client.resolve_dispute(
            token,
            access.match,
            number,
            ruled.reason,
            ruled.rules,
            uphold=ruled.uphold or None,
            revert_to=ruled.revert_to,
            correction=correction,
        )
    )
    changeset = given.dispute.verdict
    keyring.set_last_used(access.match, changeset.version)
    if as_json:
        print_json(given)
    else:
        click.echo(f"verdict {changeset.precedent_id} is given: {given.position}")
        if given.revealed_versions:
            click.echo(f"still known from events {', '.join(map(str, given.revealed_versions))}")
