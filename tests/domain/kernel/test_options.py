"""Options described for forms: from the annotations of a Struct to titles, bounds and choices."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel.options import Choice, Option, option, options_in


class Options(Struct):
    rows: Annotated[int, option("Board depth", description="How deep it is", ge=8, le=12)] = 10
    start: Annotated[
        Literal["a", "b"] | None,
        option("Start", description="Who begins", choices={None: "Usual", "b": "Bee", "a": "Ay"}),
    ] = None
    quiet_end: Annotated[bool, Meta(description="Without a title")] = False
    scene: Annotated[str, option("Scene", description="Where", content="place", max_length=9)] = ""


def test_content_is_requested_first_and_the_rest_in_the_order_of_the_fields() -> None:
    assert [each.name for each in options_in(Options)] == ["scene", "rows", "start", "quiet_end"]


def test_an_option_has_its_title_bounds_choices_and_default() -> None:
    scene, rows, start, quiet = options_in(Options)
    assert rows == Option(
        name="rows",
        title="Board depth",
        description="How deep it is",
        kind="integer",
        default=10,
        min_value=8,
        max_value=12,
    )
    assert (scene.kind, scene.content_kind, scene.max_length) == ("content", "place", 9)
    # In the order in which the game gives them.
    assert start.choices == (Choice(None, "Usual"), Choice("b", "Bee"), Choice("a", "Ay"))
    assert quiet.title == "Quiet end", "what has no title goes by its name"
