"""Codes as pictures that a device can scan: in the terminal, or as SVG."""

import io
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec import Struct

if TYPE_CHECKING:
    import segno

SCALE: Final = 8
"""Pixels of a module in an SVG, so that it is large enough on a sheet of paper as it is."""


class Pictured(Struct, frozen=True):
    """How a code is to be shown beside its letters."""

    qr: bool
    svg: Path | None

    def save(self, uri: str) -> None:
        """Write what a device is to scan to the file, if one was asked for."""
        if self.svg is not None:
            _made(uri).save(str(self.svg), kind="svg", scale=SCALE)

    def draw(self, uri: str) -> None:
        """Draw it in the terminal, if that was asked for."""
        if self.qr:
            drawn = io.StringIO()
            _made(uri).terminal(drawn, compact=True)
            click.echo(drawn.getvalue(), nl=False)


def _made(uri: str) -> "segno.QRCode":
    # Only here: few commands draw one.
    import segno

    return segno.make(uri, micro=False)


def pictured(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command that can draw its code: adds `--qr` and `--svg`, passes `picture`."""

    @wraps(command)
    def drawing(*args: Any, qr: bool, svg: Path | None, **rest: Any) -> Any:
        return command(*args, picture=Pictured(qr, svg), **rest)

    for flag in (
        click.option(
            "--svg",
            type=click.Path(dir_okay=False, path_type=Path),
            help="Write a QR code to this file.",
        ),
        click.option("--qr", is_flag=True, help="Draw a QR code to scan."),
    ):
        drawing = flag(drawing)
    return drawing
