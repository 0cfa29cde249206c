"""The token of a frontend's player, for a command: given by a flag or by the environment."""

import click

player_token = click.option(
    "--player",
    "player",
    envvar="EMETH_PLAYER",
    show_envvar=True,
    default="",
    metavar="TOKEN",
    help="The token of a frontend's player.",
)
