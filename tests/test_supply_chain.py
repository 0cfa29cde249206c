"""What the service is made of is pinned, and may be used; the page of threats names real tests."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/security.md").read_text()
LOCKS = ("requirements.txt", "requirements-dev.txt")
GOOD: Final = re.compile(
    r"MIT|BSD|Apache|PSF|Python Software|Public Domain|MPL|Mozilla|LGPL|ISC|Unlicense|0BSD|Zlib",
    re.I,
)
"""Licences of what the service may load: none asks that what loads it be given away too."""


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_is_pinned_by_its_hash(lock: str) -> None:
    entries = re.split(r"\n(?=[a-z])", (ROOT / lock).read_text().strip())
    assert len(entries) > 20
    for entry in entries:
        assert re.match(r"[a-z0-9._\[\]-]+==[^\s]+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_the_locks_have_what_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"], project["dependency-groups"]["dev"]
    for lock, asked in zip(LOCKS, wanted, strict=True):
        pinned = dict(
            re.findall(r"^([a-z0-9._-]+)(?:\[.*\])?==([^ ]+)", (ROOT / lock).read_text(), re.M)
        )
        for each in map(Requirement, asked):
            version = pinned.get(each.name.lower())
            assert version, f"{each.name} is not in {lock}: run `make lock`"
            assert each.specifier.contains(version), f"{each}, and {lock} has {version}"


def test_every_package_that_the_service_loads_has_a_licence_that_lets_it() -> None:
    names = re.findall(r"^([a-z0-9._-]+)==", (ROOT / "requirements.txt").read_text(), re.M)
    for name in names:
        try:
            found = metadata(name)
        except PackageNotFoundError:
            continue  # for another system
        licenses = [found.get("License-Expression"), (found.get("License") or "")[:60]]
        licenses += [each for each in found.get_all("Classifier", []) if each.startswith("License")]
        assert GOOD.search(" ".join(filter(None, licenses))), (name, licenses)


def test_the_bill_of_materials_has_every_package_of_the_service_with_its_hashes() -> None:
    made = subprocess.run(
        ("make", "-s", "sbom", f"BIN={Path(sys.executable).parent}"),
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if made.returncode and re.search(r"Failed to fetch|error sending request", made.stderr):
        pytest.skip("the tool that makes it is not here, and there is no network")
    assert made.returncode == 0, made.stderr
    bill = json.loads((ROOT / "build/sbom.json").read_text())
    assert bill["bomFormat"] == "CycloneDX"
    lock = (ROOT / "requirements.txt").read_text()
    entries = [re.split(r"[\s;]+", each) for each in re.split(r"\n(?=[a-z])", lock.strip())]
    hashes = {
        (*re.sub(r"\[.*\]", "", words[0]).split("=="),): {
            word.removeprefix("--hash=sha256:") for word in words if word.startswith("--hash")
        }
        for words in entries
    }
    assert {
        (each["name"], each["version"]): {
            found["content"] for place in each["externalReferences"] for found in place["hashes"]
        }
        for each in bill["components"]
    } == hashes


def threats() -> list[tuple[str, str]]:
    return re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", PAGE)


def test_every_threat_has_an_answer_and_a_test() -> None:
    section = PAGE.partition("## What may be tried")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(threats()) > 20
    assert all(all(cell.strip() for cell in row.strip("|").split("|")) for row in rows)


@pytest.mark.parametrize(("file", "name"), threats())
def test_the_page_of_threats_names_tests_that_there_are(file: str, name: str) -> None:
    tree = ast.parse((ROOT / file).read_text())
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
