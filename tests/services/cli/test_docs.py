"""Help texts and the page about the command line say what is so."""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result

from services.cli.main import HIDDEN, SECTIONS, CommandEntry, main

Emeth = Callable[..., Result]
ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "cli.md").read_text()
CONTEXT = click.Context(main)
COMMANDS = main.list_commands(CONTEXT)
OFFLINE = ("perft", "conform", "rules", "games", "packs", "army check")
SUBCOMMANDS = [
    (group, name)
    for group in COMMANDS
    if isinstance(command := main.get_command(CONTEXT, group), click.Group)
    for name in command.commands
]


def examples() -> Iterator[tuple[str, str]]:
    """The commands on the page that need no service, and what each prints."""
    pages = PAGE + (ROOT / "docs" / "packs.md").read_text()
    for block in re.findall(r"```console\n(.*?)```", pages, re.DOTALL):
        for command, output in re.findall(
            r"^\$ emeth (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE
        ):
            if command.startswith(OFFLINE):
                yield command, output


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_on_the_page_and_in_the_help(emeth: Emeth, command: str) -> None:
    assert f"`{command}`" in PAGE
    assert f"\n  {command} " in emeth("--help").output


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "games"])
def test_every_help_text_has_an_example_and_fits_the_page(emeth: Emeth, command: str) -> None:
    shown = emeth(command, "--help").output
    assert re.search(rf"  Examples?:\n    emeth {command}", shown)
    assert all(len(line) <= 100 for line in shown.splitlines())


@pytest.mark.parametrize(("group", "name"), SUBCOMMANDS)
def test_every_command_of_a_group_is_on_the_page_with_an_example_in_its_help(
    emeth: Emeth, group: str, name: str
) -> None:
    (row,) = (line for line in PAGE.splitlines() if f"`{group}` (`" in line)
    assert f"`{name}`" in row
    shown = emeth(group, name, "--help").output
    assert re.search(rf"  Examples?:\n    emeth {group} {name}", shown)
    assert all(len(line) <= 100 for line in shown.splitlines())


@pytest.mark.parametrize(("command", "output"), [*examples()])
def test_examples_on_the_page_print_what_it_says(
    emeth: Emeth, monkeypatch: pytest.MonkeyPatch, command: str, output: str
) -> None:
    monkeypatch.chdir(ROOT)
    assert emeth(*shlex.split(command)).output == output


@pytest.mark.parametrize(
    ("name", "entry"), [item for entries in SECTIONS.values() for item in entries.items()]
)
def test_the_list_of_commands_says_of_each_what_it_says_of_itself(
    name: str, entry: CommandEntry
) -> None:
    command = main.get_command(CONTEXT, name)
    assert command is not None
    assert (command.name, command.get_short_help_str(70)) == (name, entry.help)


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_program_starts_for_itself_is_in_no_list(name: str) -> None:
    command = main.get_command(CONTEXT, name)
    assert command is not None
    assert (command.name, command.hidden, name in COMMANDS) == (name, True, False)


def test_an_unknown_command_is_a_usage_error(emeth: Emeth) -> None:
    assert emeth("castle").exit_code == 2
