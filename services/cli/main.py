"""The `emeth` command: assembles the commands of this package."""

import click

from services.cli.conform import conform
from services.cli.games import count, games, rules


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="emeth", prog_name="emeth")
def main() -> None:
    """Emeth, a referee for tabletop games whose log is the truth of a match.

    \b
    To begin:
      emeth serve                    keep a service on ./data
      emeth new agog                 start a match on it
      emeth play last --bot random   play it against a bot

    Exit codes: 0 done, 1 refused by a rule or a check failed, 2 a command that makes no sense,
    3 the service cannot be reached or gives an error.
    """


for command in (games, rules, conform, count):
    main.add_command(command)
