"""Sentences from tables of templates."""

import pytest

from domain.kernel.language import Language, as_sentence

TABLE = Language(
    {
        "gain": "{who} gains {n:point|points}",
        "count": "{n:+Mana}",
        "braces": "pay {n} {{death}}",
        "and": "{most} and {last}",
        "deep": "{who.name}",
    }
)


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "White gains 1 point"), (2, "White gains 2 points"), (0, "White gains 0 points")],
)
def test_a_count_goes_with_its_noun(n: int, said: str) -> None:
    assert TABLE.format("gain", who="White", n=n) == said


def test_a_change_has_its_sign() -> None:
    assert TABLE.format("count", n=-1) == "-1 Mana"
    assert TABLE.format("count", n=3) == "+3 Mana"


def test_what_is_no_count_is_written_as_it_is() -> None:
    assert TABLE.format("gain", who="White", n="many") == "White gains many"


def test_doubled_braces_are_the_braces_of_an_icon() -> None:
    assert TABLE.format("braces", n=1) == "pay 1 {death}"


def test_a_value_that_is_missing_or_no_plain_name_is_an_error() -> None:
    with pytest.raises(KeyError):
        TABLE.format("gain", who="White")
    with pytest.raises(ValueError, match="plain name"):
        TABLE.format("deep", who="White")


def test_names_are_listed() -> None:
    assert TABLE.join_and([]) == ""
    assert TABLE.join_and(["a"]) == "a"
    assert TABLE.join_and(["a", "b", "c"]) == "a, b and c"


def test_a_sentence_starts_with_a_capital_and_ends_with_a_stop() -> None:
    assert TABLE.sentence("gain", who="the seat", n=1) == "The seat gains 1 point."
    assert as_sentence("who goes there?") == "Who goes there?"
    assert as_sentence("") == ""
