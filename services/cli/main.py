"""The `emeth` command, a table of commands that are each loaded from their module when used.

`emeth --help` loads this table only.
"""

from importlib import import_module
from typing import Final, NamedTuple

import click


class CommandEntry(NamedTuple):
    """The place and summary of a command that is not loaded yet."""

    place: str
    """Module in `services.cli.commands` and name in that module, as `serve:serve`."""
    help: str
    """Summary that `emeth --help` shows."""


SECTIONS: Final[dict[str, dict[str, CommandEntry]]] = {
    "Service": {
        "serve": CommandEntry("serve:serve", "Run the service."),
        "demo": CommandEntry("demo:demo", "Watch a recorded game being played."),
        "move-log": CommandEntry("logs:move_log", "Move the log to another store."),
        "doctor": CommandEntry("doctor:doctor", "Check a service's data folder."),
        "backup": CommandEntry("backups:backup", "Back up a service's data folder."),
        "restore-backup": CommandEntry(
            "backups:restore_backup", "Restore a backup into a new folder."
        ),
    },
    "Matches": {
        "new": CommandEntry("new_matches:new", "Start a match."),
        "tables": CommandEntry("seats:tables", "List open games that anybody may join."),
        "join": CommandEntry("seats:join", "Take a seat."),
        "leave": CommandEntry("seats:leave", "Give a seat back."),
        "rematch": CommandEntry("seats:rematch", "Ask for a rematch."),
        "invite-referee": CommandEntry(
            "seats:invite_referee", "Invite another person to the referee's role."
        ),
        "list": CommandEntry("matches:list_matches", "List matches."),
        "mine": CommandEntry("players:mine", "List your matches as a player of a frontend."),
        "whoami": CommandEntry("tokens:whoami", "Show the role and permissions of a token."),
    },
    "Play": {
        "actions": CommandEntry("play:actions", "List what a seat may do."),
        "play": CommandEntry("play:play", "Take an action, or play interactively."),
        "preview": CommandEntry("play:preview", "Show what an action would do."),
        "resign": CommandEntry("play:resign", "Resign the match."),
        "undo": CommandEntry("undo:undo", "Undo actions, or request it."),
        "redo": CommandEntry("undo:redo", "Redo undone actions, or request it."),
        "answer": CommandEntry("undo:answer", "Accept or reject a proposal of another seat."),
        "draw": CommandEntry("undo:draw", "Offer a draw."),
        "hint": CommandEntry("analyze:hint", "Get a hint from a bot."),
        "bot": CommandEntry("bot:bot", "Let a bot take a seat and play it."),
        "conditional": CommandEntry("conditional:conditional", "Set conditional moves."),
    },
    "Views": {
        "watch": CommandEntry("views:watch", "Follow a match as it is played."),
        "show": CommandEntry("views:show", "Draw a match, now or at a version."),
        "status": CommandEntry("views:status", "Show the armies of a match."),
    },
    "History": {
        "history": CommandEntry("history:history", "List the events of a match."),
        "replay": CommandEntry("replay:replay", "Replay a match."),
        "branches": CommandEntry("history:branches", "List undone branches."),
        "fork": CommandEntry("forks:fork", "Start a match from a version of another match."),
        "import": CommandEntry("forks:import_", "Start a match from a transcript."),
        "export": CommandEntry("match_files:export", "Export a match as a file."),
        "restore": CommandEntry("match_files:restore", "Import a match from a file."),
    },
    "Audit": {
        "explain": CommandEntry("explanations:explain", "Explain one event in full."),
        "citations": CommandEntry("explanations:citations", "List which events cite which rule."),
        "who-sees": CommandEntry(
            "explanations:who_sees", "Show which viewers see each fact of an event."
        ),
        "analyze": CommandEntry("analyze:analyze", "Evaluate each event of a finished match."),
        "dispute": CommandEntry("disputes:dispute", "Dispute an event."),
        "disputes": CommandEntry("disputes:disputes", "List disputes and verdicts."),
        "verdict": CommandEntry("disputes:verdict", "Resolve a dispute as the referee."),
        "verify": CommandEntry(
            "verification:verify", "Verify a match: digests, signature, dice and rulings."
        ),
        "readjudicate": CommandEntry(
            "verification:readjudicate", "Check recorded matches against the current rules."
        ),
        "checkpoint": CommandEntry(
            "proofs:checkpoint", "Show the signed checkpoint of the log, or check one."
        ),
        "proof": CommandEntry("proofs:proof", "Prove that an event is in the log."),
        "witness": CommandEntry("witnesses:witness", "Run a witness that cosigns logs."),
    },
    "Armies": {
        "army": CommandEntry("armies:army", "Check, save, list, show and delete armies."),
        "content": CommandEntry("armies:content", "List the units or cards of a game."),
    },
    "Gateways": {
        "stylus": CommandEntry("stylus:stylus", "Tap with a virtual stylus and Control Card."),
        "gateway": CommandEntry("gateways:gateway", "Set up and certify gateways."),
    },
    "API": {
        "call": CommandEntry("call:call", "Call any method of the API."),
    },
    "Rules, without a service": {
        "games": CommandEntry("games:games", "List the games."),
        "rules": CommandEntry("games:rules", "Show a game's options, notation and rules."),
        "packs": CommandEntry("packs:packs", "Check, list and show content packs."),
        "conform": CommandEntry("conformance:conform", "Check the rules against vector files."),
        "perft": CommandEntry("games:count", "Count legal action sequences."),
    },
}
"""The commands by the sections of `emeth --help`."""
HIDDEN: Final = {"demo-player": CommandEntry("demo:demo_player", "Play a seat in a demo.")}
"""Commands that `emeth demo` starts as processes, left out of the help."""


class Sections(click.Group):
    """A click group that lists its commands in sections and loads a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands but the hidden ones."""
        return [name for entries in SECTIONS.values() for name in entries]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, or None if there is none."""
        for entries in (*SECTIONS.values(), HIDDEN):
            if cmd_name in entries:
                module, _, name = entries[cmd_name].place.partition(":")
                command = getattr(import_module(f"services.cli.commands.{module}"), name)
                assert isinstance(command, click.Command)
                _keep_examples(command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands of each section with their summaries."""
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in entries.items()])


def _keep_examples(command: click.Command) -> None:
    r"""Replace the two characters `\b` in help texts by the backspace that click looks for.

    Click does not rewrap a paragraph after a backspace. Raw docstrings cannot contain one.
    """
    command.help = (command.help or "").replace("\\b\n", "\b\n")
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _keep_examples(each)


def _print_version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if not wanted:
        return
    # Only here, since it takes as long to load as the whole help.
    from importlib.metadata import PackageNotFoundError, version

    try:
        known = version("emeth")
    except PackageNotFoundError:
        known = "(not installed: run from its source)"
    click.echo(f"emeth, version {known}")
    ctx.exit()


@click.group(
    cls=Sections,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def main() -> None:
    r"""Run and use Emeth, a service that referees tabletop games and records every match in a log.

    \b
    To begin:
      emeth serve                start a service on ./data, in one terminal
      emeth new agog             start a match, in another terminal
      emeth play --against club  play the match against a bot
      emeth demo                 watch a whole game, without starting anything first

    Exit codes: 0 success; 1 a rule refused the action or a check failed; 2 wrong usage of a
    command; 3 the service is unreachable or returned an error.
    """


_keep_examples(main)
