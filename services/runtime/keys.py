"""Secret keys of the service: their sources, and the minimum quality of each.

Whoever guesses the secret can make the token of any role, and predict the dice of every match. A
key that is damaged or guessable therefore stops the start, whether it comes from a setting or a
file.
"""

import secrets
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Final

from services.runtime.files import OWNER_ONLY, write_atomically

KEY_BYTES: Final = 32
"""Length of a key."""
MIN_DISTINCT_BYTES: Final = 16
"""Minimum number of distinct bytes in a key, and of distinct differences between neighbors. Of
200,000 random keys none had fewer than 22 of either; a pattern has few."""
MAX_TOKEN_LENGTH: Final = 256
"""Maximum length of a token in a call, in characters."""
MIN_ADMIN_KEY_LENGTH: Final = 16
"""Minimum length of an admin key that an operator chose, in characters."""
MIN_DISTINCT_CHARACTERS: Final = 8
"""Minimum number of distinct characters in an admin key."""
GENERATION_HINT: Final = "`openssl rand -hex 32` makes a good one"


class BadKeyError(ValueError):
    """A key that is missing, damaged or guessable; `str()` says which, and what to do."""


def load_key(setting: str, variable: str, path: Path) -> bytes:
    """Return the key that a setting gives in hexadecimal, or the key in a file.

    Without a file a new key is written to it, readable by its owner only.

    Args:
        setting: The value of the setting; empty to use the file.
        variable: Name of the setting, for errors.
        path: The file.

    Raises:
        BadKeyError: The key is damaged or guessable.
        OSError: The file cannot be written.
    """
    if setting:
        try:
            return parse_key(setting)
        except BadKeyError as error:
            raise BadKeyError(f"{variable} {error}: {GENERATION_HINT}") from None
    return load_key_file(path)


def load_key_file(path: Path) -> bytes:
    """Return the key in a file, which is created with a new key if it is missing.

    Raises as `load_key` does.
    """
    if not path.exists():
        write_atomically(path, secrets.token_hex(KEY_BYTES).encode() + b"\n", OWNER_ONLY)
    try:
        return parse_key(_text(path))
    except BadKeyError as error:
        raise BadKeyError(
            f"{path} {error}: restore it from a backup, or move the file away, "
            "and a new key is created"
        ) from None


def fingerprint(key: bytes) -> str:
    """Return a digest by which two services can compare their keys without showing them."""
    return sha256(b"emeth fingerprint " + key).hexdigest()


def check_admin_key(word: str, variable: str) -> str:
    """Return an admin key that an operator chose, if it is valid and hard to guess.

    Raises:
        BadKeyError: The key cannot be sent in a header, or is too easy to guess.
    """
    if not word.isascii() or not word.isprintable() or " " in word:
        why = "has characters that a header cannot carry: use printable ASCII without blanks"
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
        raise BadKeyError("is not a key: it contains binary data") from None


def parse_key(text: str) -> bytes:
    """Return the 32 bytes of a key in 64 hexadecimal digits.

    Raises:
        BadKeyError: The text is not a key, or the key is guessable; the error says which.
    """
    if not text:
        raise BadKeyError("is empty")
    if len(text) != 2 * KEY_BYTES or not set(text) <= set("0123456789abcdef"):
        raise BadKeyError(f"is not a key: a key is {2 * KEY_BYTES} digits of 0-9 and a-f")
    raw = bytes.fromhex(text)
    steps = {(after - before) % 256 for before, after in pairwise(raw)}
    if min(len(set(raw)), len(steps)) < MIN_DISTINCT_BYTES:
        raise BadKeyError("is a guessable key: its digits follow a pattern")
    return raw
