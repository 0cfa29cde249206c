"""The keys that the service lives by: where each comes from, and which are good enough.

A key that can be guessed opens everything: whoever has the secret makes the token of any role, and
knows the dice of every match before they fall. So a key that is not as it was made, whether it
comes from a setting or lies in a file, stops the start.
"""

import secrets
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final

from services.runtime.files import OWNER_ONLY, put

BYTES: Final = 32
"""Of a key."""
LEAST_VARIETY: Final = 16
"""A key has at least so many different bytes, and different steps from byte to byte. Of 200,000
that were drawn none had fewer than 22 of either; a pattern has few."""
LONGEST: Final = 256
"""Characters of a token that calls may carry."""
SHORTEST_WORD: Final = 16
"""Characters of an admin key that somebody chose."""
LEAST_LETTERS: Final = 8
"""Different characters in it."""
MAKE_ONE: Final = "`openssl rand -hex 32` makes a good one"


class BadKeyError(ValueError):
    """A key that is missing, damaged, or too easily guessed; `str()` says which, and what to do."""


def key(setting: str, variable: str, path: Path) -> bytes:
    """The 32 bytes of the key that a setting gives in hexadecimal, or else a file; made, readable
    by its owner only, if there is no such file.

    `variable` names the setting. Raises BadKeyError, and OSError if no file can be made.
    """
    if setting:
        try:
            return read_key(setting)
        except BadKeyError as error:
            raise BadKeyError(f"{variable} {error}: {MAKE_ONE}") from None
    return key_file(path)


def key_file(path: Path) -> bytes:
    """The key in a file, as `key`."""
    if not path.exists():
        put(path, secrets.token_hex(BYTES).encode() + b"\n", OWNER_ONLY)
    try:
        return read_key(_text(path))
    except BadKeyError as error:
        raise BadKeyError(
            f"{path} {error}: put back the key that it had, from a backup, or move the file away, "
            "and a new key is made"
        ) from None


def fingerprint(key: bytes) -> str:
    """What tells whether two services have one key, and nothing else of it."""
    return sha256(b"emeth fingerprint " + key).hexdigest()


def check_word(word: str, variable: str) -> str:
    """An admin key that somebody chose, if it cannot easily be guessed, and can be sent in a call.

    Raises BadKeyError.
    """
    if not word.isascii() or not word.isprintable() or " " in word:
        why = "has characters that a call cannot carry (letters, digits and signs of ASCII can be)"
    elif len(word) < SHORTEST_WORD:
        why = f"has {len(word)} characters, and needs {SHORTEST_WORD} or more"
    elif len(word) > LONGEST:
        why = f"has {len(word)} characters, and may have {LONGEST}"
    elif len(set(word)) < LEAST_LETTERS:
        why = f"has too few different characters: {LEAST_LETTERS} are needed"
    else:
        return word
    raise BadKeyError(f"{variable} {why}; {MAKE_ONE}")


def _text(path: Path) -> str:
    if not path.is_file():
        raise BadKeyError("is not a file")
    try:
        with path.open("rb") as file:
            return file.read(4 * BYTES).decode("ascii").strip()
    except OSError as error:
        raise BadKeyError(f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadKeyError("holds no key but other bytes") from None


def read_key(text: str) -> bytes:
    """The 32 bytes in 64 hexadecimal digits. BadKeyError, which says what is wrong, for what is no
    key or can be guessed."""
    if not text:
        raise BadKeyError("is empty")
    if len(text) != 2 * BYTES or not set(text) <= set("0123456789abcdef"):
        raise BadKeyError(f"holds no key: that is {2 * BYTES} digits of 0-9 and a-f")
    raw = bytes.fromhex(text)
    steps = {(after - before) % 256 for before, after in pairwise(raw)}
    if min(len(set(raw)), len(steps)) < LEAST_VARIETY:
        raise BadKeyError("holds a key that can be guessed: its digits follow a pattern")
    return raw
