"""The commands `emeth army`, which checks and saves armies, and `emeth content`."""

import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
import msgspec
from msgspec import Struct

from domain.kernel.any_game import read_constraints
from domain.kernel.armies import AnyArmies, ArmyFault, ArmyReport
from domain.kernel.game import AnyGame
from domain.kernel.packs import Library
from domain.registry import GAMES
from services.cli.connection import ServiceAddress, with_service
from services.cli.keyring import folder, lock_folder, read_file
from services.cli.options import GameName, as_json, collect_options, read_options
from services.cli.pack_folder_option import with_packs
from services.cli.terminal.console import CommandRefused, print_json, print_table
from services.cli.terms import build_filter
from services.client import Client
from services.runtime.files import OWNER_ONLY, write_atomically
from services.runtime.json_values import from_struct
from services.wire.emeth.v1 import armies_pb2 as pb

_FILE: Final = "owners.json"


def load_owner(address: str) -> str:
    """Return the owner's token for the service at this address; empty if none is remembered."""
    return _all().get(address, "")


def remember_owner(address: str, token: str) -> None:
    """Store the owner's token that the service issued with the first saved army."""
    with lock_folder():
        content = msgspec.json.encode(_all() | {address: token})
        write_atomically(folder() / _FILE, content + b"\n", OWNER_ONLY)


def _all() -> dict[str, str]:
    return read_file(_FILE, dict[str, str])


constraint_options = click.option(
    "--for",
    "given",
    multiple=True,
    metavar="NAME=VALUE",
    help="Build the army for a match with this option, as scenario=twin-wells; may be repeated.",
)
game_option = click.option(
    "--game",
    type=GameName(),
    help="Game of the army.  [default: the only game that has armies]",
)
army_file = click.argument(
    "path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
owner_option = click.option(
    "--owner",
    envvar="EMETH_OWNER",
    show_envvar=True,
    metavar="TOKEN",
    help="Use this owner's token in place of the remembered one.",
)


@click.group(short_help="Check, save, list, show and delete armies.")
def army() -> None:
    r"""Check armies and save them on a service. An army is a TOML or JSON file.

    \b
    Examples:
      emeth army check lions.toml --for scenario=twin-wells
      emeth army save lions.toml --name "Two lions"
      emeth army list
    """


@army.command("check", short_help="Check an army without a service.")
@army_file
@game_option
@constraint_options
@with_packs
@as_json
def check_army(
    path: Path, game: AnyGame | None, given: tuple[str, ...], library: Library, as_json: bool
) -> None:
    r"""Check an army and list all its faults. The exit code is 1 if there are any.

    \b
    Examples:
      emeth army check lions.toml
      emeth army check lions.toml --for scenario=twin-wells
    """
    chosen, armies = _armies(game)
    try:
        army = msgspec.convert(_read(path), armies.army)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"{path.name} is not an army of {chosen.name}: {error}") from None
    try:
        constraints = read_constraints(chosen, read_options(given), library)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"--for: {error}") from None
    checked: ArmyReport = armies.check(army, constraints)
    if as_json:
        print_json(msgspec.to_builtins(checked))
    else:
        limit = "" if checked.limit is None else f" of {checked.limit}"
        click.echo(f"{path.name}: {checked.points}{limit} points")
    if checked.faults:
        raise CommandRefused(_faults(checked.faults, chosen))


class ArmyToSave(Struct, frozen=True):
    """The options of `emeth army save`."""

    name: str | None
    over: str
    """ID of the saved army to replace; empty for a new one."""
    given: tuple[str, ...]
    """Options of the match that the army is for, as NAME=VALUE."""
    owner: str | None


@army.command("save", short_help="Save an army on the service.")
@army_file
@click.option("--name", metavar="NAME", help="Name of the army.  [default: the file's]")
@click.option("--over", default="", metavar="ID", help="Replace this saved army of yours.")
@game_option
@constraint_options
@owner_option
@with_service
@as_json
@collect_options("wanted", ArmyToSave)
def save_army(
    service: ServiceAddress, path: Path, game: AnyGame | None, wanted: ArmyToSave, as_json: bool
) -> None:
    r"""Save an army on the service and remember its owner's token.

    Anybody who has the army's ID can use it in a match: `emeth new GAME --army SEAT=ID`.

    \b
    Examples:
      emeth army save lions.toml --name "Two lions"
      emeth army save lions.toml --over 5f2c... --for scenario=twin-wells
    """
    chosen, _ = _armies(game)
    token = wanted.owner or load_owner(service.address)
    army = {
        "name": wanted.name or path.stem,
        "roster": _read(path),
        "constraints": read_options(wanted.given),
    }

    async def saving(client: Client) -> pb.CreateArmyResponse | pb.UpdateArmyResponse:
        if not wanted.over:
            return await client.create_army(token, {"game": chosen.slug, **army})
        return await client.update_army(token, {"army_id": wanted.over, **army})

    answer = service.run(saving)
    if isinstance(answer, pb.CreateArmyResponse) and answer.owner_token:
        remember_owner(service.address, answer.owner_token)
    if as_json:
        print_json(answer)
    if answer.WhichOneof("outcome") == "refused":
        faults = [ArmyFault(each.rule, each.path, each.why) for each in answer.refused.faults]
        raise CommandRefused(_faults(faults, chosen))
    if not as_json:
        saved = answer.army
        click.echo(
            f"Saved {saved.name!r}, {saved.points} points, as army {saved.army_id}.\n"
            f"To use it: emeth new {saved.game} --army SEAT={saved.army_id}"
        )


