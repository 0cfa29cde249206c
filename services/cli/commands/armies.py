"""`emeth army` and `content`: building armies, and keeping them."""

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
    """The owner's token for the service at this address; empty if none is remembered."""
    return _all().get(address, "")


def remember_owner(address: str, token: str) -> None:
    """Keep the token that a first saved army gave out."""
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
    help="What it is built for, as scenario=twin-wells; may be repeated.",
)
game_option = click.option(
    "--game",
    type=GameName(),
    help="The game.  [default: the one whose players bring armies, if it is the only one]",
)
army_file = click.argument(
    "path", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
owner_option = click.option(
    "--owner",
    envvar="EMETH_OWNER",
    show_envvar=True,
    metavar="TOKEN",
    help="The owner's token, if not the remembered one.",
)


@click.group(short_help="Check, save, list, show and delete armies.")
def army() -> None:
    """Build armies and keep them. An army is a file, TOML or JSON, as its game writes it down.

    \b
    Examples:
      emeth army check lions.toml --for scenario=twin-wells
      emeth army save lions.toml --name "Two lions"
      emeth army list
    """


@army.command("check", short_help="Check an army, without a service.")
@army_file
@game_option
@constraint_options
@with_packs
@as_json
def check_army(
    path: Path, game: AnyGame | None, given: tuple[str, ...], library: Library, as_json: bool
) -> None:
    """Tell everything that is wrong with an army, at once. The exit code is 1 if anything is.

    \b
    Examples:
      emeth army check lions.toml
      emeth army check lions.toml --for scenario=twin-wells
    """
    chosen, armies = _armies(game)
    try:
        army = msgspec.convert(_read(path), armies.army)
    except msgspec.ValidationError as error:
        raise click.UsageError(f"{path.name}: {error}") from None
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
    """How an army is to be saved."""

    name: str | None
    over: str
    """The army that it is saved over; empty for a new one."""
    given: tuple[str, ...]
    """The match that it is for, as options of that."""
    owner: str | None


@army.command("save", short_help="Save an army on the service.")
@army_file
@click.option("--name", metavar="NAME", help="A name for people.  [default: the file's]")
@click.option("--over", default="", metavar="ID", help="Save over this army of yours.")
@game_option
@constraint_options
@owner_option
@with_service
@as_json
@collect_options("wanted", ArmyToSave)
def save_army(
    service: ServiceAddress, path: Path, game: AnyGame | None, wanted: ArmyToSave, as_json: bool
) -> None:
    """Save an army, and remember the token of its owner. Its id lets anybody field it:
    `emeth new GAME --army SEAT=ID`.

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
            f"To field it: emeth new {saved.game} --army SEAT={saved.army_id}"
        )


@army.command("list", short_help="List your saved armies.")
@click.option("--game", type=GameName(), help="Only for this game.")
@click.option("--name", default="", metavar="TEXT", help="Only those with this in their name.")
@owner_option
@with_service
@as_json
def list_armies(
    service: ServiceAddress, game: AnyGame | None, name: str, owner: str | None, as_json: bool
) -> None:
    """List the armies that were saved from here, the latest first.

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
    """Show a saved army: yours, or one whose id you know.

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
    """Delete a saved army of yours. Matches that it fights in go on.

    \b
    Example:
      emeth army delete 5f2c0c8e-...
    """
    token = owner or load_owner(service.address)
    service.run(lambda client: client.delete_army(token, army_id))
    click.echo(f"Army {army_id} is deleted.")


class ContentQuery(Struct, frozen=True):
    """Which content of a game is wanted."""

    faction: str
    kind: str
    given: tuple[str, ...]
    """The match that the army is for, as options of that."""


@click.command(short_help="List what armies are built from, or cards.")
@click.argument("game", type=GameName())
@click.option("--faction", default="", metavar="ID", help="Only what this faction may field.")
@click.option("--kind", default="", metavar="KIND", help="Only entries of this kind, as `golem`.")
@constraint_options
@with_service
@as_json
@collect_options("wanted", ContentQuery)
def content(service: ServiceAddress, game: AnyGame, wanted: ContentQuery, as_json: bool) -> None:
    """List what armies can be built from, as the service has it; of a game that is played with
    cards, the cards.

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
    """The game that is meant, and how its armies are built."""
    having = [each for each in GAMES.values() if each.armies is not None]
    chosen = game or (having[0] if len(having) == 1 else None)
    names = ", ".join(each.slug for each in having)
    if chosen is None:
        raise click.UsageError(f"say with --game which it is for: {names}")
    if chosen.armies is None:
        raise click.UsageError(f"players of {chosen.name} bring no armies; those of {names} do")
    return chosen, chosen.armies


def _read(path: Path) -> dict[str, Any]:
    """The army in a file."""
    try:
        text = path.read_text()
        army = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise click.UsageError(f"cannot read {path}: {error}") from None
    if not isinstance(army, dict):
        raise click.UsageError(f"{path} holds no army: it is one table, or one JSON object")
    return army


def _faults(faults: Iterable[ArmyFault], game: AnyGame) -> str:
    lines = (f"  {each.path}: {each.why} [{each.rule}]" for each in faults)
    return "\n".join((f"the army may not serve in {game.name}:", *lines))
