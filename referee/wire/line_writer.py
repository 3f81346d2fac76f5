"""Values of a game as JSON text, for bots that read lines: what msgspec writes, but enumerations have their names.

A struct is an object with all its fields. If it has a tag, that comes first, as `type`. A writer of a class is made
when its first value comes: a match needs few of the classes of a game.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from referee.core.game import InFull

Write: TypeAlias = Callable[[Any], str]

_plain = msgspec.json.Encoder(order="deterministic").encode


def write(value: Any) -> str:
    """The JSON text of a value."""
    return _WRITERS[type(value)](value)


def write_once(value: Any) -> str:
    """The JSON text of a value that hardly comes again, such as a view."""
    written = _WRITERS[type(value)]
    once: Write = getattr(written, "__wrapped__", written)
    return once(value)


def has_names(kind: Any) -> bool:
    """Whether a type is an enumeration of numbers, whose members are written by their names."""
    return isinstance(kind, type) and issubclass(kind, Enum) and all(isinstance(each.value, int) for each in kind)


class _Writers(dict[type, Write]):
    """By class, how its values are written."""

    def __missing__(self, kind: type) -> Write:
        self[kind] = write  # a class may have values of its own
        self[kind] = written = _writer(kind)
        return written


def _writer(kind: type) -> Write:
    if has_names(kind):
        return lambda value: f'"{value._name_}"'
    if issubclass(kind, msgspec.Struct):
        return _struct_writer(kind)
    if issubclass(kind, tuple | list):
        return _list_writer(Any)
    if issubclass(kind, set | frozenset):
        return lambda value: "[" + ",".join(sorted(map(write, value))) + "]"
    if issubclass(kind, Mapping):
        return _write_mapping
    return lambda value: _plain(value).decode()


def _list_writer(items: Any) -> Write:
    if has_names(items):
        return lambda value: "[" + ",".join([f'"{each._name_}"' for each in value]) + "]"
    one = _writer_of(items)
    return lambda value: "[" + ",".join(map(one, value)) + "]"


def _writer_of(annotation: Any) -> Write:
    """How values of an annotated type are written: faster than by their classes, and in full where that is asked."""
    inner = [each for each in get_args(annotation) if each is not type(None)]
    if get_origin(annotation) is Annotated:
        show = _show_of(annotation)
        return _writer_of(inner[0]) if show is None else lru_cache(_CACHE_SIZE)(lambda value: write(show(value)))
    if len(inner) == 1 and get_origin(annotation) in (Union, UnionType):
        one = _writer_of(inner[0])
        return lambda value: "null" if value is None else one(value)
    if get_origin(annotation) is tuple and get_args(annotation)[1:] == (...,):
        return _list_writer(get_args(annotation)[0])
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return _WRITERS[annotation]
    return write


def _show_of(annotation: Any) -> Callable[[Any], Any] | None:
    return next((each.show for each in get_args(annotation) if isinstance(each, InFull)), None)


def _write_mapping(value: Mapping[Any, Any]) -> str:
    return "{" + ",".join(sorted(f"{_key(key)}:{write(each)}" for key, each in value.items())) + "}"


def _key(key: Any) -> str:
    text = write(key)
    return text if text.startswith('"') else f'"{text}"'


def _struct_writer(kind: type[msgspec.Struct]) -> Write:
    config, plain, types = kind.__struct_config__, get_type_hints(kind), get_type_hints(kind, include_extras=True)
    parts = [f'"{config.tag_field}":{write(config.tag)}'] if config.tag_field else []
    space: dict[str, Any] = {"__name__": __name__}
    for field in msgspec.structs.fields(kind):
        value = f"v.{field.name}"
        if plain[field.name] is int and _show_of(types[field.name]) is None:  # they are the most of all fields
            text = f"{{{value}:d}}"
        elif has_names(types[field.name]):
            text = f'"{{{value}._name_}}"'
        else:
            space[f"w_{field.name}"] = _writer_of(types[field.name])
            text = f"{{w_{field.name}({value})}}"
        parts.append(f'"{field.encode_name}":{text}')
    whole = "{{" + ",".join(parts) + "}}"
    written: Write = eval(f"lambda v: f'''{whole}'''", space)  # noqa: S307 - the names of a class of a game
    return lru_cache(_CACHE_SIZE)(written) if _can_be_kept(kind) else written


def _can_be_kept(annotation: Any, outer: tuple[Any, ...] = ()) -> bool:
    """Whether all values of an annotated type can be hashed. Actions, events and parts of views come often."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        if annotation in outer:
            return True
        types = get_type_hints(annotation).values()
        return bool(annotation.__struct_config__.frozen) and all(
            _can_be_kept(each, (*outer, annotation)) for each in types
        )
    inner = [each for each in get_args(annotation) if each is not ...]
    is_hashable = annotation is not Any and {annotation, get_origin(annotation)}.isdisjoint(_UNHASHED)
    return is_hashable and all(_can_be_kept(each, outer) for each in inner)


_CACHE_SIZE = 4096
_UNHASHED = (list, dict, set)

_WRITERS = _Writers(
    {
        bool: {True: "true", False: "false"}.__getitem__,
        int: int.__repr__,
        type(None): lambda _none: "null",
        type(msgspec.UNSET): lambda _unset: "null",
    }
)
