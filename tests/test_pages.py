"""The pages about the project say what is so: rooms and modules, links, and each page once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = ("domain", "projections", "services")
GENERATED = ROOT / "services" / "wire"

MODULES = [
    path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if not path.name.startswith("__") and GENERATED not in path.parents
]
ROOMS = sorted({path.parent for path in MODULES})


def rows() -> dict[str, set[str]]:
    """The modules that each room's row of the page names."""
    found = re.findall(r"^\| `([a-z_/]+)/` \| .* \| (.*) \|$", ARCHITECTURE.read_text(), re.M)
    assert len(dict(found)) == len(found), "a room has two rows"
    return {room: {*re.findall(r"`(\w+)`", modules)} for room, modules in found}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(ROOT)))
def test_every_module_is_named_in_the_row_of_its_room(room: Path) -> None:
    modules = {path.stem for path in MODULES if path.parent == room}
    assert rows().get(str(room.relative_to(ROOT))) == modules


def test_the_page_has_no_room_that_is_not_there() -> None:
    for room in rows():
        assert (ROOT / room / "__init__.py").exists(), room


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_every_path_on_a_page_leads_somewhere(page: Path) -> None:
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#\s]+)", text):
        assert "://" in link or (page.parent / link).exists(), link
    for path in re.findall(rf"`((?:{'|'.join(PACKAGES)}|tests|proto|bench)/[\w./*<>-]*)`", text):
        assert [*ROOT.glob(re.sub("<.*?>", "*", path))], path


def test_the_readme_leads_to_every_page_once() -> None:
    table = README.read_text().partition("## Find your way")[2]
    links = re.findall(r"\]\((docs/[\w/.-]+|[A-Z]+\.md)\)", table)
    assert len(links) == len(set(links))
    pages = {str(page.relative_to(ROOT)) for page in PAGES} - {"README.md"}
    assert pages <= set(links)
