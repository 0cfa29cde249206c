"""Content packs on disk: which files make a pack, of which game; and a folder of them, loaded."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog
from msgspec import Struct

from domain.kernel.packs import BUILT_IN_PACKS, Library, Pack, PackType
from domain.registry import GAMES
from services.runtime.files import make_folder, write_atomically

_LOG: Final = structlog.get_logger(__name__)


class PacksError(Exception):
    """Files that are no content pack, or a faulty one; `errors` has a line for each fault."""

    def __init__(self, *errors: str) -> None:
        super().__init__("; ".join(errors))
        self.errors = errors


class PackFiles(Struct, frozen=True):
    """The files of a pack."""

    packs: PackType
    paths: tuple[Path, ...]
    """In the order of the game's endings."""

    def read(self, *, checked: bool = False) -> Pack:
        """The pack. PacksError has all that is wrong, unless it was `checked` before: then what a
        stricter check of today finds wrong does not count."""
        found = self.packs.read(self._contents(), checked)
        if isinstance(found, Pack):
            return found
        name = self.paths[0].name.split(".")[0]
        raise PacksError(*(f"{name}: {error}" for error in found))

    def _contents(self) -> list[bytes]:
        try:
            return [path.read_bytes() for path in self.paths]
        except OSError as error:
            raise PacksError(f"cannot read {error.filename}: {error.strerror}") from None


def find_pack_files(path: Path) -> PackFiles:
    """The pack that a file is part of, with its other files, which lie beside it. PacksError for a
    file that is none of any game."""
    for packs in _with_packs():
        for ending in packs.file_suffixes:
            if path.name.endswith(ending):
                stem = path.name.removesuffix(ending)
                paths = tuple(path.with_name(stem + each) for each in packs.file_suffixes)
                return PackFiles(packs, paths)
    known = ", ".join(ending for packs in _with_packs() for ending in packs.file_suffixes)
    raise PacksError(f"{path.name} is not a file of a content pack: these end in {known}")


def add_folder(
    folder: Path, library: Library = BUILT_IN_PACKS, keep: Path | None = None
) -> Library:
    """The library with every pack in a folder, so that matches may use them. They are copied into
    the folder `keep`, named by their digests, since a match can only be read with its pack.

    PacksError for the first that cannot be used or kept, or if there is no such folder.
    """
    return library.with_packs([_added(files, keep) for files in _within(folder)])


def load_stored_packs(folder: Path) -> Library:
    """The packs that `add_folder` kept here, for the matches that began with them.

    PacksError for the first that cannot be read, or if there is no such folder. One that lacks a
    file is passed over: it was never kept whole, so no match began with it, unless it was lost.
    """
    kept = []
    for files in _within(folder):
        if missing := [path.name for path in files.paths if not path.exists()]:
            _LOG.warning("content_pack_not_whole", folder=str(folder), missing=missing)
        else:
            kept.append(files.read(checked=True))
    return BUILT_IN_PACKS.with_packs(kept)


def _within(folder: Path) -> list[PackFiles]:
    if not folder.is_dir():
        raise PacksError(f"{folder} is not a folder")
    found: dict[tuple[Path, ...], PackFiles] = {}
    for packs in _with_packs():
        for path in _listed(folder):
            if path.name.endswith(packs.file_suffixes):
                files = find_pack_files(path)
                found[files.paths] = files
    return [*found.values()]


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        raise PacksError(f"cannot read {folder}: {error.strerror}") from None


def _added(files: PackFiles, keep: Path | None) -> Pack:
    pack = files.read()
    if keep is not None:
        try:
            make_folder(keep)
            for ending, path in zip(files.packs.file_suffixes, files.paths, strict=True):
                if not (target := keep / f"{pack.digest}{ending}").exists():
                    write_atomically(target, path.read_bytes())
        except OSError as error:
            raise PacksError(f"cannot keep {error.filename}: {error.strerror}") from None
    return pack


def _with_packs() -> Iterator[PackType]:
    for game in GAMES.values():
        if game.packs is not None:
            yield game.packs
