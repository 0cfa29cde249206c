"""The lessons of tutorials.

A pack's own are in its scenarios. Those of the packs that come with the game are in a file beside
them, which is no part of their digests: matches name their pack by its digest, so that the file of
a pack can never change while there are matches of it; but lessons, which no rule looks at, can be
told better from one release to the next.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from domain.games.golem_arcana.content.cards import Lesson
from domain.games.golem_arcana.content.pack import Pack
from domain.games.golem_arcana.content.packs import SHIPPED


class _Course(Struct, frozen=True, forbid_unknown_fields=True):
    """The lessons of one scenario of a pack that comes with the game."""

    pack: str
    scenario: str
    lesson: Annotated[tuple[Lesson, ...], msgspec.Meta(min_length=1)]


def _shipped() -> Mapping[tuple[str, str], tuple[Lesson, ...]]:
    """By the digest of the pack and the id of the scenario."""
    text = (files(__package__) / "tutorials.toml").read_text()
    courses = msgspec.convert(tomllib.loads(text)["tutorial"], tuple[_Course, ...])
    digests = {pack.head.id: pack.digest for pack in SHIPPED}
    return {(digests[each.pack], each.scenario): each.lesson for each in courses}


_SHIPPED: Final = _shipped()


def lessons(pack: Pack, scenario: str) -> tuple[Lesson, ...]:
    """The lessons of a scenario; none if it is no tutorial."""
    return pack.scenarios[scenario].lessons or _SHIPPED.get((pack.digest, scenario), ())
