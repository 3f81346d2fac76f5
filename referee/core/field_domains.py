"""The domains of structs, by reflection: the types of most fields say what they can be; a game declares the others."""

import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from referee.core.domains import Domain, Meaning, Number, OneOf, Packer, pack, zeros
from referee.core.outcome import Seat

Declared: TypeAlias = Mapping[str, Domain | None]
"""Domains of fields by the names of the type and of the field, such as `View.turn`; None leaves the field out."""


class Fields:
    """A struct, field by field.

    A field has the domain that `declared` has by the names of the type and of the field, such as `View.turn`; None
    leaves it out. Otherwise its type must say it: an enum, a bool, a literal, a struct of these, or None beside it.
    """

    def __init__(self, struct: type[msgspec.Struct], declared: Declared) -> None:
        """Look at the fields.

        Raises:
            ValueError: a field is not declared, and its type does not say what it can be.
        """
        self.struct = struct
        hints = get_type_hints(struct)
        found = {name: _domain(hints[name], f"{struct.__name__}.{name}", declared) for name in struct.__struct_fields__}
        self._fields = {name: domain for name, domain in found.items() if domain is not None}
        self.entries = tuple(
            entry._replace(words=f".{name}{entry.words}")
            for name, domain in self._fields.items()
            for entry in domain.entries
        )

    def packer(self, own: Seat) -> Packer:
        """Packs field by field. It is compiled, as a loop over the fields would take longer than all that it calls."""
        packed = "".join(f"pack_{name}(value.{name})," for name in self._fields)
        names = {f"pack_{name}": domain.packer(own) for name, domain in self._fields.items()}
        compiled: Packer = eval(f"lambda value: join(({packed}))", names | {"join": b"".join})  # noqa: S307 - our names
        return compiled


class AnyOf:
    """One of several structs: which it is, then the fields of each. All are 0 for None and for other structs."""

    def __init__(self, structs: tuple[Fields, ...]) -> None:
        self._structs = structs
        self.entries = tuple(
            entry
            for it in structs
            for entry in (
                Meaning(f" is {it.struct.__name__}"),
                *(entry._replace(words=f"({it.struct.__name__}){entry.words}") for entry in it.entries),
            )
        )

    def packer(self, own: Seat) -> Packer:
        """Packs the struct between zeros for the others."""
        none, there = zeros(self), pack([1.0])
        blanks = [pack([0.0]) + zeros(it) for it in self._structs]
        around = {
            it.struct: (b"".join(blanks[:number]) + there, it.packer(own), b"".join(blanks[number + 1 :]))
            for number, it in enumerate(self._structs)
        }

        def any_of(value: Any) -> bytes:
            if value is None:
                return none
            before, packer, after = around[type(value)]
            return before + packer(value) + after

        return any_of


def _domain(hint: Any, field: str, declared: Declared) -> Domain | None:
    if field in declared:
        return declared[field]
    if get_origin(hint) in (Union, types.UnionType):
        return _of_union([each for each in get_args(hint) if each is not types.NoneType], field, declared)
    if get_origin(hint) is Literal:
        return OneOf(get_args(hint))
    if isinstance(hint, type):
        if issubclass(hint, msgspec.Struct):
            return Fields(hint, declared)
        if issubclass(hint, Enum):
            return OneOf(hint)
        if hint is bool:
            return Number(0, 1)
    raise ValueError(f"{field} has the type {hint}, which does not say what it can be; declare its domain")


def _of_union(hints: list[Any], field: str, declared: Declared) -> Domain | None:
    if all(isinstance(hint, type) and issubclass(hint, msgspec.Struct) for hint in hints):
        return AnyOf(tuple(Fields(hint, declared) for hint in hints))
    if len(hints) == 1 and hints[0] is not bool:
        return _domain(hints[0], field, declared)
    raise ValueError(f"{field} has the type {hints}, which does not say what it can be; declare its domain")
