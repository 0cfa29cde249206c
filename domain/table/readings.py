"""What a board shows with a scan, as far as its readings were not corrected."""

from collections.abc import Mapping

from domain.table.state import Corrected, Stylus

Spaces = Mapping[str, tuple[str, ...]]


def shown(stylus: Stylus, spaces: Spaces, *, whole: bool) -> dict[str, tuple[str, ...]]:
    """What stands on the spaces that a board watches, after it read these."""
    corrected = still_corrected(stylus, spaces)
    board = {} if whole else stylus.board
    meant = {
        space: corrected[space].meant if space in corrected else signs
        for space, signs in spaces.items()
    }
    return {**board, **meant}


def still_corrected(stylus: Stylus, spaces: Spaces) -> dict[str, Corrected]:
    """The corrections that hold after a board read these: those of readings that did not change."""
    return {
        space: each
        for space, each in stylus.corrected.items()
        if tuple(spaces.get(space, each.read)) == each.read
    }
