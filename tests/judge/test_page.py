"""The judge as one file, opened from a disk with no network: verdicts, moments, what-if, and games
of two people on one screen."""

from collections.abc import Iterator
from io import BytesIO
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from domain.match import Finding
from domain.registry import GAMES
from services.files import JUDGE_FILE
from services.proof.match_file import verify
from tests.console.conftest import DESKTOP, PHONE, Served
from tests.console.test_pages import serious
from tests.services.proof.mutations import forged
from tests.services.proof.test_mutated_files import written

STARTED = 100_000
"""Milliseconds in which the rules are read, on a machine that is busy."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """One page for all, since it takes seconds to start. It asks nobody for anything."""
    assert JUDGE_FILE.is_file(), "`make judge` builds what is tested here"
    context = browser.new_context(viewport=DESKTOP, offline=True)
    complaints, asked = list[str](), list[str]()
    page = context.new_page()
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    # Wherever the screen is passed on, whoever is asked looks at it.
    curtain = page.locator(".curtain button")
    page.add_locator_handler(curtain, lambda button: button.click())
    page.goto(JUDGE_FILE.as_uri())
    yield page
    context.close()
    assert complaints == []
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob"}


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    file = tmp_path / "sound.emeth"
    file.write_bytes(written("earthen-war"))
    return file


def hand_over(page: Page, file: Path) -> None:
    """Give the page a file, and wait for the verdict."""
    if page.locator(".page-head a").count():
        page.click(".page-head a")
    expect(page.locator(".games li")).to_have_count(len(GAMES), timeout=STARTED)
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".verdict")).to_contain_text(file.name)


def test_a_sound_file_is_judged_shown_and_tried_otherwise(page: Page, sound: Path) -> None:
    hand_over(page, sound)
    expect(page.locator(".verdict h2")).to_have_text("Sound")
    expect(page.locator(".verdict")).to_contain_text("example.org/emeth")
    page.click(".verdict a.button")
    events = page.locator(".events li")
    expect(events).to_have_count(sound.read_bytes().count(b'{"digest":'))
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("emeth-explanation h2").first).to_have_text("Event 4")
    expect(page.locator(".judged")).to_have_text("Sound, signed by example.org/emeth")

    page.click("#what-if")
    expect(page.locator("h1")).to_contain_text("What if")
    expect(page.locator(".turn")).to_have_text("Your turn")
    page.locator(".actions li button").first.click()
    page.click("#confirm")
    expect(events.nth(1)).to_be_visible()


def spoiled(raw: bytes) -> tuple[bytes, list[Finding]]:
    """A file that was forged, with digests and signature made to fit, against a rule."""
    random = Random(5)
    while True:
        changed = forged(raw, random)
        findings = [*verify(BytesIO(changed)).report.findings]
        if findings and findings[0].rule and findings[0].version > 2:
            return changed, findings


def test_a_spoiled_file_is_told_with_the_rule_and_shown_up_to_it(page: Page, sound: Path) -> None:
    file = sound.with_name("spoiled.emeth")
    changed, due = spoiled(sound.read_bytes())
    file.write_bytes(changed)
    hand_over(page, file)
    first = page.locator(".findings > li").first
    expect(page.locator(".verdict h2")).to_contain_text(f"Not sound: {len(due)} finding")
    expect(first.locator("h3")).to_have_text(f"Event {due[0].version}, {due[0].check}")
    expect(first).to_contain_text(due[0].sentence)
    expect(first).to_contain_text(GAMES["earthen-war"].rules[due[0].rule].meaning)
    page.click(".verdict a.button")
    expect(page.locator(".events li")).to_have_count(due[0].version - 1)


def test_what_is_no_file_of_a_match_is_told_so(page: Page, tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(bytes(range(256)))
    hand_over(page, tmp_path / "picture.png")
    expect(page.locator(".verdict h2")).to_have_text("Not sound: 1 finding")
    expect(page.locator(".verdict a.button")).to_have_count(0)


def take_one(page: Page) -> None:
    """Take the first action that is offered, by whoever is asked."""
    expect(page.locator(".turn")).to_have_text("Your turn")
    before = page.locator(".events li").count()
    summary = page.locator(".actions:not([open]) summary")
    if summary.count():
        summary.click()
    while not page.locator("#confirm").count():
        page.locator(".actions li button").first.click()
        page.wait_for_timeout(100)
    page.click("#confirm")
    expect(page.locator(".events li").nth(before)).to_be_attached()


@pytest.mark.parametrize(("slug", "size"), [*zip(GAMES, cycle([DESKTOP, PHONE]), strict=False)])
def test_two_people_play_on_one_screen_and_a_service_takes_it_in(
    page: Page, served: Served, tmp_path: Path, slug: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    if page.locator(".page-head a").count():
        page.click(".page-head a")
    expect(page.locator(".games li")).to_have_count(len(GAMES), timeout=STARTED)
    page.locator(".games a", has_text=GAMES[slug].name).click()
    page.get_by_role("button", name="Begin").click()
    for _ in range(3):
        take_one(page)
    expect(page.locator(".judged")).to_contain_text("not saved")
    with page.expect_download() as saved:
        page.click("#save")
    expect(page.locator(".judged")).not_to_contain_text("not saved")
    file = tmp_path / f"{slug}.emeth"
    saved.value.save_as(file)
    with file.open("rb") as lines:
        verified = verify(lines)
    assert verified.report.sound, verified.report.findings
    assert verified.match is not None
    assert verified.match.game == slug
    served.restore(file)


def test_a_match_that_was_saved_goes_on_after_the_page_was_closed(
    page: Page, tmp_path: Path
) -> None:
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    if page.locator(".page-head a").count():
        page.click(".page-head a")
    page.locator(".games a", has_text=GAMES["earthen-war"].name).click(timeout=STARTED)
    page.get_by_role("button", name="Begin").click()
    take_one(page)
    with page.expect_download() as saved:
        page.click("#save")
    file = tmp_path / "saved.emeth"
    saved.value.save_as(file)
    page.goto(JUDGE_FILE.as_uri())
    hand_over(page, file)
    page.click(".verdict a.button")
    expect(page.locator(".events li").nth(1)).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator(".turn")).not_to_have_text("It is your turn now")
    take_one(page)
    expect(page.locator(".judged")).to_contain_text("Sound, signed by page/")


def test_the_judge_that_a_service_has_keeps_nobody_out(
    browser: Browser, tmp_path: Path, sound: Path
) -> None:
    served = Served(tmp_path)
    served.start()
    context = browser.new_context(viewport=DESKTOP, reduced_motion="reduce")
    try:
        page = context.new_page()
        page.goto(f"{served.url}/judge/")
        hand_over(page, sound)
        expect(page.locator(".verdict h2")).to_have_text("Sound", timeout=STARTED)
        assert serious(page) == []
        page.emulate_media(color_scheme="dark")
        page.set_viewport_size(PHONE)
        assert serious(page) == []
    finally:
        context.close()
        served.kill()
