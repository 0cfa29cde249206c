"""No name passes for another's: by what shows nothing, or by characters that look alike."""

import re
from itertools import combinations
from unicodedata import category, name

import pytest

from services.runtime.display_names import are_confusable, skeletons, visible_name

DISGUISES = {
    "a Greek Alpha": "Αlice", "a Cyrillic A": "Аlice", "a Cyrillic C": "Aliсe",
    "all Cyrillic that there is": "Аlісе", "a Cherokee letter": "Ꭺlice", "a capital I": "AIice",
    "a stroke": "A|ice", "small letters": "alice", "capitals": "ALICE",
    "wide letters": "Ａｌｉｃｅ",
    "mathematical letters": "𝐀𝐥𝐢𝐜𝐞", "script letters": "𝒜𝓁𝒾𝒸ℯ", "letters in circles": "Ⓐⓛⓘⓒⓔ",
    "a Roman numeral": "Alⅰce", "a zero-width space": "Al\u200bice",
    "a zero-width joiner": "Al\u200dice", "a zero-width non-joiner": "Al\u200cice",
    "a soft hyphen": "Al\u00adice", "a word joiner": "Al\u2060ice",
    "a byte order mark": "\ufeffAlice", "a mark of direction": "Alice\u200e",
    "an override of direction": "\u202dAlice\u202c", "an isolate": "\u2066Alice\u2069",
    "a grapheme joiner": "A\u034flice", "a Hangul filler": "Alice\u3164",
    "a half Hangul filler": "\uffa0Alice", "a variation selector": "Alice\ufe0f",
    "another variation selector": "Alice\U000e0101", "a tag": "Alice\U000e0041",
    "a Mongolian separator": "Al\u180eice", "an inherent vowel of Khmer": "Alice\u17b4",
    "a musical sign": "Alice\U0001d173", "a shorthand sign": "Alice\U0001bca0",
    "an annotation": "\ufff9Alice\ufffb", "blanks around": "\u3000Alice\u00a0",
    "a Braille blank": "Alice\u2800", "several at once": "\u202eΑ\u200bl\u00adісе\u3164",
}  # fmt: skip
"""Names that pass for Alice's."""
OTHERS = [
    "Alice", "Ada", "Ida", "Ali", "All", "Bob", "Kai", "Kal", "Mila", "Miia", "Hans", "Nans",
    "Anna", "Ana", "Zoë", "Zoe", "Müller", "Muller", "Site 1", "Site 2", "Иван", "Ирина",
    "Марина", "Ольга",
    "Νίκη", "Μαρία", "محمد", "أحمد", "דוד", "רות", "山田", "山由", "李", "季", "김", "이",
]  # fmt: skip
"""Names of people, none of whom passes for another."""


@pytest.mark.parametrize("how", DISGUISES)
def test_a_disguise_of_a_name_looks_like_it(how: str) -> None:
    assert are_confusable("Alice", DISGUISES[how])
    assert are_confusable(DISGUISES[how], "Alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "Βob"), ("Bob", "Вob"), ("Bob", "B0b"), ("Ivan", "lvan"),
        ("IVAN", "ivan"), ("ІVAN", "ivan"), ("ΝΙΚΗ", "νικη"), ("Straße", "STRASSE"),
        ("Born", "Bom"), ("paypal", "раураӀ"),
        ("Ann-Marie", "Ann‐Marie"), ("Ann-Marie", "Ann–Marie"),
        ("O'Neil", "O’Neil"), ("Zoë", "Zoe\u0308"), ("A B", "A\u00a0\u2003B"), ("Team 1", "Team I"),
    ],
)  # fmt: skip
def test_these_look_alike(one: str, other: str) -> None:
    assert are_confusable(one, other)


def test_names_of_people_look_like_none_of_the_others() -> None:
    assert [pair for pair in combinations(OTHERS, 2) if are_confusable(*pair)] == []


def test_nothing_that_cannot_be_seen_is_left_of_a_name() -> None:
    """Of all of Unicode; signs that are drawn before digits, such as Arabic's, are seen."""
    left = {chr(each) for each in range(0x11_0000) if visible_name(f"a{chr(each)}b") != "ab"}
    drawn = re.compile(r"NUMBER|MARK|SIGN|END OF AYAH")
    assert [n for c in left if category(c) == "Cf" and not drawn.search(n := name(c))] == []
    assert not left & set("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u180b\ufe00")


@pytest.mark.parametrize("shown", ["Ada", "Ada Lovelace", "Zoë", "山田", "Νίκη", "👩🏽", "♞ Ada"])
def test_what_can_be_seen_is_left_as_it_is(shown: str) -> None:
    assert visible_name(shown) == shown
    assert visible_name(f"\u200b {shown}\u202e ") == shown


def test_a_name_of_any_length_is_compared_at_once() -> None:
    assert skeletons("ﷺ" * 10_000)
