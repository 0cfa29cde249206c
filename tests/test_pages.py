"""The pages about the project say what is so: folders, links, and each page once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PACKAGES = ("domain", "projections", "services")
GENERATED = ROOT / "services" / "wire"

FOLDERS = sorted(
    {
        path.parent.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if GENERATED not in path.parents and len(path.parent.relative_to(ROOT).parts) == 2
    }
)


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_every_folder_is_in_the_table_of_the_architecture(folder: Path) -> None:
    rows = [line for line in ARCHITECTURE.read_text().splitlines() if line.startswith("| `")]
    assert any(f"`{folder}/`" in row.split(" | ")[0] for row in rows)


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
