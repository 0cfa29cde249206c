"""The `emeth` command: assembles the commands of this package."""

from importlib.metadata import PackageNotFoundError, version
from typing import Final

import click

from services.cli.commands.admin import rebuild, stats
from services.cli.commands.armies import army, catalog, status
from services.cli.commands.conformance import conform
from services.cli.commands.demo import demo, demo_player
from services.cli.commands.disputes import dispute, disputes, verdict
from services.cli.commands.explanations import citations, explain, who_sees
from services.cli.commands.forks import branches, fork, import_, transcript
from services.cli.commands.games import count, games, rules
from services.cli.commands.gateways import gateway
from services.cli.commands.match_files import export, restore
from services.cli.commands.matches import join, leave, list_matches, new
from services.cli.commands.packs import packs
from services.cli.commands.play import actions, play, preview, resign
from services.cli.commands.proofs import checkpoint, proof, readjudicate, verify
from services.cli.commands.replay import replay
from services.cli.commands.serve import serve
from services.cli.commands.stylus import stylus
from services.cli.commands.undo import answer, draw, redo, undo
from services.cli.commands.views import history, record, show, watch

SECTIONS: Final = {
    "Service": (serve, demo, rebuild, stats),
    "Matches": (new, join, leave, list_matches, fork, import_),
    "Play": (actions, play, preview, resign, undo, redo, answer, draw),
    "Physical tables": (stylus, gateway),
    "Look": (watch, show, status, history, record, replay, branches, transcript),
    "Explain and judge": (explain, citations, who_sees, dispute, disputes, verdict),
    "Prove": (verify, readjudicate, checkpoint, proof, export, restore),
    "Armies": (army, catalog),
    "Rules, without a service": (games, rules, packs, conform, count),
}


class Sections(click.Group):
    """A group that lists its commands by what they are for."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section's commands."""
        for title, commands in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(str(command.name), command.get_short_help_str(70)) for command in commands]
                )


def _version() -> str:
    try:
        return version("emeth")
    except PackageNotFoundError:
        return "(not installed: run from its source)"


@click.group(
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(_version(), prog_name="emeth")
def main() -> None:
    """Emeth, a referee for tabletop games whose log is the truth of a match.

    \b
    To begin:
      emeth serve                in one terminal: keeps a service on ./data
      emeth new agog             in another: starts a match
      emeth play --bot random    plays it against a bot
      emeth demo                 shows a whole game, with nothing to start first

    Exit codes: 0 done, 1 refused by a rule or a check failed, 2 a command that makes no sense,
    3 the service cannot be reached or gives an error.
    """


for section in SECTIONS.values():
    for each in section:
        main.add_command(each)
main.add_command(demo_player)
