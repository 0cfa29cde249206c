"""Tables of content packs drawn at random from the types that read them, and written as TOML.

A new word of a vocabulary is a new type, so it is drawn without a change here.
"""

import json
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from msgspec import inspect

Table = dict[str, Any]


def number(chance: Random, least: int, most: int) -> int:
    """Return a random integer, mostly near the least, sometimes from the whole range."""
    reach = chance.choices((2, 12, 60, 400, most - least), (50, 30, 14, 4, 2))[0]
    drawn = least + chance.randint(0, min(reach, most - least))
    if least < 0:
        drawn = chance.choice((-1, 1)) * min(drawn - least, most)
    return drawn


class Drawing:
    """A generator of random values of types, as a pack writes them.

    `named` draws fields by name, whose values depend on the rest of the pack. `spelt` draws texts
    by the pattern that they must match.
    """

    def __init__(
        self,
        chance: Random,
        named: dict[str, Callable[[], Any]],
        spelt: Mapping[str, Callable[[Random], str]] | None = None,
    ) -> None:
        self.chance = chance
        self.named = named
        self.spelt = spelt or {}

    def table(self, kind: Any) -> Table:
        """Return a random value of a struct, or of one of several structs."""
        found = inspect.type_info(kind)
        table = self._value(found)
        assert isinstance(table, dict), kind
        return table

    def _value(self, kind: inspect.Type) -> Any:
        chance = self.chance
        match kind:
            case inspect.IntType(ge=least, le=most):
                return number(chance, least or 0, 9999 if most is None else most)
            case inspect.BoolType():
                return chance.random() < 0.5
            case inspect.LiteralType(values=values):
                return chance.choice(values)
            case inspect.StrType(pattern=pattern) if pattern in self.spelt:
                return self.spelt[pattern](chance)
            case inspect.StrType():
                return chance.choice(("Ash", "Thorn", "Low Bell", "Nine"))
            case inspect.VarTupleType(item_type=item):
                most = chance.choices((0, 1, 2, 3), (15, 45, 30, 10))[0]
                return [self._value(item) for _ in range(max(most, kind.min_length or 0))]
            case inspect.UnionType(types=types):
                some = [each for each in types if not isinstance(each, inspect.NoneType)]
                return self._value(chance.choice(some))
            case inspect.DictType(key_type=key, value_type=value):
                assert isinstance(key, inspect.LiteralType), key
                return {n: self._value(value) for n in key.values if chance.random() < 0.5}
            case inspect.Metadata(type=inner):
                return self._value(inner)
            case inspect.StructType():
                return self._struct(kind)
            case _:
                raise AssertionError(f"a pack has no {kind}")

    def _struct(self, kind: inspect.StructType) -> Table:
        table: Table = {kind.tag_field: kind.tag} if kind.tag_field else {}
        for field in kind.fields:
            if field.required or self.chance.random() < 0.5:
                known = self.named.get(field.encode_name)
                table[field.encode_name] = known() if known else self._value(field.type)
        return table


def written(tables: Table) -> bytes:
    """Encode tables as a TOML document."""
    lines = (f"{json.dumps(name)} = {_inline(value)}" for name, value in tables.items())
    return "\n".join(lines).encode()


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{json.dumps(name)} = {_inline(each)}" for name, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)
