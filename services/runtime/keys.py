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

from services.runtime.files import OWNER_ONLY, write_atomically

KEY_BYTES: Final = 32
"""Of a key."""
MIN_DISTINCT_BYTES: Final = 16
"""A key has at least so many different bytes, and different steps from byte to byte. Of 200,000
that were drawn none had fewer than 22 of either; a pattern has few."""
MAX_TOKEN_LENGTH: Final = 256
"""Characters of a token that calls may carry."""
MIN_ADMIN_KEY_LENGTH: Final = 16
"""Characters of an admin key that somebody chose."""
MIN_DISTINCT_CHARACTERS: Final = 8
"""Different characters in it."""
GENERATION_HINT: Final = "`openssl rand -hex 32` makes a good one"


class BadKeyError(ValueError):
    """A key that is missing, damaged, or too easily guessed; `str()` says which, and what to do."""


def load_key(setting: str, variable: str, path: Path) -> bytes:
    """The 32 bytes of the key that a setting gives in hexadecimal, or else a file; made, readable
    by its owner only, if there is no such file.

    `variable` names the setting. Raises BadKeyError, and OSError if no file can be made.
    """
    if setting:
        try:
            return parse_key(setting)
        except BadKeyError as error:
            raise BadKeyError(f"{variable} {error}: {GENERATION_HINT}") from None
    return load_key_file(path)


def load_key_file(path: Path) -> bytes:
    """The key in a file, as `key`."""
    if not path.exists():
        write_atomically(path, secrets.token_hex(KEY_BYTES).encode() + b"\n", OWNER_ONLY)
    try:
        return parse_key(_text(path))
    except BadKeyError as error:
        raise BadKeyError(
            f"{path} {error}: put back the key that it had, from a backup, or move the file away, "
            "and a new key is made"
        ) from None


def fingerprint(key: bytes) -> str:
    """What tells whether two services have one key, and nothing else of it."""
    return sha256(b"emeth fingerprint " + key).hexdigest()


def check_admin_key(word: str, variable: str) -> str:
    """An admin key that somebody chose, if it cannot easily be guessed, and can be sent in a call.

    Raises BadKeyError.
    """
    if not word.isascii() or not word.isprintable() or " " in word:
        why = "has characters that a call cannot carry (letters, digits and signs of ASCII can be)"
    elif len(word) < MIN_ADMIN_KEY_LENGTH:
        why = f"has {len(word)} characters, and needs {MIN_ADMIN_KEY_LENGTH} or more"
    elif len(word) > MAX_TOKEN_LENGTH:
        why = f"has {len(word)} characters, and may have {MAX_TOKEN_LENGTH}"
    elif len(set(word)) < MIN_DISTINCT_CHARACTERS:
        why = f"has too few different characters: {MIN_DISTINCT_CHARACTERS} are needed"
    else:
        return word
    raise BadKeyError(f"{variable} {why}; {GENERATION_HINT}")


def _text(path: Path) -> str:
    if not path.is_file():
        raise BadKeyError("is not a file")
    try:
        with path.open("rb") as file:
            return file.read(4 * KEY_BYTES).decode("ascii").strip()
    except OSError as error:
        raise BadKeyError(f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise BadKeyError("holds no key but other bytes") from None


def parse_key(text: str) -> bytes:
    """The 32 bytes in 64 hexadecimal digits. BadKeyError, which says what is wrong, for what is no
    key or can be guessed."""
    if not text:
        raise BadKeyError("is empty")
    if len(text) != 2 * KEY_BYTES or not set(text) <= set("0123456789abcdef"):
        raise BadKeyError(f"holds no key: that is {2 * KEY_BYTES} digits of 0-9 and a-f")
    raw = bytes.fromhex(text)
    steps = {(after - before) % 256 for before, after in pairwise(raw)}
    if min(len(set(raw)), len(steps)) < MIN_DISTINCT_BYTES:
        raise BadKeyError("holds a key that can be guessed: its digits follow a pattern")
    return raw
