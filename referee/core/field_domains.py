"""The domains of structs, by reflection: the types of most fields say what they can be; a game declares the others."""

import types
from collections.abc import Mapping, Sequence
from enum import EnumType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from referee.core.domains import Domain, Meaning, Packer, join_entries, one_of, pack, whole_number
from referee.core.outcome import Seat

Declared: TypeAlias = Mapping[str, Domain | None]
"""Domains of fields by the names of the type and of the field, such as `View.turn`; None leaves the field out."""


def fields_of(struct: type[msgspec.Struct], declared: Declared) -> Domain:
    """A struct, field by field.

    A field has the domain that is declared for it. Otherwise its type must say what it can be: an enum, a bool, a
    literal, a struct of these, or None beside it.

    Raises:
        ValueError: a field is not declared, and its type does not say what it can be.
    """
    hints = get_type_hints(struct)
    found = {name: _domain(hints[name], f"{struct.__name__}.{name}", declared) for name in struct.__struct_fields__}
    domains = {name: domain for name, domain in found.items() if domain is not None}
    packed = "".join(f"pack_{name}(value.{name})," for name in domains)

    def packer(own: Seat) -> Packer:  # it is compiled: a loop over the fields would take longer than all that it calls
        names = {f"pack_{name}": domain.packer(own) for name, domain in domains.items()}
        compiled: Packer = eval(f"lambda value: join(({packed}))", names | {"join": b"".join})  # noqa: S307 - our names
        return compiled

    return Domain(join_entries((f".{name}", domain) for name, domain in domains.items()), packer)


def _any_of(structs: Sequence[type[msgspec.Struct]], declared: Declared) -> Domain:
    """One of several structs: which it is, then the fields of each. All are 0 for None and for other structs."""
    domains = {struct: fields_of(struct, declared) for struct in structs}
    entries = [
        entry
        for struct, domain in domains.items()
        for entry in (Meaning(f" is {struct.__name__}"), *join_entries([(f"({struct.__name__})", domain)]))
    ]
    blanks = [pack([0.0]) + domain.zeros for domain in domains.values()]
    there = pack([1.0])

    def packer(own: Seat) -> Packer:
        packers = {struct: (number, domain.packer(own)) for number, (struct, domain) in enumerate(domains.items())}

        def packed(value: Any) -> bytes:
            row = blanks.copy()
            if value is not None:
                number, pack_struct = packers[type(value)]
                row[number] = there + pack_struct(value)
            return b"".join(row)

        return packed

    return Domain(tuple(entries), packer)


def _domain(hint: Any, field: str, declared: Declared) -> Domain | None:
    if field in declared:
        return declared[field]
    if get_origin(hint) in (Union, types.UnionType):
        kinds = [each for each in get_args(hint) if each is not types.NoneType]
        if all(isinstance(kind, type) and issubclass(kind, msgspec.Struct) for kind in kinds):
            return _any_of(kinds, declared)
        if len(kinds) == 1 and kinds[0] is not bool:
            return _domain(kinds[0], field, declared)
    elif get_origin(hint) is Literal or isinstance(hint, EnumType):
        return one_of(get_args(hint) or hint)
    elif hint is bool:
        return whole_number(0, 1)
    elif isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return fields_of(hint, declared)
    raise ValueError(f"{field} has the type {hint}, which does not say what it can be; declare its domain")
