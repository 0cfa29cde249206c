"""The commands `emeth dispute`, `disputes` and `verdict`."""

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


@click.command(short_help="Dispute an event.")
@click.argument("version", type=VERSION)
@click.argument("reason")
@with_access
@with_service
@as_json
def dispute(
    service: ServiceAddress, access: MatchAccess, version: int, reason: str, as_json: bool
) -> None:
    r"""Dispute the event at VERSION with a REASON. The referee resolves the dispute.

    \b
    Example:
      emeth dispute 4 "the golem had moved already" --as black
    """
    seats = access.ring.seats
    if access.token is None and access.role is None and len(seats) != 1:
        raise click.UsageError(
            "cannot tell which seat disputes: choose one with --as (remembered here:"
            f" {', '.join(seats) or 'none'})"
        )
    token = access.token_of(access.role or (seats[0] if seats else ""))
    made = service.run(lambda client: client.create_dispute(token, access.match, version, reason))
    number = made.number
    keyring.set_last_used(access.match, number)
    if as_json:
        print_json({"dispute": number})
    else:
        click.echo(f"dispute {number} on event {version} is open: the referee resolves it")


@click.command(short_help="List disputes and verdicts.")
@click.option("--open", "is_open", is_flag=True, help="List only disputes without a verdict.")
@click.option("--find", default="", metavar="TEXT", help="List only disputes with all these words.")
@with_access
@with_service
@as_json
def disputes(
    service: ServiceAddress, access: MatchAccess, is_open: bool, find: str, as_json: bool
) -> None:
    r"""List the disputes of a match and their verdicts, the latest first.

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
    """The options of `emeth verdict`: what the referee decides, and why."""

    uphold: bool
    revert_to: int | None
    facts: tuple[str, ...]
    reason: str
    rules: tuple[str, ...]


@click.command(short_help="Resolve a dispute as the referee.")
@click.argument("number", type=VERSION)
@click.argument("reason")
@click.option("--uphold", is_flag=True, help="Let the event stand.")
@click.option(
    "--revert-to", type=VERSION, metavar="VERSION", help="Continue the match from this version."
)
@click.option(
    "--fact",
    "facts",
    multiple=True,
    metavar="JSON",
    help="Correct the position with this fact; may be repeated.",
)
@click.option(
    "--rule", "rules", multiple=True, metavar="ID", help="Cite this rule; may be repeated."
)
@with_access
@with_service
@as_json
@collect_options("ruled", GivenVerdict)
def verdict(
    service: ServiceAddress, access: MatchAccess, number: int, ruled: GivenVerdict, as_json: bool
) -> None:
    r"""Resolve dispute NUMBER with a REASON: uphold the event, revert, or correct the position.

    The verdict becomes a precedent: later explanations that cite the same rules name it. Write
    facts as `emeth explain VERSION --facts` prints them.

    \b
    Examples:
      emeth verdict 7 "golems may do that" --uphold --rule agog.move.step
      emeth verdict 7 "the wrong golem was moved" --revert-to 4
      emeth verdict 7 "a golem was knocked over" \
        --fact '{"type": "agog.unit-moved", "unit": "G", "start": "b6", "end": "b5"}'
    """
    if [ruled.uphold, ruled.revert_to is not None, bool(ruled.facts)].count(True) != 1:
        raise click.UsageError("a verdict needs exactly one of --uphold, --revert-to and --fact")
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
