"""Receipts that somebody kept as files: `emeth verify` checks them."""

from pathlib import Path
from typing import Final

import click

from services.cli.terminal.console import CommandRefused, print_json
from services.proof.receipts import open_receipt
from services.proof.signed_notes import RECEIPT
from services.proof.signing import NoteError, VerifierKey

LARGEST: Final = 65_536
"""Bytes of a receipt: a path has 32 hashes at most, since a group has fewer than 2^32 receipts."""


def is_receipt(file: Path) -> bool:
    """Does the file begin as receipts do?"""
    with file.open("rb") as begun:
        return begun.readline(len(RECEIPT) + 1) == f"{RECEIPT}\n".encode()


def print_receipt(file: Path, key: VerifierKey, *, as_json: bool) -> None:
    """Tell what a receipt says. CommandRefused if the key has not signed it."""
    with file.open("rb") as begun:
        raw = begun.read(LARGEST)
    try:
        receipt = open_receipt(raw.decode(), key)
    except (NoteError, UnicodeDecodeError) as error:
        raise CommandRefused(f"the receipt is not sound: {error}") from None
    match, version, digest = str(receipt.match), receipt.version, receipt.digest
    if as_json:
        print_json({"match_id": match, "version": version, "digest": digest, "key": str(key)})
    else:
        click.echo(f"sound: event {version} of match {match} has the digest {digest}")
        click.echo(f"signed with {key}")
