"""The command `emeth packs`: checks, lists and shows content packs without a service."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from domain.kernel.armies import CatalogEntry
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library, Pack, PackInfo, PackType
from domain.registry import GAMES
from services.cli.options import as_json
from services.cli.pack_folder_option import exit_on_pack_faults, with_packs
from services.cli.terminal.console import print_json, print_table
from services.store import pack_folder as files

SHORTEST: Final = 4
"""The least number of digits of a digest that may identify a pack."""


@click.group(short_help="Check, list and show content packs.")
def packs() -> None:
    r"""Check, list and show content packs: cards and boards as data (docs/packs.md).

    \b
    Examples:
      emeth packs check mine.content.toml
      emeth packs list
      emeth packs show eretsu-core --kind golem
    """


@packs.command("check", short_help="Check a pack.")
@click.argument("path", metavar="FILE", type=click.Path(exists=True, path_type=Path))
@as_json
def check_pack(path: Path, as_json: bool) -> None:
    r"""Check the pack that FILE belongs to, and list each fault with its entry and key.

    The other files of the pack are in the same folder. The exit code is 1 if there are faults.

    \b
    Example:
      emeth packs check mine.content.toml
    """
    pack_files = exit_on_pack_faults(lambda: files.find_pack_files(path))
    found = pack_files.packs.info(exit_on_pack_faults(pack_files.read))
    if as_json:
        print_json(msgspec.to_builtins(found))
        return
    click.echo(f"{_named(found)} is sound: {_counts(found)}\ndigest {found.digest}")


@packs.command("list", short_help="List the available packs.")
@with_packs
@as_json
def list_packs(library: Library, as_json: bool) -> None:
    r"""List the packs that matches may use.

    \b
    Example:
      emeth packs list --packs ./packs
    """
    found = [(game, shelf.info(pack)) for game, shelf, pack in _every(library)]
    if as_json:
        print_json([{"game": game.slug, **msgspec.to_builtins(pack)} for game, pack in found])
        return
    print_table(
        ("GAME", "PACK", "DIGEST", "WHAT IS IN IT"),
        ((game.slug, _named(pack), pack.digest[:12], _counts(pack)) for game, pack in found),
    )


@packs.command("show", short_help="Show what is in a pack.")
@click.argument("name", metavar="PACK")
@click.option("--kind", default="", metavar="KIND", help="Show only this kind, as `golem`.")
@with_packs
@as_json
def show_pack(name: str, kind: str, library: Library, as_json: bool) -> None:
    r"""Show the entries of a PACK, by its ID or by 4 or more first digits of its digest.

    \b
    Examples:
      emeth packs show eretsu-core
      emeth packs show eretsu-core --kind relic
    """
    pack, every = _find(name, library)
    entries = [entry for entry in every if kind in ("", entry.kind)]
    if as_json:
        print_json({"pack": msgspec.to_builtins(pack), "entries": msgspec.to_builtins(entries)})
        return
    click.echo(f"{_named(pack)}: {_counts(pack)}\ndigest {pack.digest}\n")
    print_table(
        ("KIND", "ID", "NAME", "POINTS", "WHAT IT DOES"),
        ((each.kind, each.id, each.name, str(each.points), each.description) for each in entries),
    )


def _every(library: Library) -> Iterator[tuple[AnyGame, PackType, Pack]]:
    for game in GAMES.values():
        if game.packs is not None:
            for pack in library.packs_of(game.packs):
                yield game, game.packs, pack


def _find(name: str, library: Library) -> tuple[PackInfo, tuple[CatalogEntry, ...]]:
    every = [(shelf, pack, shelf.info(pack)) for _, shelf, pack in _every(library)]
    found = [
        (shelf, pack, info)
        for shelf, pack, info in every
        if info.id == name or (len(name) >= SHORTEST and info.digest.startswith(name.lower()))
    ]
    if len(found) != 1:
        what = "more than one pack matches" if found else "no pack has the ID or digest"
        ids = ", ".join(info.id for _, _, info in every)
        raise click.UsageError(f"{what} {name!r}; the packs are {ids} (see `emeth packs list`)")
    ((shelf, pack, info),) = found
    return info, shelf.entries(pack)


def _named(pack: PackInfo) -> str:
    return f"{pack.id} {pack.version}"


def _counts(pack: PackInfo) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in pack.counts.items() if number)
