"""The commands `emeth games`, `rules` and `perft`, which need no service."""

import json
from collections.abc import Iterator

import click
import msgspec

from domain.conformance.perft import divide, perft
from domain.kernel.game import AnyGame
from domain.kernel.notation_error import NotationError
from domain.kernel.options import Option, options_in
from domain.kernel.rulings import Rule
from domain.log.digests import encode_as_digest
from domain.registry import GAMES
from services.cli.options import GameName, as_json, game_options, parse_game_options
from services.cli.terminal.console import print_json, print_table


@click.command(short_help="List the games.")
@as_json
def games(as_json: bool) -> None:
    """List the games that can be played."""
    if as_json:
        print_json([{"slug": g.slug, "name": g.name, "summary": g.summary} for g in GAMES.values()])
        return
    print_table(
        ("GAME", "NAME", "WHAT IT IS"), ((g.slug, g.name, g.summary) for g in GAMES.values())
    )


@click.command(short_help="Show a game's options, notation and rules.")
@click.argument("game", type=GameName())
@click.option("--find", default="", metavar="TEXT", help="Show only rules with this text.")
@game_options
@as_json
def rules(game: AnyGame, find: str, given: tuple[str, ...], as_json: bool) -> None:
    r"""Show a game's options, seats, start position, notation and rules.

    The seats and the start position are those with the options of --option.

    \b
    Examples:
      emeth rules agog
      emeth rules agog --find sanctum
      emeth rules res-arcana --option players=4
    """
    options = parse_game_options(game, given)
    seats, start = game.seats(options), game.write_position(game.start(options))
    found = [rule for rule in game.rules.values() if find.lower() in str(rule).lower()]
    if as_json:
        described = options_in(game.options, encode_as_digest)
        print_json(
            {
                "game": game.slug,
                "options": msgspec.to_builtins(described),
                "seats": seats,
                "start": start,
                "notation": game.notation,
                "rules": msgspec.to_builtins(found),
            }
        )
        return
    if not find:
        click.echo(f"{game.name}: {game.summary}\n")
        print_table(("OPTION", "DEFAULT", "CHOICES", "WHAT IT IS"), _options(game))
        click.echo(f"\nseats {', '.join(seats)}\nstart {start}")
        click.echo(f"\n{game.notation.strip()}\n")
    print_table(("RULE", "MEANING", "SOURCE"), ((r.id, r.meaning, _source(r)) for r in found))


def _options(game: AnyGame) -> Iterator[tuple[str, str, str, str]]:
    for each in options_in(game.options, encode_as_digest):
        default = json.dumps(each.default).strip('"')
        yield each.name, default, _choices(each), each.description


def _choices(option: Option) -> str:
    """Return the values of an option, such as `front, spine`, `0 to 20` or `true, false`."""
    if option.choices:
        return ", ".join(str(each.value) for each in option.choices if each.value is not None)
    if option.min_value is not None:
        return f"{option.min_value} to {option.max_value}"
    return "true, false" if option.kind == "boolean" else option.kind


def _source(rule: Rule) -> str:
    return "; ".join((rule.source, *rule.rulings))


@click.command("perft", short_help="Count legal action sequences.")
@click.argument("game", type=GameName())
@click.argument("depth", type=click.IntRange(min=1))
@click.option("--position", metavar="TEXT", help="Count from this position.  [default: the start]")
@click.option("--divide", "divided", is_flag=True, help="Split the last count by first action.")
@game_options
@as_json
def count(
    game: AnyGame,
    depth: int,
    position: str | None,
    divided: bool,
    given: tuple[str, ...],
    as_json: bool,
) -> None:
    r"""Count all legal sequences of 1, 2, ... DEPTH actions, without resignations.

    \b
    Examples:
      emeth perft agog 4
      emeth perft agog 2 --option handicap=3 --divide
      emeth perft agog 3 --position '8/8/8/2gJ1G2/8/hh3H2/8/5j2 w 4 0 - *'
    """
    options = parse_game_options(game, given)
    try:
        state = game.start(options) if position is None else game.read_position(position, options)
    except NotationError as error:
        raise click.UsageError(f"--position: {error}") from None
    if as_json:
        counts = {str(n): perft(game, state, n) for n in range(1, depth + 1)}
        split = {"divide": divide(game, state, depth)} if divided else {}
        print_json(
            {"game": game.slug, "position": game.write_position(state), "perft": counts} | split
        )
        return
    for n in range(1, depth + 1):
        click.echo(f"{n} {perft(game, state, n)}")
    if divided:
        for action, ways in divide(game, state, depth).items():
            click.echo(f"{action}: {ways}")
