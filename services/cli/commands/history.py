"""The commands `emeth history` and `branches`: events of a match, and undone branches."""

import click

from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal import sentences
from services.cli.terminal.console import print_json
from services.cli.terms import build_filter


@click.command(short_help="List the events of a match.")
@click.option("--why", "explained", is_flag=True, help="Show consequences and their rules.")
@click.option(
    "--find", "words", default="", metavar="WORDS", help="List only events with all these words."
)
@with_access
@with_service
@as_json
def history(
    service: ServiceAddress, access: MatchAccess, explained: bool, words: str, as_json: bool
) -> None:
    r"""List the events of a match that your role may see.

    \b
    Examples:
      emeth history
      emeth history --why
      emeth history --find "golem captured"
    """
    token, wanted = access.viewing(), build_filter({"text :": words})
    events = service.run(
        lambda client: client.list_events(
            token, access.match, wanted, at_least_version=access.ring.version
        )
    )
    if as_json:
        print_json(events)
        return
    for event in events:
        click.echo(sentences.event_line(event))
        if event.snippet:
            click.echo(f"  {sentences.snippet(event.snippet)}")
        for line in sentences.why(event) if explained else ():
            click.echo(line)


@click.command(short_help="List undone branches.")
@with_access
@with_service
@as_json
def branches(service: ServiceAddress, access: MatchAccess, as_json: bool) -> None:
    r"""List the mainline and the undone branches, with where and how each differs.

    \b
    Example:
      emeth branches
    """
    token = access.viewing()
    found = service.run(
        lambda client: client.list_branches(token, access.match, access.ring.version)
    )
    if as_json:
        print_json(found)
        return
    for branch in found:
        parts = "the mainline" if branch.mainline else f"parts after {branch.base_version}"
        click.echo(f"{branch.head_version}  {parts}  {branch.position}")
        for difference in branch.differences:
            click.echo(f"  {difference}")
