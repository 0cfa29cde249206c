"""The option `--player` of commands that take the token of a frontend's player."""

import click

player_token = click.option(
    "--player",
    "player",
    envvar="EMETH_PLAYER",
    show_envvar=True,
    default="",
    metavar="TOKEN",
    help="Token of a player of a frontend.",
)
