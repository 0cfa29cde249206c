"""What a gateway did wrong in what was recorded of it.

Each rule looks at the whole recording, and gives what breaks it; a rule whose occasion never came
is told as not tried.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct

from domain.table.events import LONGEST_SIGN, MOST_SIGNS, MOST_SPACES
from services.cli.gateway_recordings import LATER, Entry, Recording, unrolled

PATIENCE_MS: Final = 10_000
"""Within which what is due has to come."""
SETTLE_MS: Final = 2_000
"""After which a prompt is certainly on the screen."""
LONGEST_EPOCH: Final = 40
LONGEST_SOFTWARE: Final = 80
LONGEST_LOCALE: Final = 35
MOST_ENTRIES: Final = 1000
"""Of a journal."""

Found = Iterator[str]
"""For each occasion of a rule: empty if it was kept, or what broke it."""


def hello(recording: Recording) -> Found:
    """A line begins with a hello: always the same id, an epoch, what is kept."""
    ids: set[str] = set()
    for line, entries in recording.lines.items():
        first = next((each for each in entries if each.what == "sent"), None)
        if first is None:
            continue
        if first.kind != "hello":
            yield f"line {line} began with a {first.kind}"
            continue
        ids.add(str(first.message.get("gateway_id", "")))
        epoch, known = recording.epochs[line], int(first.message.get("first_kept", 0))
        done = recording.done_by(epoch, first.at_ms)
        if len(ids) > 1:
            yield f"line {line}: its id was another before"
        elif not 1 <= len(epoch) <= LONGEST_EPOCH:
            yield f"line {line}: an epoch has 1 to {LONGEST_EPOCH} characters"
        elif len(str(first.message.get("software", ""))) > LONGEST_SOFTWARE:
            yield f"line {line}: its software has more than {LONGEST_SOFTWARE} characters"
        elif len(str(first.message.get("locale", ""))) > LONGEST_LOCALE:
            yield f"line {line}: its locale has more than {LONGEST_LOCALE} characters"
        elif known > done + 1:
            yield f"line {line}: it has kept {known} and later, and {done + 1} was not done yet"
        else:
            yield ""


def waits(recording: Recording) -> Found:
    """It sends nothing but its hello before it is welcomed."""
    for line, entries in recording.lines.items():
        welcomed = False
        for each in entries:
            welcomed |= each.kind == "welcome"
            if each.what == "sent" and each.kind != "hello" and not welcomed:
                yield f"line {line}: a {each.kind} came before the welcome"
                break
        if welcomed:
            yield ""


def numbers(recording: Recording) -> Found:
    """It numbers its messages in each epoch from 1, without a gap, and none twice."""
    for epoch, sent in recording.sent.items():
        first: dict[int, Entry] = {}
        for each in sent:
            before = first.setdefault(each.seq, each)
            if before is each:
                last = max((*(n for n in first if n != each.seq), 0))
                last = max(last, recording.done_by(epoch, each.at_ms))
                right = each.seq == last + 1
                yield "" if right else f"{each.seq} came in epoch {epoch} where {last + 1} is due"
            elif (before.kind, before.message) != (each.kind, each.message):
                yield f"number {each.seq} of epoch {epoch} was two different messages"


def prompts(recording: Recording) -> Found:
    """Each tap has the prompt that its user looked at."""
    shown: dict[str, dict[int, int]] = defaultdict(dict)
    for each in recording.entries:
        stylus = str(each.message.get("stylus", ""))
        if each.what == "told" and each.kind == "prompt":
            shown[stylus].setdefault(int(each.message.get("prompt", 0)), each.at_ms)
        if each.what != "sent" or each.kind != "tap":
            continue
        prompt = int(each.message.get("prompt", 0))
        seen = any(each.at_ms - at > SETTLE_MS for at in shown[stylus].values())
        if prompt and prompt not in shown[stylus]:
            yield f"tap {each.seq}: {stylus} was never shown prompt {prompt}"
        elif not prompt and seen and not each.message.get("offline", False):
            yield f"tap {each.seq}: {stylus} was shown a prompt, and it names none"
        elif prompt:
            yield ""


def again(recording: Recording) -> Found:
    """What is not acknowledged it sends again."""
    for epoch, sent in recording.sent.items():
        first = {each.seq: each for each in reversed(sent)}
        for seq, each in first.items():
            until, done = each.at_ms + PATIENCE_MS, recording.done_at(epoch, seq)
            overdue = done is None or done > until
            if any(e is not each and e.seq == seq and e.at_ms <= until for e in sent):
                yield ""
            elif overdue and recording.open_until(each.line) >= until:
                yield f"{seq} was not acknowledged, and did not come again"


def gap(recording: Recording) -> Found:
    """After a gap it sends again from the number that is missed."""
    for told in recording.told("gap"):
        expected, until = int(told.message.get("expected", 0)), told.at_ms + PATIENCE_MS
        line = recording.lines[told.line]
        # By their order: what was missed may have been sent in the very millisecond.
        later = line[line.index(told) + 1 :]
        came = any(each.at_ms <= until and each.seq == expected for each in later)
        if came or recording.open_until(told.line) >= until:
            yield "" if came else f"{expected} was missed, and did not come again"


def returns(recording: Recording) -> Found:
    """When a line ends it connects again."""
    for line in recording.lines:
        closing = recording.closing(line)
        if closing is None:
            continue
        until = closing.at_ms + PATIENCE_MS
        back = any(
            e.what == "opened" and closing.at_ms <= e.at_ms <= until for e in recording.entries
        )
        if back or recording.end >= until:
            yield "" if back else f"line {line} ended, and it did not come back"


def keeps(recording: Recording) -> Found:
    """After a lost line it goes on in the same epoch, with all that was not done."""
    lines = sorted(recording.epochs)
    for line, following in pairwise(lines):
        opened = recording.lines[following][0].at_ms
        kept = recording.kept(recording.epochs[line], opened)
        if recording.is_closed(line) or not kept:
            continue
        if recording.epochs[following] != recording.epochs[line]:
            yield f"line {following}: another epoch, though {kept[0].seq} was not done in the last"
            continue
        highest = _welcomed(recording, following)
        if highest is None:
            continue
        came = {each.seq for each in recording.lines[following] if each.what == "sent"}
        lost = [each.seq for each in kept if each.seq > highest and each.seq not in came]
        if not lost:
            yield ""
        elif recording.open_until(following) >= opened + PATIENCE_MS:
            yield f"line {following}: {lost[0]} was not done, and did not come again"


def _welcomed(recording: Recording, line: int) -> int | None:
    for each in recording.lines[line]:
        if each.kind == "welcome" and not each.message.get("closed", False):
            return int(each.message.get("highest", 0))
    return None


def closed(recording: Recording) -> Found:
    """In a closed epoch it begins another, in which what it has kept comes first."""
    lines = sorted(recording.epochs)
    for line, following in pairwise(lines):
        if not recording.is_closed(line):
            continue
        old, new = recording.epochs[line], recording.epochs[following]
        if new in {recording.epochs[each] for each in lines if each <= line}:
            yield f"line {following}: it came back with a closed epoch"
            continue
        kept = [_told_of(each) for each in recording.kept(old, recording.lines[following][0].at_ms)]
        came = {each.seq: _told_of(each) for each in recording.sent.get(new, ())}
        right = [came.get(number) for number in range(1, len(kept) + 1)] == kept
        yield "" if right else f"line {following}: what it had kept is not what came from number 1"


def _told_of(entry: Entry) -> tuple[str, dict[str, Any]]:
    return entry.kind, {name: each for name, each in entry.message.items() if name != "seq"}


def reports(recording: Recording) -> Found:
    """It answers a command, whether it can do it or not."""
    for told in recording.told("command"):
        number = told.message.get("number")
        found = next(
            (
                each.message
                for each in recording.lines[told.line]
                if each.kind == "report" and each.message.get("number") == number
            ),
            None,
        )
        if found is None:
            if recording.open_until(told.line) >= told.at_ms + PATIENCE_MS:
                yield f"command {number} was not answered"
        elif not found.get("done", False) and not found.get("why", ""):
            yield f"command {number} was not done, and it does not say why"
        else:
            yield ""


def later(recording: Recording) -> Found:
    """It goes on when it is told what it does not know, or is asked to wait."""
    for told in (*recording.told(LATER), *recording.told("throttled")):
        closing = recording.closing(told.line)
        left = closing is not None and closing.what == "ended"
        hasty = left and closing is not None and closing.at_ms < told.at_ms + SETTLE_MS
        yield f"line {told.line}: it ended the line after {told.kind!r}" if hasty else ""


def journals(recording: Recording) -> Found:
    """A journal has 1 to 1000 entries, in the order of their numbers."""
    for each in recording.whole:
        if each.kind != "journal":
            continue
        numbers = [entry.seq for entry in unrolled(each)]
        if not 1 <= len(numbers) <= MOST_ENTRIES:
            yield f"line {each.line}: a journal has {len(numbers)} entries"
        else:
            right = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            yield "" if right else f"line {each.line}: a journal's entries are out of order"


def boards(recording: Recording) -> Found:
    """A board watches at most 1024 spaces, with 16 signs each, of 64 characters."""
    watched: dict[str, set[str]] = defaultdict(set)
    for each in recording.entries:
        if each.what != "sent" or each.kind != "scan":
            continue
        stylus, spaces = str(each.message.get("stylus", "")), each.message.get("spaces", ())
        seen = {space.get("space", ""): space.get("signs", ()) for space in spaces}
        if each.message.get("whole", False):
            watched[stylus].clear()
        watched[stylus].update(seen)
        texts = (*seen, *(sign for signs in seen.values() for sign in signs))
        if len(watched[stylus]) > MOST_SPACES:
            yield f"scan {each.seq}: {stylus} watches {len(watched[stylus])} spaces"
        elif any(len(signs) > MOST_SIGNS for signs in seen.values()):
            yield f"scan {each.seq}: there are more than {MOST_SIGNS} signs on a space"
        elif any(not 1 <= len(text) <= LONGEST_SIGN for text in texts):
            yield f"scan {each.seq}: a space or a sign has no 1 to {LONGEST_SIGN} characters"
        else:
            yield ""


RULES: Final[Mapping[str, Callable[[Recording], Found]]] = {
    each.__name__: each
    for each in (
        hello, waits, numbers, prompts, again, gap, returns, keeps, closed, reports, later,
        journals, boards,
    )
}  # fmt: skip
"""By name; what each holds is its first line."""

OPTIONAL: Final = ("journals", "boards")
"""What not every gateway has an occasion for."""


class Verdict(Struct, frozen=True):
    """What came of a trial."""

    trial: str
    holds: str
    """What should hold."""
    failed: str = ""
    """What did not; empty if it did."""
    tried: bool = True
    """Was there an occasion for it?"""


def judge(entries: Sequence[Entry]) -> list[Verdict]:
    """What each rule says of a recording."""
    recording, verdicts = Recording(entries), []
    for name, rule in RULES.items():
        found = list(rule(recording))
        failed = next(filter(None, found), "")
        verdicts.append(Verdict(name, (rule.__doc__ or "").strip(), failed, bool(found)))
    return verdicts
