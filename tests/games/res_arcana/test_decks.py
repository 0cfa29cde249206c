"""Drawing, reshuffling, looking at the top of a deck."""

from collections.abc import Callable

At = Callable[..., str]
EAST = "0 | alchemy,seer"


def test_cards_are_drawn_from_the_top(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="1e | research,scholar | hawk | vault,crypt", east=EAST)
    new = after(before, "north use research 1 1e")
    assert seat_of(new, "north") == "0 | research*,scholar | hawk,vault | crypt"


def test_with_no_cards_anywhere_none_is_drawn(
    at: At,
    after: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="1e | research,scholar", east=EAST)
    assert seat_of(after(before, "north use research 1 1e"), "north") == "0 | research*,scholar"
    assert cited(before, "north use research 1 1e")["ra.draw"] == {"wanted": 1, "drawn": 0}


def test_with_no_cards_in_the_deck_the_discard_pile_is_shuffled_to_form_a_new_one(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="1e | research,scholar |||crypt,hawk,vault", east=EAST)
    asked = after(before, "north use research 1 1e")
    assert " shuffle.north.discard>draw.north.1.keep " in asked
    assert cited(before, "north use research 1 1e")["ra.shuffle.deck"] == {
        "wanted": 1,
        "in_deck": 0,
        "discarded": 3,
    }
    assert refusal(asked, "table next mermaid") == "ra.shuffle.card"
    assert refusal(asked, "north next hawk") == "ra.seat"
    assert refusal(asked, "table deal hawk") == "ra.prompt"
    # Two cards are entered, and the third follows automatically.
    new = after(asked, "table next vault", "table next hawk")
    assert seat_of(new, "north") == "0 | research*,scholar | vault | hawk,crypt"
    assert "ra.single" in cited(asked, "table next vault", "table next hawk")
    assert cited(asked, "table next vault")["ra.shuffle.card"] == {"seat": "north"}


def test_a_single_discard_comes_automatically(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="1e | research,scholar |||crypt", east=EAST)
    new = after(before, "north use research 1 1e")
    assert seat_of(new, "north") == "0 | research*,scholar | crypt"


def test_three_to_draw_and_two_in_the_deck_puts_the_discard_pile_beneath(
    at: At, after: Callable[..., str], seat_of: Callable[..., str]
) -> None:
    before = at(north="0 | divination,scholar || vault,crypt | hawk,prism", east=EAST)
    asked = after(before, "north use divination 1")
    assert " shuffle.north.discard>draw.north.3.drop " in asked
    drawn = after(asked, "table next prism")
    assert " drop.north.3 " not in drawn  # the hand has just three: nothing to choose
    assert seat_of(drawn, "north") == "0 | divination*,scholar || hawk | crypt,prism,vault"


def test_divination_discards_as_many_as_were_drawn(
    at: At,
    after: Callable[..., str],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
    cited: Callable[..., dict[str, object]],
) -> None:
    before = at(north="0 | divination,scholar | mermaid | vault,crypt", east=EAST)
    asked = after(before, "north use divination 1")
    assert " drop.north.2 " in asked
    assert refusal(asked, "north drop crypt") == "ra.draw.drop"
    assert refusal(asked, "north drop crypt crypt") == "ra.draw.drop"
    assert refusal(asked, "north drop crypt hawk") == "ra.draw.drop"
    assert refusal(asked, "north drop crypt mermaid vault") == "ra.draw.drop"
    assert refusal(asked, "north drop vault mermaid") == "ra.notation"
    new = after(asked, "north drop crypt mermaid")
    assert seat_of(new, "north") == "0 | divination*,scholar | vault || crypt,mermaid"
    assert cited(asked, "north drop crypt mermaid")["ra.draw.drop"] == {"cards": 2}


def test_the_cards_looked_at_are_put_back_in_any_order(
    at: At,
    after: Callable[..., str],
    legal: Callable[..., list[str]],
    refusal: Callable[..., str],
    seat_of: Callable[..., str],
) -> None:
    before = at(north="0 | research,seer || vault,hawk,prism,treant", east="0 | alchemy,artificer")
    asked = after(before, "north use seer 1 deck")
    assert len(legal(asked, "north")) == 6
    assert refusal(asked, "north order vault hawk") == "ra.look.order"
    assert refusal(asked, "north order vault hawk treant") == "ra.look.order"
    assert refusal(asked, "north order vault vault hawk") == "ra.look.order"
    new = after(asked, "north order prism vault hawk")
    assert seat_of(new, "north") == "0 | research,seer* || prism,vault,hawk,treant"


def test_one_looks_at_the_monuments_too_and_at_fewer_if_there_are_fewer(
    at: At, after: Callable[..., str], legal: Callable[..., list[str]]
) -> None:
    before = at(north="0 | research,seer", east="0 | alchemy,artificer")
    asked = after(before, "north use seer 1 monuments")
    assert " order.north.monuments.2 " in asked
    assert " great-pyramid,library temple,oracle " in after(asked, "north order temple oracle")
    # A single card has only one order, and is prompted all the same.
    one = after(
        at(north="0 | research,seer", east="0 | alchemy,artificer", mdeck="oracle"),
        "north use seer 1 monuments",
    )
    assert legal(one, "north") == ["order oracle"]


def test_looking_reshuffles_as_drawing_does_and_an_empty_deck_asks_nothing(
    at: At, after: Callable[..., str]
) -> None:
    before = at(north="0 | research,seer || vault | hawk,prism", east="0 | alchemy,artificer")
    asked = after(before, "north use seer 1 deck")
    assert " shuffle.north.discard>look.north.deck.3 " in asked
    assert " order.north.deck.3 " in after(asked, "table next prism")
    empty = at(north="0 | research,seer", east="0 | alchemy,artificer")
    assert " r3 north east act " in after(empty, "north use seer 1 deck")