@army.command("list", short_help="List your saved armies.")
@click.option("--game", type=GameName(), help="List only armies of this game.")
@click.option("--name", default="", metavar="TEXT", help="List only armies with TEXT in the name.")
@owner_option
@with_service
@as_json
def list_armies(
    service: ServiceAddress, game: AnyGame | None, name: str, owner: str | None, as_json: bool
) -> None:
    r"""List the armies that were saved with your owner's token, the latest first.

    \b
    Example:
      emeth army list --name lions
    """
    token = owner or load_owner(service.address)
    wanted = build_filter({"game =": game.slug if game else "", "name :": name})
    found = service.run(lambda client: client.list_armies(token, wanted)) if token else []
    if as_json:
        print_json(found)
        return
    print_table(
        ("ARMY", "GAME", "NAME", "POINTS"),
        ((a.army_id, a.game, a.name, str(a.points)) for a in found),
    )


@army.command("show", short_help="Show a saved army.")
@click.argument("army_id", metavar="ID")
@with_service
@as_json
def show_army(service: ServiceAddress, army_id: str, as_json: bool) -> None:
    r"""Show a saved army: your own, or another whose ID you have.

    \b
    Example:
      emeth army show 5f2c0c8e-...
    """
    found = service.run(lambda client: client.get_army(army_id=army_id))
    if as_json:
        print_json(found)
        return
    click.echo(f"{found.name} ({found.game}, {found.points} points)")
    print_json(from_struct("roster", found.roster))


@army.command("delete", short_help="Delete a saved army.")
@click.argument("army_id", metavar="ID")
@owner_option
@with_service
def delete_army(service: ServiceAddress, army_id: str, owner: str | None) -> None:
    r"""Delete a saved army of yours. Matches that use it continue.

    \b
    Example:
      emeth army delete 5f2c0c8e-...
    """
    token = owner or load_owner(service.address)
    service.run(lambda client: client.delete_army(token, army_id))
    click.echo(f"Army {army_id} is deleted.")


class ContentQuery(Struct, frozen=True):
    """The filters of `emeth content`."""

    faction: str
    kind: str
    given: tuple[str, ...]
    """Options of the match that the army is for, as NAME=VALUE."""


@click.command(short_help="List the units or cards of a game.")
@click.argument("game", type=GameName())
@click.option("--faction", default="", metavar="ID", help="List only what this faction may use.")
@click.option("--kind", default="", metavar="KIND", help="List only this kind, as `golem`.")
@constraint_options
@with_service
@as_json
@collect_options("wanted", ContentQuery)
def content(service: ServiceAddress, game: AnyGame, wanted: ContentQuery, as_json: bool) -> None:
    r"""List the content of a game that the service has: units for armies, or cards.

    \b
    Examples:
      emeth content res-arcana --kind mage
      emeth content golem-arcana --kind golem --faction durani
    """
    found = service.run(
        lambda client: client.list_content(
            game=game.slug,
            constraints=read_options(wanted.given),
            filter=build_filter({"kind =": wanted.kind, "factions :": wanted.faction}),
        )
    )
    if as_json:
        print_json(found)
        return
    if game.armies is None:
        print_table(
            ("KIND", "ID", "NAME", "POINTS", "WHAT IT DOES"),
            ((e.kind, e.id, e.name, str(e.points), e.description) for e in found),
        )
        return
    print_table(
        ("KIND", "ID", "NAME", "SIZE", "POINTS", "FACTIONS", "WHAT IT DOES"),
        (
            (
                e.kind,
                e.id,
                e.name,
                e.size,
                str(e.points),
                ", ".join(e.factions) or "any",
                e.description,
            )
            for e in found
        ),
    )


def _armies(game: AnyGame | None) -> tuple[AnyGame, AnyArmies]:
    """Return the chosen game, or the only one that has armies, and its rules for armies."""
    having = [each for each in GAMES.values() if each.armies is not None]
    chosen = game or (having[0] if len(having) == 1 else None)
    names = ", ".join(each.slug for each in having)
    if chosen is None:
        raise click.UsageError(f"several games have armies: choose one of {names} with --game")
    if chosen.armies is None:
        raise click.UsageError(f"{chosen.name} has no armies to build; games that have: {names}")
    return chosen, chosen.armies


def _read(path: Path) -> dict[str, Any]:
    """Return the army in a TOML or JSON file."""
    try:
        text = path.read_text()
        army = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise click.UsageError(f"cannot read {path}: {error}") from None
    if not isinstance(army, dict):
        raise click.UsageError(f"{path} is not an army: it must hold one JSON object")
    return army


def _faults(faults: Iterable[ArmyFault], game: AnyGame) -> str:
    lines = (f"  {each.path}: {each.why} [{each.rule}]" for each in faults)
    return "\n".join((f"the army breaks rules of {game.name}:", *lines))
