"""The state machine that turns the taps of one stylus into actions.

A tap is a *target* in one line: a thing on the table (`base s1`, `piece golem-1`, `space a6`), an
icon of the Control Card (`cc army`, `cc army>`, `cc map`, `cc rune 1`, `cc digit 7`) or a button
of the stylus (`button confirm`). The taps so far are the stylus's `Selection`. It is not part of
the match and may be lost without harm.

`tap` is pure: it returns the new selection and the action that Confirm took, if any. The caller
submits the action like any other and creates the next `StylusView`.
"""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.rulings import Refused
from domain.stylus.cards import scene_card_lines
from domain.stylus.selection import PLAY, Selection, StylusView
from domain.stylus.tap_rules import cite_game_rule, nothing_refusal
from domain.stylus.targets import IconView, Option, RemainingOptions
from domain.stylus.visibility import is_public_option, is_public_target

__all__ = [
    "INFO",
    "MAP",
    "PLACE_KINDS",
    "PLAY",
    "RUNES_PER_PAGE",
    "Selection",
    "StylusScreen",
    "StylusView",
    "TapResult",
    "card_lines",
    "carry_over",
    "is_choice",
    "is_view_only",
    "stylus_screen",
    "tap",
]

RUNES_PER_PAGE: Final = 6
"""The number of rune symbols on the Control Card: the entries of one page."""
PLACE_KINDS: Final = ("region", "space")
"""Kinds of things that the map view shows in detail."""
MAP: Final = "map"
INFO: Final = "info"
CHOICE_ICONS: Final = ("rune", "digit")
"""Icons that choose something; all others only change the view."""


class TapResult(Struct, frozen=True):
    """The result of a tap."""

    hand: Selection
    refusal: Refused | None = None
    action: Any = None
    """The action that Confirm took; the caller submits it."""
    notation: str = ""
    """The action's notation, or the label of the pick that Confirm took in place of an action."""


class StylusScreen(Struct, frozen=True):
    """The content of a stylus's screen."""

    view: str
    page: int
    picked: tuple[str, ...]
    digits: str
    next: tuple[str, ...]
    """The things that may be tapped next."""
    runes: tuple[Option, ...]
    """The options of this page, in the order of the runes."""
    pages: int
    """The number of pages of the view, or of the list of runes in `play`."""
    armed: Option | None
    """The option that Confirm takes."""


def tap(moment: StylusView, hand: Selection, target: str) -> TapResult:
    """Return the result of tapping a target."""
    tapped = _tap_target(moment, hand, target)
    if tapped.refusal is None:
        return tapped
    return replace(tapped, refusal=cite_game_rule(moment.game, tapped.refusal))


def _tap_target(moment: StylusView, hand: Selection, target: str) -> TapResult:
    kind, _, name = target.partition(" ")
    match kind:
        case "cc":
            return _tap_icon(moment, hand, name)
        case "button":
            return _tap_button(moment, hand, name)
        case "seat":
            return _tap_seat(moment, hand, name)
        case _ if kind in PLACE_KINDS and hand.view.partition(" ")[0] == MAP:
            return TapResult(replace(hand, view=f"{MAP} {name}", page=1))
        case _:
            return _tap_thing(moment, hand, target)


def card_lines(moment: StylusView, thing: str) -> tuple[str, ...]:
    """Return the lines of a thing's card, as far as the seat may know; empty if it has none.

    If other seats are to act, a last line says so. A game with its own `Display.pointing` provides
    the cards; in all other games they come from the scene.
    """
    lines = moment.pointing.info(thing)
    if not lines and moment.game.pointing is None:
        lines = scene_card_lines(moment.scene, thing)
    if not lines or moment.can_act or not moment.prompted_seats:
        return lines
    return (*lines, f"Waiting for {', '.join(moment.prompted_seats)}")


def is_choice(target: str) -> bool:
    """Return whether a tap on this target can lead to an action in any position.

    >>> is_choice("space a6"), is_choice("cc rune 1"), is_choice("cc army"), is_choice("")
    (True, True, False, False)
    """
    kind, _, name = target.partition(" ")
    return bool(target) and (kind != "cc" or name.partition(" ")[0] in CHOICE_ICONS)


