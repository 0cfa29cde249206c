"""Content packs in folders: finding their files, and loading them."""

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
    """Files are not a content pack, or a faulty one; `errors` has a line for each fault."""

    def __init__(self, *errors: str) -> None:
        super().__init__("; ".join(errors))
        self.errors = errors


class PackFiles(Struct, frozen=True):
    """The files of a content pack."""

    packs: PackType
    paths: tuple[Path, ...]
    """Paths in the order of the game's file name endings."""

    def read(self, *, checked: bool = False) -> Pack:
        """Return the content pack.

        Args:
            checked: Whether the pack was validated before. Then newer, stricter checks are skipped.

        Raises:
            PacksError: The pack is unreadable or faulty.
        """
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
    """Return the pack that a file belongs to, with its other files in the same folder.

    Raises:
        PacksError: The file does not belong to any game.
    """
    for packs in _with_packs():
        for ending in packs.file_suffixes:
            if path.name.endswith(ending):
                stem = path.name.removesuffix(ending)
                paths = tuple(path.with_name(stem + each) for each in packs.file_suffixes)
                return PackFiles(packs, paths)
    known = ", ".join(ending for packs in _with_packs() for ending in packs.file_suffixes)
    raise PacksError(f"{path.name} is not a content pack file: their names end in {known}")


def add_folder(
    folder: Path, library: Library = BUILT_IN_PACKS, keep: Path | None = None
) -> Library:
    """Return the library with every pack in a folder added.

    The packs are copied into the folder `keep` under their digests, since a match is readable only
    with its pack.

    Raises:
        PacksError: A pack is unusable or cannot be copied, or the folder does not exist.
    """
    return library.with_packs([_added(files, keep) for files in _within(folder)])


def load_stored_packs(folder: Path) -> Library:
    """Return the packs that `add_folder` stored in a folder, for matches that use them.

    Incomplete packs are skipped: no match can have started with one.

    Raises:
        PacksError: A pack is unreadable, or the folder does not exist.
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
        for path in _files_in(folder):
            if path.name.endswith(packs.file_suffixes):
                files = find_pack_files(path)
                found[files.paths] = files
    return [*found.values()]


def _files_in(folder: Path) -> list[Path]:
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
            raise PacksError(f"cannot write {error.filename}: {error.strerror}") from None
    return pack


def _with_packs() -> Iterator[PackType]:
    for game in GAMES.values():
        if game.packs is not None:
            yield game.packs
