"""What a second implementation of a game has to offer: three functions over text.

A shadow is a Python module with `GAME`, `start`, `legal` and `apply`. Positions and actions are the
notations of the game's reference, options are as they stand in the log. So a shadow may be written
in any way, in any language that Python can call, and needs nothing of this house but two values.
"""

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from msgspec import Struct


class Allowed(Struct, frozen=True):
    """An action that a shadow finds legal, with what it makes of it."""

    position: str
    facts: tuple[Mapping[str, Any], ...] | None = None
    """As they are recorded, each with its `type`; None if this shadow tells no facts."""


class Forbidden(Struct, frozen=True):
    """An action that a shadow finds illegal."""

    rule: str = ""
    """The id of the rule that forbids it; empty if this shadow does not say."""


class Shadow(Protocol):
    """A second implementation of one game. All its functions are pure."""

    GAME: str
    """The slug of the game."""

    def start(self, options: Mapping[str, Any]) -> str:
        """The first position."""

    def legal(self, position: str, options: Mapping[str, Any], seat: str) -> Iterable[str] | None:
        """All that this seat may do, each once; None if this shadow lists nothing."""

    def apply(
        self, position: str, options: Mapping[str, Any], seat: str, action: str
    ) -> Allowed | Forbidden:
        """What comes of an action, whether or not it is legal."""


class NoShadowError(ValueError):
    """A module that is none, or is not there; `str()` says why."""


def load_shadow(module: str) -> Shadow:
    """The shadow of this name, as `services.shadow.agog_bitboards`. NoShadowError."""
    try:
        found = import_module(module)
    except Exception as error:  # another's code: whatever it raises is what it is at fault with
        raise NoShadowError(f"{module} cannot be loaded: {type(error).__name__}: {error}") from None
    wanted = ("start", "legal", "apply")
    missing = [name for name in wanted if not callable(getattr(found, name, None))]
    if not isinstance(getattr(found, "GAME", None), str):
        missing.insert(0, "GAME")
    if missing:
        raise NoShadowError(
            f"{module} has no {', '.join(missing)}: docs/shadow.md says what it needs"
        )
    return cast(Shadow, found)