def is_view_only(moment: StylusView, hand: Selection, target: str) -> bool:
    """Return whether a tap only changes the view; it is then valid for any prompt."""
    kind = target.partition(" ")[0]
    if kind == "cc":
        return not is_choice(target)
    if kind == "button":
        return False
    return _tap_target(moment, hand, target).hand.view.partition(" ")[0] in (MAP, INFO)


def stylus_screen(moment: StylusView, hand: Selection) -> StylusScreen:
    """Return the content of the screen for this selection."""
    narrowed = moment.remaining_options(hand)
    armed, runes = _armed_option(moment, hand, narrowed), _rune_options(moment, hand, narrowed)
    pages = _page_count(moment, hand, runes)
    ready = armed if hand.view == PLAY else None
    following = (*narrowed.next, *_other_seats(moment, hand))
    if moment.hides_cards:
        following = tuple(each for each in following if is_public_target(moment, each, hand.picked))
    if hand.chosen or (armed is not None and hand.digits):
        following = ()  # all that it takes is picked
        runes = () if hand.view == PLAY else runes
    at = (_rune_page(hand) - 1) * RUNES_PER_PAGE
    return StylusScreen(
        view=hand.view,
        page=hand.page,
        picked=hand.picked,
        digits=hand.digits,
        next=following,
        runes=runes[at : at + RUNES_PER_PAGE],
        pages=pages,
        armed=ready,
    )


