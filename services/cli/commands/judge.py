"""`emeth judge`: the page that judges matches, as one file."""

import shutil
from pathlib import Path

import click

from services.cli.terminal.console import ServiceFailed
from services.files import JUDGE_FILE


@click.command(short_help="Write the page that judges matches with no network.")
@click.option(
    "--html",
    "file",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to write it.",
)
def judge(file: Path) -> None:
    """Write a page to FILE that has all of the rules in it. Opened in a browser, from a disk and
    with no network, it checks the files of `emeth export` as `emeth verify` does, shows any moment
    of the match, and lets you try what would have come of something else; and all games can be
    played on it, on one screen. `make judge` builds it first.

    \b
    Example:
      emeth judge --html judge.html
    """
    if not JUDGE_FILE.is_file():
        raise ServiceFailed("the judge is not built here: `make judge` builds it")
    try:
        shutil.copyfile(JUDGE_FILE, file)
    except OSError as error:
        raise click.UsageError(f"cannot write {file}: {error.strerror}") from None
    click.echo(f"{file}: {file.stat().st_size} bytes; open it in a browser")
