"""The taps that lead to an action: for hints and for simulated gateways."""

from typing import Any, Final

from domain.stylus.tap_machine import (
    PLAY,
    RUNES_PER_PAGE,
    Selection,
    StylusView,
    stylus_screen,
    tap,
)
from domain.stylus.targets import IconView, Option

MAX_TAPS: Final = 2000
"""The most taps of one action, including pages."""


class _TapPathSearch:
    """A simulated stylus that records its taps."""

    def __init__(self, moment: StylusView) -> None:
        self.moment = moment
        self.hand = Selection()
        self.taps: list[str] = []

    def tap(self, target: str) -> None:
        self.taps.append(target)
        assert len(self.taps) < MAX_TAPS, self.taps[:20]
        self.hand = tap(self.moment, self.hand, target).hand

    def choose(self, option: Option, runes: tuple[Option, ...]) -> None:
        """Choose an entry of the list of runes, by digits if that is faster than by pages."""
        at = runes.index(option)
        digits = self.moment.narrow(self.hand.picked).digits
        typed = next((keys for keys, each in digits.items() if each == option), "")
        if typed and at >= RUNES_PER_PAGE and self.hand.view == PLAY:
            for digit in typed:
                self.tap(f"cc digit {digit}")
            if option.pick:
                self.tap("button confirm")
            return
        for _ in range(at // RUNES_PER_PAGE):
            self.tap("button page")
        self.tap(f"cc rune {at % RUNES_PER_PAGE + 1}")

    def ready(self, notation: str) -> bool:
        armed = stylus_screen(self.moment, self.hand).armed
        return armed is not None and armed.label == notation


def taps_for(moment: StylusView, action: Any) -> tuple[str, ...]:
    """Return the taps, including Confirm, that take a legal action from an empty selection."""
    notation = moment.game.write_action(action)
    finger = _TapPathSearch(moment)
    views = [view for view in moment.views.values() if view.options is not None]
    for thing in moment.pointing.path(action):
        if finger.ready(notation) or _listed_option(finger, notation) is not None:
            break
        view = next((each for each in views if thing.startswith(f"{each.picks} ")), None)
        if view is not None:
            _choose_in_view(view, finger, thing)
        elif thing not in finger.hand.picked or moment.pointing.second_tap_deselects:
            finger.tap(thing)
    if not finger.ready(notation):
        _choose_action(finger, notation)
    assert finger.ready(notation), (notation, finger.taps, finger.hand)
    return (*finger.taps, "button confirm")


def _listed_option(finger: _TapPathSearch, notation: str) -> Option | None:
    runes = finger.moment.narrow(finger.hand.picked).runes
    return next((each for each in runes if each.label == notation and not each.pick), None)


def _choose_action(finger: _TapPathSearch, notation: str) -> None:
    narrowed = finger.moment.narrow(finger.hand.picked)
    option = _listed_option(finger, notation)
    if option is None:
        typed = (keys for keys, each in narrowed.digits.items() if each.label == notation)
        for digit in next(typed, ""):
            finger.tap(f"cc digit {digit}")
        if finger.ready(notation):
            return
        group = next(
            each
            for each in narrowed.runes
            if each.pick and _is_in_group(finger, each.pick, notation)
        )
        finger.choose(group, narrowed.runes)
        if not finger.ready(notation):
            _choose_action(finger, notation)
        return
    finger.choose(option, narrowed.runes)


def _is_in_group(finger: _TapPathSearch, group: str, notation: str) -> bool:
    """Return whether the action is in a group."""
    narrowed = finger.moment.narrow((*finger.hand.picked, group))
    known = (*narrowed.runes, *([narrowed.armed] if narrowed.armed else []))
    return any(each.label == notation for each in known)


def _choose_in_view(view: IconView, finger: _TapPathSearch, thing: str) -> None:
    """Choose the option that picks a thing, in a view of the Control Card."""
    assert view.options is not None
    for place, entry in enumerate(view.entries):
        finger.tap(f"cc {view.icon}>" if place else f"cc {view.icon}")
        options = view.options(entry)
        option = next((each for each in options if each.pick == thing), None)
        if option is not None:
            finger.choose(option, options)
            return