def _page_count(moment: StylusView, hand: Selection, runes: tuple[Option, ...]) -> int:
    """Return the number of pages of the current view."""
    name, _, entry = hand.view.partition(" ")
    if name == PLAY:
        return max(1, -(-len(runes) // RUNES_PER_PAGE))
    view = moment.views.get(name)
    return 1 if view is None or view.pages is None else view.pages(entry)


def carry_over(moment: StylusView, hand: Selection) -> Selection:
    """Return the selection after the position changed: the picks that are still possible."""
    picked = hand.picked
    while picked and not moment.narrow(picked).is_possible:
        picked = picked[:-1]
    return replace(hand, picked=picked, digits="", chosen="", page=1, tapped="", scanned=())


def _other_seats(moment: StylusView, hand: Selection) -> tuple[str, ...]:
    """Return the other seats that this stylus may act for now, as targets."""
    if hand.view != PLAY or hand.picked:
        return ()
    return tuple(f"seat {seat}" for seat in moment.own_prompted_seats if seat != moment.seat)


def _tap_seat(moment: StylusView, hand: Selection, seat: str) -> TapResult:
    """Select another of several seats that have a prompt at the same time."""
    if seat not in moment.own_prompted_seats:
        why = f"{seat} is not asked now, or this stylus does not act for that seat"
        return TapResult(hand, Refused("stylus.seat", why))
    return TapResult(Selection(seat=seat))


# --- things on the table -------------------------------------------------------------------------


def _tap_thing(moment: StylusView, hand: Selection, thing: str) -> TapResult:
    pointing = moment.pointing
    hand = replace(hand, view=PLAY, chosen="", digits="", page=1, scanned=())
    if pointing.second_tap_deselects and hand.picked and thing in (hand.tapped, hand.picked[-1]):
        return TapResult(replace(hand, picked=hand.picked[:-1], tapped=""))
    if not pointing.second_tap_deselects and thing in hand.picked:
        return TapResult(hand)
    # Most taps mean the tapped thing itself: other interpretations are computed only if not.
    if hand.picked and moment.narrow((*hand.picked, thing)).is_possible:
        return _pick(hand, (*hand.picked, thing), thing)
    if not hand.picked and pointing.can_start_with(thing):
        return _pick(hand, (thing,), thing)
    readings = pointing.interpretations(thing)
    again = [at for at, pick in enumerate(hand.picked) if pick in readings]
    if hand.picked and not again:
        # A path may visit a space twice; any other second tap deselects the thing.
        for reading in readings[1:]:
            if moment.narrow((*hand.picked, reading)).is_possible:
                return _pick(hand, (*hand.picked, reading), thing)
    if pointing.second_tap_deselects and again:
        return TapResult(replace(hand, picked=hand.picked[: again[-1]], tapped=""))
    for reading in readings:
        if pointing.can_start_with(reading):
            return _pick(hand, (reading,), thing)
    refusal = pointing.refusal(hand.picked, thing)
    if refusal is None and not hand.picked and card_lines(moment, thing):
        return TapResult(replace(hand, view=f"{INFO} {thing}"))
    return TapResult(hand, refusal or nothing_refusal(thing))


def _pick(hand: Selection, picked: tuple[str, ...], tapped: str) -> TapResult:
    return TapResult(replace(hand, picked=picked, tapped=tapped))


def _next_interpretation(moment: StylusView, hand: Selection) -> Selection | None:
    """Return the selection with the next possible interpretation of the last tap.

    The result is None after the last interpretation; Page then removes the pick.
    """
    if not hand.tapped or not hand.picked:
        return None
    before, last = hand.picked[:-1], hand.picked[-1]
    fits = [
        reading
        for reading in moment.pointing.interpretations(hand.tapped)
        if reading == last or moment.narrow((*before, reading)).is_possible
    ]
    if last not in fits[:-1]:
        return None
    return replace(hand, picked=(*before, fits[fits.index(last) + 1]), page=1)


# --- the Control Card ----------------------------------------------------------------------------


def _tap_icon(moment: StylusView, hand: Selection, icon: str) -> TapResult:
    match icon.split(" "):
        case ["rune", number] if number.isdecimal():
            return _tap_rune(moment, hand, int(number))
        case ["digit", digit] if digit.isdecimal() and len(digit) == 1:
            return _tap_digit(moment, hand, digit)
        case ["map"]:
            return TapResult(replace(hand, view=MAP, page=1))
        case _:
            arrow = icon[-1:] if icon.endswith(("<", ">")) else ""
            view = moment.views.get(icon.removesuffix(arrow))
            if view is None:
                return TapResult(hand, nothing_refusal(f"cc {icon}"))
            return TapResult(replace(hand, view=_icon_view(view, hand, arrow), page=1))


def _icon_view(view: IconView, hand: Selection, arrow: str) -> str:
    """Return the view of an icon (its first entry) or of its arrow (the next or previous entry)."""
    entries, (shown, _, entry) = view.entries, hand.view.partition(" ")
    if not entries:
        return view.icon
    if shown != view.icon or not arrow:
        return f"{view.icon} {view.first(hand.picked) if view.first else entries[0]}"
    at = entries.index(entry) if entry in entries else 0
    return f"{view.icon} {entries[(at + {'<': -1, '>': 1}[arrow]) % len(entries)]}"


def _tap_rune(moment: StylusView, hand: Selection, number: int) -> TapResult:
    narrowed = moment.remaining_options(hand)
    runes = _rune_options(moment, hand, narrowed)
    at = (_rune_page(hand) - 1) * RUNES_PER_PAGE + number - 1
    if not 1 <= number <= RUNES_PER_PAGE or at >= len(runes):
        return TapResult(hand, nothing_refusal(f"rune {number}"))
    return TapResult(_choose(hand, runes[at]))


def _choose(hand: Selection, option: Option) -> Selection:
    if option.pick:
        picked = (option.pick,) if hand.view != PLAY else (*hand.picked, option.pick)
        return replace(hand, view=PLAY, picked=picked, digits="", chosen="", page=1, tapped="")
    return replace(hand, chosen=option.label, digits="")


def _tap_digit(moment: StylusView, hand: Selection, digit: str) -> TapResult:
    narrowed = moment.remaining_options(hand)
    keys = narrowed.digits if narrowed.dice or hand.view == PLAY else {}
    longest = max(map(len, keys), default=0)
    typed = hand.digits + digit
    if not any(key.startswith(typed) for key in keys):
        typed = digit  # no option has more digits: start again
    if not any(key.startswith(typed) for key in keys):
        return TapResult(hand, nothing_refusal(f"digit {digit}"))
    if longest == 1:
        chosen = _choose(hand, keys[typed])
        return TapResult(replace(chosen, view=PLAY, page=_rune_page(chosen)))
    page = hand.page if hand.view == PLAY else 1
    return TapResult(replace(hand, view=PLAY, page=page, digits=typed, chosen=""))


# --- buttons -------------------------------------------------------------------------------------


def _tap_button(moment: StylusView, hand: Selection, button: str) -> TapResult:
    match button:
        case "confirm":
            return _confirm(moment, hand)
        case "page":
            return TapResult(_turn_page(moment, hand))
        case "power":
            return TapResult(hand)
        case _:
            return TapResult(hand, nothing_refusal(f"button {button}"))


def _confirm(moment: StylusView, hand: Selection) -> TapResult:
    if hand.view != PLAY:
        return TapResult(replace(hand, view=PLAY, page=1))
    narrowed = moment.remaining_options(hand)
    if not moment.can_act and not narrowed.is_possible:
        return TapResult(hand, Refused("stylus.seat", "it is not for this stylus to act now"))
    armed = _armed_option(moment, hand, narrowed)
    if armed is None:
        return TapResult(hand, Refused("stylus.unready", "what to do is not settled yet"))
    if armed.pick:
        return TapResult(_choose(hand, armed), notation=armed.label)
    action = moment.game.read_action(armed.label)
    return TapResult(Selection(), action=action, notation=armed.label)


def _turn_page(moment: StylusView, hand: Selection) -> Selection:
    """Turn the page. In the play view, digits, choice or the last pick are dropped first."""
    name, _, what = hand.view.partition(" ")
    if name == MAP:
        return replace(hand, view=MAP, page=1)
    if name != PLAY:
        view = moment.views.get(name)
        if view is None:  # a card, or a view that no longer exists
            return replace(hand, view=PLAY, page=1)
        if view.pages is None:
            return replace(hand, view=_icon_view(view, hand, ">"), page=1)
        return replace(hand, page=hand.page % view.pages(what) + 1)
    if hand.digits:
        return replace(hand, digits="")
    if hand.chosen:
        return replace(hand, chosen="")
    narrowed = moment.remaining_options(hand)
    pages = -(-len(_rune_options(moment, hand, narrowed)) // RUNES_PER_PAGE)
    if hand.page < pages:
        return replace(hand, page=hand.page + 1)
    # After the last page, Page removes the last pick; without picks it returns to the first page.
    let_go = replace(hand, picked=hand.picked[:-1], tapped="", page=1, scanned=())
    return _next_interpretation(moment, hand) or let_go


# --- what is chosen ------------------------------------------------------------------------------


def _armed_option(moment: StylusView, hand: Selection, narrowed: RemainingOptions) -> Option | None:
    """Return the option that Confirm takes."""
    found = _chosen_option(hand, narrowed)
    if found is None or not moment.hides_cards or is_public_option(moment, found, hand.picked):
        return found
    return None


def _chosen_option(hand: Selection, narrowed: RemainingOptions) -> Option | None:
    if hand.chosen:
        known = (option for option in narrowed.runes if option.label == hand.chosen)
        typed = (option for option in narrowed.digits.values() if option.label == hand.chosen)
        return next(known, None) or next(typed, None)
    if hand.digits:
        return narrowed.digits.get(hand.digits)
    return narrowed.armed


def _rune_options(
    moment: StylusView, hand: Selection, narrowed: RemainingOptions
) -> tuple[Option, ...]:
    """Return the options of the runes in the current view."""
    if hand.view == PLAY:
        if not moment.hides_cards:
            return narrowed.runes
        return tuple(each for each in narrowed.runes if is_public_option(moment, each, hand.picked))
    name, _, entry = hand.view.partition(" ")
    if name in (MAP, INFO):
        return ()
    view = moment.views.get(name)
    return () if view is None or view.options is None else view.options(entry)


def _rune_page(hand: Selection) -> int:
    """Return the page of the list of runes; the pages of other views do not affect it."""
    return hand.page if hand.view == PLAY else 1
