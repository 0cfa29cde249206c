"""Signed data that a page stores, what it verifies with it, and the permissions of viewers."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from domain.log.merkle import audit_paths
from services.proof.receipts import group_text
from services.proof.signed_notes import Receipt
from services.proof.signing import Signer
from services.runtime.keys import load_key_file
from tests.console.conftest import DESKTOP, PHONE, ConsoleService, Open, StartedMatch, wait_until
from tests.console.table import take
from tests.console.test_other_pages import settled_and_open


@pytest.fixture
def own(tmp_path: Path) -> Iterator[tuple[ConsoleService, Path]]:
    """A service whose log a test may rewrite."""
    service = ConsoleService(tmp_path)
    service.start()
    yield service, tmp_path / "data"
    service.kill()


KEPT = """async () => {
  if (!(await indexedDB.databases()).length) return 0;
  return new Promise(resolve => {
    indexedDB.open("emeth").onsuccess = ({ target }) => {
      const all = target.result.transaction("receipts").objectStore("receipts").count();
      all.onsuccess = () => { target.result.close(); resolve(all.result); };
    };
  });
}"""
"""How many receipts the browser keeps."""


KEEP_SHARED = """({ signature, sibling }) => new Promise(resolve => {
  indexedDB.open("emeth").onsuccess = ({ target }) => {
    const store = target.result.transaction("receipts", "readwrite").objectStore("receipts");
    store.getAll().onsuccess = ({ target: { result: [receipt] } }) => {
      const path = [Uint8Array.from(sibling.match(/../g), pair => parseInt(pair, 16))];
      store.put({ ...receipt, signature, group: { size: 2, index: 0, path } });
      store.transaction.oncomplete = () => { target.result.close(); resolve(); };
    };
  };
})"""
"""Puts, in place of the receipt that the browser keeps, the same with a signature for two."""


def share_signature(page: Page, data: Path, match: StartedMatch) -> None:
    """Have the browser keep its receipt as if it had been signed together with another."""
    signer, last = Signer(load_key_file(data / "signing.key")), match.events()[-1]
    receipt = Receipt(UUID(match.id), last["version"], last["digest"]).text.encode()
    root, ((sibling,), _) = audit_paths([receipt, b"another"])
    signature = signer.sign(group_text(2, root))
    page.evaluate(KEEP_SHARED, {"signature": signature, "sibling": sibling.hex()})


def is_published(service: ConsoleService, match: StartedMatch) -> bool:
    """Is the newest event of a match in the checkpoint that the service has published?"""
    event = {"matchId": match.id, "version": match.events()[-1]["version"]}
    try:
        service.call("AuditService/GetProof", {"event": event}, match.tokens["referee"])
    except HTTPError:
        return False
    return True


def proofs(match: StartedMatch, *roles: str) -> str:
    return match.link(*roles).replace("?", "?page=proofs&")


def checked(page: Page) -> list[str]:
    page.get_by_role("button", name="Verify log").click()
    expect(page.locator(".checks li").first).to_be_visible()
    expect(page.get_by_role("button", name="Verify log")).to_be_enabled()
    return page.locator(".checks li").evaluate_all("lines => lines.map(line => line.className)")


def test_a_page_finds_out_that_the_log_was_rewritten(
    own: tuple[ConsoleService, Path], open_page: Open, complaints: list[str]
) -> None:
    service, data = own
    match = service.create("agog")
    page = open_page(match.link("white"))
    expect(page.locator(".turn")).to_have_text("Your turn")
    action = next(each for each in match.actions("white") if not each.get("group"))
    with page.expect_response(re.compile("SubmitAction")) as answer:
        take(page, match, action)
    answer.value.finished()
    wait_until(lambda: page.evaluate(KEPT) == 1)
    wait_until(lambda: is_published(service, match))
    page.goto(proofs(match, "white"))
    expect(page.locator(".proof").first).to_contain_text("1 receipt stored")
    # The first look has nothing to compare with; the receipt holds by then.
    assert checked(page) == ["holds", "open", "holds"]
    share_signature(page, data, match)
    match.submit("black", match.actions("black")[0]["notation"])
    page.reload()
    expect(page.locator(".proof").first).to_contain_text("1 receipt stored")
    assert checked(page) == ["holds", "holds", "holds"]
    service.kill()
    for path in data.iterdir():
        if path.name not in ("signing.key", "secret.key", "admin.key", "secret"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    service.start()
    for _ in range(2):
        service.create("agog")
    page.goto(f"{service.url}/?page=proofs")
    expect(page.locator(".proof").first).to_contain_text("1 receipt stored")
    assert checked(page) == ["holds", "fails", "fails"]
    expect(page.locator(".checks")).to_have_count(2)
    expect(page.locator(".checks").first).to_contain_text("The log was rewritten")
    complaints[:] = [each for each in complaints if "Failed to load" not in each]


def test_a_match_is_judged_again_and_its_file_is_checked_and_saved(
    served: ConsoleService, open_page: Open, tmp_path: Path
) -> None:
    match = served.create("earthen-war")
    for _ in range(3):
        seat = match.asked()
        match.submit(seat, match.actions(seat)[0]["notation"])
    page = open_page(proofs(match, *match.tokens))
    page.get_by_role("button", name="Verify match", exact=True).click()
    expect(page.get_by_label("Verification by the rules")).to_contain_text("Valid")
    page.get_by_role("button", name="Verify match file").click()
    file = page.get_by_label("Match file")
    expect(file.locator(".checks .holds")).to_have_count(4)
    expect(file.locator(".checks .fails")).to_have_count(0)
    expect(file).to_contain_text("wait for the seed")
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download match file").click()
    content = saving.value.path().read_text()
    assert content.startswith('{"format":1,"game":"earthen-war"')
    assert content.count("\n") == match.now["version"] + 2
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download transcript").click()
    assert "earthen-war" in saving.value.path().read_text()
    settled_and_open(page, "proofs", DESKTOP)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download replay page").click()
    saved = tmp_path / "replay.html"
    saving.value.save_as(saved)
    replay = open_page(saved.as_uri())
    expect(replay.locator("svg").first).to_be_visible()
    replay.locator("#check").click()
    expect(replay.locator("#verdict")).to_contain_text("Nothing is wrong")
    expect(replay.locator("#checks")).to_contain_text("is entry")


def test_a_file_that_hides_things_is_the_referees(served: ConsoleService, open_page: Open) -> None:
    match = served.create("res-arcana")
    page = open_page(proofs(match, "north"))
    expect(page.get_by_label("Match file")).to_contain_text("only the referee")
    assert page.get_by_role("button", name="Download match file").count() == 0


def test_the_referee_compares_what_each_viewer_sees(
    served: ConsoleService, open_page: Open
) -> None:
    match = served.create("res-arcana")
    page = open_page(match.link("referee").replace("?", "?page=views&"))
    figures = page.locator(".views figure")
    expect(figures).to_have_count(4)
    north, east = figures.nth(1), figures.nth(2)
    names = [own_cards(served, match, seat) for seat in ("north", "east")]
    for figure, hidden, seen in ((north, names[1], names[0]), (east, names[0], names[1])):
        expect(figure.locator("svg")).to_be_visible()
        assert all(name in figure.locator("ul").inner_text() for name in hidden)
        assert not [
            name for name in seen if name in figure.locator("li", has_text="'s hand:").inner_text()
        ]
    page.get_by_role("button", name="Previous event").click()
    expect(page).to_have_url(re.compile(f"at={int(match.now['version']) - 1}$"))


def own_cards(served: ConsoleService, match: StartedMatch, seat: str) -> list[str]:
    """The names of the cards in a hand."""
    scene = served.call("ViewsService/GetView", {"matchId": match.id}, match.tokens[seat])
    return [
        each["name"] for each in scene["view"]["scene"]["pieces"] if each["where"] == f"{seat}-hand"
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_seat_sees_what_others_see_of_it(
    scheme: str, served: ConsoleService, open_page: Open
) -> None:
    match = served.create("res-arcana")
    page = open_page(match.link("north").replace("?", "?page=views&"), PHONE, color_scheme=scheme)
    expect(page.locator(".views figure")).to_have_count(2)
    spectator = page.locator(".views figure").nth(1)
    for name in own_cards(served, match, "north"):
        expect(spectator.locator("ul")).to_contain_text(name)
    for name in own_cards(served, match, "east"):
        expect(page.locator(".views")).not_to_contain_text(name)
    settled_and_open(page, "views", PHONE)
