"""The `emeth` command. Its table of commands is all that `emeth --help` loads; each command is
loaded from its own module when it is used."""

from importlib import import_module
from typing import Final, NamedTuple

import click


class CommandEntry(NamedTuple):
    """A command that is not loaded yet."""

    place: str
    """Its module in `services.cli.commands`, and its name there."""
    help: str
    """The line that the list of commands shows."""


SECTIONS: Final[dict[str, dict[str, CommandEntry]]] = {
    "Service": {
        "serve": CommandEntry("serve:serve", "Run the service."),
        "demo": CommandEntry("demo:demo", "Watch a whole game being played."),
        "move-log": CommandEntry("logs:move_log", "Move the log to another store."),
        "rebuild": CommandEntry("admin:rebuild", "Rebuild the read models from the log."),
        "doctor": CommandEntry("doctor:doctor", "Look a service's folder over."),
        "backup": CommandEntry("backups:backup", "Back up a service's folder, while it runs."),
        "restore-backup": CommandEntry(
            "backups:restore_backup", "Put a backup back into a new folder."
        ),
        "frontend": CommandEntry(
            "frontends:frontend", "Create, list, update and delete frontends."
        ),
        "player": CommandEntry(
            "players:player", "Create, list, show and delete players of a frontend."
        ),
    },
    "Matches": {
        "new": CommandEntry("new_matches:new", "Start a match."),
        "tables": CommandEntry("seats:tables", "List the tables that anybody may join."),
        "join": CommandEntry("seats:join", "Take a seat."),
        "leave": CommandEntry("seats:leave", "Give a seat back."),
        "rematch": CommandEntry("seats:rematch", "Play a finished match again."),
        "invite-referee": CommandEntry(
            "seats:invite_referee", "Give the referee's role to somebody else."
        ),
        "list": CommandEntry("matches:list_matches", "List matches."),
        "mine": CommandEntry("players:mine", "List your matches, as a player of a frontend."),
        "whoami": CommandEntry("tokens:whoami", "Show what a token is good for."),
    },
    "Play": {
        "actions": CommandEntry("play:actions", "List what a seat may do."),
        "play": CommandEntry("play:play", "Take an action, or play interactively."),
        "preview": CommandEntry("play:preview", "Show what an action would do."),
        "resign": CommandEntry("play:resign", "Give up the match."),
        "undo": CommandEntry("undo:undo", "Undo, or ask for it."),
        "redo": CommandEntry("undo:redo", "Redo what was undone, or ask for it."),
        "answer": CommandEntry("undo:answer", "Grant or refuse what another seat asks for."),
        "draw": CommandEntry("undo:draw", "Offer a draw."),
        "hint": CommandEntry("analyze:hint", "Ask what a bot would do."),
        "bot": CommandEntry("bot:bot", "Have a bot take a seat and play it."),
        "conditional": CommandEntry(
            "conditional:conditional", "Set moves for what the others may do."
        ),
    },
    "Views": {
        "watch": CommandEntry("views:watch", "Follow a match as it is played."),
        "show": CommandEntry("views:show", "Draw a match, now or at a version."),
        "status": CommandEntry("views:status", "Show how the armies of a match stand."),
    },
    "History": {
        "history": CommandEntry("history:history", "List what was played."),
        "replay": CommandEntry("replay:replay", "Play a match again."),
        "branches": CommandEntry("history:branches", "List what was undone."),
        "fork": CommandEntry("forks:fork", "Start a match from a version of another."),
        "import": CommandEntry("forks:import_", "Start a match from a transcript."),
        "export": CommandEntry("match_files:export", "Export a match as a file."),
        "restore": CommandEntry("match_files:restore", "Import a match from a file."),
        "statistics": CommandEntry(
            "statistics:statistics", "Show how matches went, or search them."
        ),
    },
    "Audit": {
        "explain": CommandEntry("explanations:explain", "Explain one event in full."),
        "citations": CommandEntry("explanations:citations", "List which events cite which rule."),
        "who-sees": CommandEntry(
            "explanations:who_sees", "Show which viewers see each fact of an event."
        ),
        "analyze": CommandEntry("analyze:analyze", "Tell what each event of a match was worth."),
        "dispute": CommandEntry("disputes:dispute", "Question an event."),
        "disputes": CommandEntry("disputes:disputes", "List disputes and verdicts."),
        "verdict": CommandEntry("disputes:verdict", "Answer a dispute, as the referee."),
        "verify": CommandEntry(
            "verification:verify", "Verify a match: chain, signature, dice, every ruling."
        ),
        "readjudicate": CommandEntry(
            "verification:readjudicate", "Judge recorded matches by today's rules."
        ),
        "checkpoint": CommandEntry(
            "proofs:checkpoint", "Show the signed checkpoint of the log, or check one."
        ),
        "proof": CommandEntry("proofs:proof", "Prove that an event is in the log."),
        "witness": CommandEntry("witnesses:witness", "Be a witness of services' logs."),
    },
    "Armies": {
        "army": CommandEntry("armies:army", "Check, save, list, show and delete armies."),
        "content": CommandEntry("armies:content", "List what armies are built from, or cards."),
    },
    "Gateways": {
        "stylus": CommandEntry("stylus:stylus", "Tap with a virtual stylus and Control Card."),
        "gateway": CommandEntry("gateways:gateway", "Register, list, certify and revoke gateways."),
    },
    "API": {
        "call": CommandEntry("call:call", "Call any method of the API."),
    },
    "Rules, without a service": {
        "games": CommandEntry("games:games", "List the games."),
        "rules": CommandEntry("games:rules", "Show a game's options, notation and rules."),
        "packs": CommandEntry("packs:packs", "Check, list and show content packs."),
        "conform": CommandEntry("conformance:conform", "Check the rules against vector files."),
        "perft": CommandEntry("games:count", "Count the possible lines of play."),
    },
}
"""The commands by what they are for, in the words of the API."""
HIDDEN: Final = {"demo-player": CommandEntry("demo:demo_player", "Play a seat in a demo.")}
"""What the program starts for itself."""


class Sections(click.Group):
    """A group that lists its commands by what they are for, and loads one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands but the hidden ones."""
        return [name for entries in SECTIONS.values() for name in entries]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        for entries in (*SECTIONS.values(), HIDDEN):
            if cmd_name in entries:
                module, _, name = entries[cmd_name].place.partition(":")
                command = getattr(import_module(f"services.cli.commands.{module}"), name)
                assert isinstance(command, click.Command)
                return command
        return None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each section's commands."""
        for title, entries in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(name, entry.help) for name, entry in entries.items()])


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
    """Emeth, a referee for tabletop games whose log is the truth of a match.

    \b
    To begin:
      emeth serve                in one terminal: keeps a service on ./data
      emeth new agog             in another: starts a match
      emeth play --against club  plays it against a bot
      emeth demo                 shows a whole game, with nothing to start first

    Exit codes: 0 done, 1 refused by a rule or a check failed, 2 a command that makes no sense,
    3 the service cannot be reached or gives an error.
    """
