"""`emeth analyse`: what each event of a match was worth, and what would have been better."""

import json
from contextlib import aclosing

import click

from services.cli.access import Access, accessed
from services.cli.connection import ServiceAddress, connected
from services.cli.options import as_json
from services.cli.terminal.console import harmless, plain
from services.cli.terminal.progress import Progress
from services.client import Client
from services.wire.emeth.v1 import analysis_pb2 as pb

WORDS = {
    pb.MISTAKE_KIND_UNSPECIFIED: "",
    pb.MISTAKE_KIND_INACCURACY: "inaccuracy",
    pb.MISTAKE_KIND_MISTAKE: "mistake",
    pb.MISTAKE_KIND_BLUNDER: "BLUNDER",
}


@click.command(short_help="Tell what each event of a match was worth.")
@click.option(
    "--nodes",
    type=click.IntRange(1, 2000),
    default=200,
    show_default=True,
    help="Positions to look at for one judgement.",
)
@click.option("--seat", default="", metavar="SEAT", help="Tell mistakes of this seat alone.")
@click.option("--mistakes", is_flag=True, help="Show events with a mistake alone.")
@accessed
@connected
@as_json
def analyse(
    service: ServiceAddress, access: Access, nodes: int, seat: str, mistakes: bool, as_json: bool
) -> None:
    """Look back at a match that is over: how likely each seat was to win after each event, which
    actions were mistakes, what would have been better, and what comes of that by which rules.

    It sees what your role may know. In a game that hides something, a seat is told of its own
    mistakes, and the referee of everybody's.

    \b
    Examples:
      emeth analyse
      emeth analyse --seat white --mistakes --nodes 1000
      emeth analyse --json > analysis.jsonl
    """

    async def looking(client: Client) -> None:
        seats = [each.name for each in (await client.match(access.match)).seats]
        found = client.analyse(access.viewing(), access.match, nodes=nodes, seat=seat)
        async with aclosing(found) as events:
            with Progress("events") as bar:
                async for each in events:
                    bar.at(each.done, each.total)
                    if as_json:
                        click.echo(json.dumps(plain(each), ensure_ascii=False))
                    elif each.mistake or not mistakes:
                        click.echo(harmless("\n".join(_lines(each, seats))))

    service.run(looking)


def _lines(found: pb.AnalyseMatchResponse, seats: list[str]) -> list[str]:
    """What was found of an event."""
    chances = "  ".join(f"{seat} {found.win_chances[seat]:4.0%}" for seat in seats)
    done = f"{found.seat} {found.action}".strip()
    lines = [f"{found.version:4}  {chances}  {done}  {WORDS[found.mistake]}".rstrip()]
    for each in found.better:
        drop = f"{each.win_chance:.0%} instead of {found.taken_chance:.0%}"
        lines.append(f"      better: {each.action} ({drop}): {each.sentence}")
        if len(each.line) > 1:
            lines.append(f"        then: {' '.join(each.line[1:])}")
        lines += [f"        since: {reason}" for reason in each.because]
    return lines
