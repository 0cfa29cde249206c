"""The pages about the project say what is so: folders, links, and each page once."""

import pkgutil
import re
from functools import cache
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


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_on_a_page_exists_and_has_what_is_said_to_be_in_it(page: Path) -> None:
    text = page.read_text()
    for path in re.findall(r"`([\w/]+\.py)`", text):
        assert files_named(path), path
    for name, path in re.findall(
        r"`([\w.]+)(?:\([^`]*\))?`\s(?:in|of|from)\s`([\w/]+\.(?:py|ts|js|proto))`", text
    ):
        word = re.compile(rf"\b{name.rpartition('.')[2]}\b")
        assert any(word.search(file.read_text()) for file in files_named(path)), (name, path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_and_every_call_on_a_page_exists(page: Path) -> None:
    text = page.read_text()
    for dotted in re.findall(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`", text):
        assert pkgutil.resolve_name(dotted), dotted
    calls = re.findall(
        r"^  rpc (\w+)\(",
        "\n".join(f.read_text() for f in ROOT.glob("proto/emeth/**/*.proto")),
        re.M,
    )
    assert {*re.findall(r"\b[A-Z]\w+Service[./]([A-Z]\w+)", text)} <= {*calls}


@cache
def files_named(end: str) -> list[Path]:
    """Return the files whose path ends like this; pages leave out folders that are clear."""
    folders = (*PACKAGES, "tests", "bench", "proto", "web/board", "web/client", "web/console")
    tops = [ROOT / folder for folder in folders]
    return [file for top in tops for file in top.rglob(Path(end).name) if file.match(end)]


def test_the_readme_leads_to_every_page_once() -> None:
    table = README.read_text().partition("## Find your way")[2]
    links = re.findall(r"\]\((docs/[\w/.-]+|[A-Z]+\.md)\)", table)
    assert len(links) == len(set(links))
    pages = {str(page.relative_to(ROOT)) for page in PAGES} - {"README.md"}
    assert pages <= set(links)


def nouns_of_calls() -> set[str]:
    """Return what the calls of the API are about, such as `gateway key` of `RotateGatewayKey`."""
    text = "\n".join(path.read_text() for path in (ROOT / "proto" / "emeth").rglob("*.proto"))
    names = re.findall(r"^  rpc [A-Z][a-z]+(?:To)?([A-Z]\w+)\(", text, re.M)
    return {" ".join(re.findall("[A-Z][a-z]+", name)).lower() for name in names}


@pytest.mark.parametrize("noun", sorted(nouns_of_calls()))
def test_the_glossary_has_what_the_calls_of_the_api_are_about(noun: str) -> None:
    terms = re.findall(r"^\| ([\w, ]+) \|", (ROOT / "docs" / "glossary.md").read_text(), re.M)
    singular = re.sub("ies$", "y", noun) if noun.endswith("ies") else noun
    singular = re.sub("(?<=ch)es$", "", singular)
    assert {noun, singular, singular.removesuffix("s")} & {*", ".join(terms).lower().split(", ")}
