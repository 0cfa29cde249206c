"""`emeth gateway certify`: try out a maker's gateway, here, from afar, or by its recording."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from msgspec import Struct

from services.cli.gateway_recordings import Entry, read, write
from services.cli.gateway_rules import OPTIONAL, RULES, Verdict, judge
from services.cli.gateway_trials import TRIALS, TrialError, try_out
from services.cli.options import as_json, gathered
from services.cli.terminal.console import REFUSED, CommandRefused, print_json

_TOGETHER = 4
"""Trials that run at once."""
_ADDRESS: Final = re.compile(r"[\w.\-]*:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}")
"""How the address looks at which a gateway is waited for; all else is a command."""


class _Afar(Struct, frozen=True):
    """How a gateway is waited for that runs elsewhere."""

    stylus: str
    board: str
    wait: float
    record: Path | None


@click.command(short_help="Try out a maker's gateway, and tell what fails.")
@click.argument("gateway", metavar="COMMAND|ADDRESS|RECORDING")
@click.option(
    "--only",
    type=click.Choice([*dict.fromkeys((*TRIALS, *RULES))]),
    multiple=True,
    metavar="TRIAL",
    help="Only this one.",
)
@click.option("--stylus", default="AA:01", show_default=True, help="From afar: whose taps count.")
@click.option("--board", default="", help="From afar: the board that senses its pieces.")
@click.option(
    "--wait",
    type=click.FloatRange(1, 3600),
    default=300.0,
    show_default=True,
    metavar="SECONDS",
    help="From afar: how long one may take to do what is told.",
)
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="From afar: write what was said to this file.",
)
@as_json
@gathered("afar", _Afar)
def certify(gateway: str, only: tuple[str, ...], afar: _Afar, as_json: bool) -> None:
    """Try a gateway out, and tell what it does wrong. No service is needed. The exit code is 1 if
    anything fails.

    A COMMAND is started against a service that loses, cuts and confuses. The program finds the
    service in EMETH_ADDRESS, its key in EMETH_GATEWAY_KEY and a file for its journal in
    EMETH_JOURNAL; what its hardware tells comes on its standard input, a JSON object a line, as
    `emeth gateway replay` has it.

    At an ADDRESS, as 0.0.0.0:7654, a gateway is waited for that runs elsewhere. It is told what it
    needs, and you what to tap; behind the address is a service of its own, and on the way to it
    messages are lost, held back and cut off. All that is said is judged by the rules.

    A RECORDING is a file of `--record`, or of a gateway's own in the same form: it is judged alone.

    \b
    Examples:
      emeth gateway certify "python -m services.client.reference_gateway"
      emeth gateway certify 0.0.0.0:7654 --stylus 04:A2 --record said.jsonl
      emeth gateway certify 0.0.0.0:7654 --board 04:B7
      emeth gateway certify said.jsonl
    """
    if _ADDRESS.fullmatch(gateway):
        verdicts = _of_rules(*_from_afar(gateway, afar, quiet=as_json), only, strict=True)
    elif Path(gateway).is_file() and gateway.endswith(".jsonl"):
        try:
            entries = read(Path(gateway))
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        verdicts = _of_rules(entries, [], only, strict=False)
    else:
        names = [each for each in only or TRIALS if each in TRIALS]
        if not names:
            raise click.UsageError(f"of a command there are these trials: {', '.join(TRIALS)}")
        verdicts = asyncio.run(_try_all(gateway, names))
    failed = [each for each in verdicts if each.failed]
    if as_json:
        print_json(
            [
                {"trial": v.trial, "holds": v.holds, "failed": v.failed, "tried": v.tried}
                for v in verdicts
            ]
        )
    else:
        _print(verdicts, len(failed))
    if failed:
        raise click.exceptions.Exit(REFUSED)


def _print(verdicts: Sequence[Verdict], failed: int) -> None:
    for each in verdicts:
        how = "FAILED" if each.failed else "ok" if each.tried else "-"
        click.echo(f"{how:<6}  {each.trial:<9}  {each.holds}")
        if each.failed:
            click.echo(f"        {each.failed}")
    untried = sum(not each.tried for each in verdicts)
    more = f", {untried} not tried" if untried else ""
    click.echo(f"{len(verdicts)} trials, {failed} failed{more}")


def _of_rules(
    entries: list[Entry], acts: list[Verdict], only: tuple[str, ...], *, strict: bool
) -> list[Verdict]:
    """What the rules say; if strict, one that was not tried has failed too: the acts try all
    that every gateway does."""
    judged = [each for each in judge(entries) if not only or each.trial in only]
    if strict and not acts:
        untried = "there was no occasion for it: say what happened, with the recording"
        judged = [
            each
            if each.tried or each.failed or each.trial in OPTIONAL
            else Verdict(each.trial, each.holds, untried, False)
            for each in judged
        ]
    return [*judged, *acts]


def _from_afar(address: str, afar: _Afar, *, quiet: bool) -> tuple[list[Entry], list[Verdict]]:
    # Only here: it is a whole service.
    from services import logs
    from services.cli.gateway_board_acts import ACTS
    from services.cli.gateway_stage import Opening, perform

    logs.configure("error")

    def say(told: str) -> None:
        click.echo(told, err=quiet)

    try:
        entries, acts = asyncio.run(
            perform(
                Opening(address, afar.stylus, afar.wait, afar.board),
                say,
                ACTS if afar.board else (),
            )
        )
    except (TrialError, RuntimeError) as error:
        raise CommandRefused(str(error)) from None
    if afar.record is not None:
        write(afar.record, entries)
    return entries, acts


async def _try_all(command: str, names: Sequence[str]) -> list[Verdict]:
    room = asyncio.Semaphore(_TOGETHER)

    async def one(name: str) -> Verdict:
        async with room:
            return await try_out(command, name)

    return list(await asyncio.gather(*map(one, names)))
