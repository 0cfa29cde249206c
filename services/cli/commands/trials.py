"""`emeth gateway certify`: try out a maker's gateway."""

import asyncio

import click

from services.cli.gateway_trials import TRIALS, Verdict, try_out
from services.cli.options import as_json
from services.cli.terminal.console import REFUSED, print_json

_TOGETHER = 4
"""Trials that run at once."""


@click.command(short_help="Try out a maker's gateway, and tell what fails.")
@click.argument("command")
@click.option("--only", type=click.Choice([*TRIALS]), multiple=True, help="Only this trial.")
@as_json
def certify(command: str, only: tuple[str, ...], as_json: bool) -> None:
    """Start the gateway that COMMAND runs against a service that loses, cuts and confuses, and tell
    what it does wrong. No service is needed. The exit code is 1 if any trial fails.

    \b
    The program finds the service in EMETH_ADDRESS, its key in EMETH_GATEWAY_KEY and a file for its
    journal in EMETH_JOURNAL; what its hardware tells comes on its standard input, a JSON object a
    line, as `emeth gateway replay` has it.

    \b
    Example:
      emeth gateway certify "python -m services.client.reference_gateway"
    """
    verdicts = asyncio.run(_try_all(command, only or tuple(TRIALS)))
    failed = [each for each in verdicts if each.failed]
    if as_json:
        print_json([{"trial": v.trial, "holds": v.holds, "failed": v.failed} for v in verdicts])
    else:
        for each in verdicts:
            click.echo(f"{'FAILED' if each.failed else 'ok':<6}  {each.trial:<9}  {each.holds}")
            if each.failed:
                click.echo(f"        {each.failed}")
        click.echo(f"{len(verdicts)} trials, {len(failed)} failed")
    if failed:
        raise click.exceptions.Exit(REFUSED)


async def _try_all(command: str, names: tuple[str, ...]) -> list[Verdict]:
    room = asyncio.Semaphore(_TOGETHER)

    async def one(name: str) -> Verdict:
        async with room:
            return await try_out(command, name)

    return list(await asyncio.gather(*map(one, names)))
