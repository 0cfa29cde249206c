"""The page about frontends says what is so."""

import re
from pathlib import Path
from typing import Any

from services.main import Service

PAGE = (Path(__file__).parents[3] / "docs" / "frontends.md").read_text()


async def test_the_example_does_what_the_page_says(service: Service) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102  it is our own page
    returned = await names["evening"](service.address, service.admin_key)
    (documented,) = re.findall(r"It returns `(\[.*?\])`", PAGE)
    assert returned == eval(documented)  # noqa: S307  as above
