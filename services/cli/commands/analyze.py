"""The commands `emeth analyze`, which evaluates a finished match, and `emeth hint`."""

import json
from contextlib import aclosing
from pathlib import Path

import click

from projections.views.replay.page import EventAnalysis, with_analysis
from services.cli.access import MatchAccess, with_access
from services.cli.connection import ServiceAddress, with_service
from services.cli.options import as_json
from services.cli.terminal.console import harmless, plain, print_json
from services.cli.terminal.progress import Progress
from services.client import Client
from services.wire.emeth.v1 import analysis_pb2 as pb
from services.wire.emeth.v1 import history_pb2

WORDS = {
    pb.MISTAKE_KIND_NONE: "",
    pb.MISTAKE_KIND_INACCURACY: "inaccuracy",
    pb.MISTAKE_KIND_MISTAKE: "mistake",
    pb.MISTAKE_KIND_BLUNDER: "BLUNDER",
}


@click.command(short_help="Evaluate each event of a finished match.")
@click.option(
    "--nodes",
    type=click.IntRange(1, 2000),
    default=200,
    show_default=True,
    help="Search this many positions for each event.",
)
@click.option("--seat", default="", metavar="SEAT", help="Report only the mistakes of this seat.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also write an HTML page that replays the match, with a graph of win probabilities.",
)
@click.option("--mistakes", is_flag=True, help="Show only events with a mistake.")
@with_access
@with_service
@as_json
def analyze(
    service: ServiceAddress,
    access: MatchAccess,
    nodes: int,
    seat: str,
    html: Path | None,
    mistakes: bool,
    as_json: bool,
) -> None:
    r"""Evaluate each event of a finished match.

    For each event it shows how likely each seat was to win, whether the action was a mistake, which
    actions were better, and by which rules. In a game with hidden information, a seat sees its own
    mistakes, and the referee sees those of all seats.

    \b
    Examples:
      emeth analyze
      emeth analyze --seat white --mistakes --nodes 1000
      emeth analyze --json > analysis.jsonl
      emeth analyze --html replay.html
    """

    async def looking(client: Client) -> str:
        seats, worth = (
            [each.name for each in (await access.present(client)).seats],
            [],
        )
        found = client.analyze_match(access.viewing(), access.match, nodes=nodes, seat=seat)
        async with aclosing(found) as events:
            with Progress("events") as bar:
                async for each in events:
                    bar.at(each.done, each.total)
                    worth.append(_worth(each))
                    if as_json:
                        click.echo(json.dumps(plain(each), ensure_ascii=False))
                    elif each.mistake != pb.MISTAKE_KIND_NONE or not mistakes:
                        click.echo(harmless("\n".join(_lines(each, seats))))
        return await _page(client, access, seats, worth) if html is not None else ""

    page = service.run(looking)
    if html is not None:
        try:
            html.write_text(page)
        except OSError as error:
            raise click.UsageError(f"cannot write {html}: {error.strerror}") from None


async def _page(
    client: Client, access: MatchAccess, seats: list[str], worth: list[EventAnalysis]
) -> str:
    """Return the HTML page of the replay with the analysis in it."""
    form = history_pb2.EXPORT_FORMAT_REPLAY_PAGE
    page = await client.export(access.viewing(), access.match, form)
    return with_analysis(page.text, seats, worth)


def _worth(found: pb.AnalyzeMatchResponse) -> EventAnalysis:
    """Return the analysis of an event in the form that the replay page takes."""
    missed = [f"It allows: {found.threat}"] if found.threat else []
    missed += [
        f"{each.action} ({each.win_probability:.0%} instead of {found.win_probability:.0%}):"
        f" {each.sentence} {' '.join(each.reasons)}".rstrip()
        for each in found.better_actions
    ]
    mistake = WORDS[found.mistake].lower()
    return EventAnalysis(found.version, dict(found.win_probabilities), mistake, tuple(missed))


@click.command(short_help="Get a hint from a bot.")
@click.option(
    "--nodes",
    type=click.IntRange(1, 2000),
    default=200,
    show_default=True,
    help="Search this many positions.",
)
@with_access
@with_service
@as_json
def hint(service: ServiceAddress, access: MatchAccess, nodes: int, as_json: bool) -> None:
    r"""Get the actions that a bot suggests for your seat.

    The match must allow hints (`emeth new --hints`). All players see that you requested one.

    \b
    Example:
      emeth hint
    """

    async def asking(client: Client) -> pb.GetHintResponse:
        return await client.get_hint(await access.acting(client), access.match, nodes=nodes)

    given = service.run(asking)
    if as_json:
        print_json(given)
        return
    for each in given.suggestions:
        click.echo(harmless(f"{each.action} ({each.win_probability:.0%} to win): {each.sentence}"))
        if len(each.variation) > 1:
            click.echo(harmless(f"  then: {' '.join(each.variation[1:])}"))


def _lines(found: pb.AnalyzeMatchResponse, seats: list[str]) -> list[str]:
    """Return the analysis of an event as lines of text."""
    chances = "  ".join(f"{seat} {found.win_probabilities[seat]:4.0%}" for seat in seats)
    done = f"{found.seat} {found.action}".strip()
    lines = [f"{found.version:4}  {chances}  {done}  {WORDS[found.mistake]}".rstrip()]
    if found.threat:
        lines.append(f"      allows: {found.threat}")
    for each in found.better_actions:
        drop = f"{each.win_probability:.0%} instead of {found.win_probability:.0%}"
        lines.append(f"      better: {each.action} ({drop}): {each.sentence}")
        if len(each.variation) > 1:
            lines.append(f"        then: {' '.join(each.variation[1:])}")
        lines += [f"        since: {reason}" for reason in each.reasons]
    return lines
