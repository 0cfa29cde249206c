"""The command `emeth gateway certify`, which tests a gateway against the rules for gateways."""

import asyncio

import click

from services.cli import certification
from services.cli.options import as_json
from services.cli.terminal.console import REFUSED, print_json


@click.command(short_help="Test a gateway and report its faults.")
@click.argument("command")
@click.option(
    "--only",
    type=click.Choice([*certification.load_scenarios()]),
    multiple=True,
    metavar="RULE",
    help="Run only the scenario of this rule; may be repeated.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Listen on this address; needed if COMMAND starts the gateway on another machine.",
)
@as_json
def certify(command: str, only: tuple[str, ...], host: str, as_json: bool) -> None:
    r"""Test the gateway that COMMAND starts, and report which rules it breaks.

    The test drops messages, cuts the connection and kills the gateway. The exit code is 1 if the
    gateway breaks a rule. COMMAND gets the service's address in EMETH_ADDRESS, its key in
    EMETH_GATEWAY_KEY and a file for its journal in EMETH_JOURNAL. It reads simulated hardware
    events from standard input, one JSON object a line.

    \b
    Examples:
      emeth gateway certify "python -m services.client.gateway"
      emeth gateway certify ./start-on-tablet --host 192.168.1.5 --only power
    """
    from services.runtime import logging

    logging.configure("error")
    rules = only or tuple(certification.load_scenarios())
    found = asyncio.run(certification.certify(command, rules, host))
    known, broken = certification.load_scenarios(), sum(map(bool, found.values()))
    if as_json:
        print_json([{"rule": r, "must": known[r].must, "failed": why} for r, why in found.items()])
    else:
        for rule, why in found.items():
            click.echo(f"{'FAILED' if why else 'ok':<6}  {rule:<11}  {known[rule].must}")
            if why:
                click.echo(f"        {why}")
        click.echo(f"{len(found)} rules, {broken} broken")
    if broken:
        raise click.exceptions.Exit(REFUSED)
