"""Text without invisible characters, which names in old logs may contain."""

import re
from typing import Final

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U00013430-\U0001345f\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Unicode's default-ignorable characters (`Default_Ignorable_Code_Point`), which are invisible or
alter others, and annotation characters."""


def visible_text(text: str) -> str:
    r"""Return a text without characters that are invisible or change the order of others.

    >>> visible_text("Ada\u200b\u202e takes a seat")
    'Ada takes a seat'
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)
