"""Values of a game for bots that read lines: as they are, but enumerations have their names, and ids are in full.

msgspec writes these values as JSON. A struct is an object with all its fields. If it has a tag, that comes first, as
`type`. How a class is written is found out when its first value comes: a match needs few of the classes of a game.
"""

from collections.abc import Callable, Mapping
from enum import Enum, Flag
from operator import call
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import astuple

from referee.core.game import InFull

Show: TypeAlias = Callable[[Any], Any]

_encode = msgspec.json.Encoder(order="deterministic").encode


def line_value(value: Any) -> Any:
    """The value that msgspec must write instead of this one."""
    return _BY_CLASS[type(value)](value)


def line_value_once(value: Any) -> Any:
    """As `line_value`, for a value that hardly comes again, such as a view."""
    show = _BY_CLASS[type(value)]
    return _without_cache(show)(value)


def has_names(kind: Any) -> bool:
    """Whether a type is an enumeration of numbers, whose members are written by their names."""
    is_enumeration = isinstance(kind, type) and issubclass(kind, Enum) and not issubclass(kind, Flag)
    return is_enumeration and all(isinstance(each.value, int) for each in kind)


def is_struct(kind: Any) -> bool:
    """Whether a type is a class of structs."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def add_types(found: dict[Any, None], *kinds: Any) -> dict[Any, None]:
    """Add these types, and all that their values are made of, also where they are written in full."""
    for kind in kinds:
        if kind not in found:
            found[kind] = None  # the order is always the same
            parts = get_type_hints(kind, include_extras=True).values() if is_struct(kind) else get_args(kind)
            add_types(found, *parts, *([kind.kind] if isinstance(kind, InFull) else []))
    return found


class _ByClass(dict[type, Show]):
    def __missing__(self, kind: type) -> Show:
        self[kind] = line_value  # a class may have values of its own
        self[kind] = show = _show_of(kind) or _as_it_is
        return show


def _show_of(kind: Any) -> Show | None:
    """How values of a class are written; None: as they are."""
    if has_names(kind):
        return {each: each.name for each in kind}.__getitem__
    if is_struct(kind):
        return _show_of_struct(kind)
    if issubclass(kind, tuple | list):
        return lambda value: [*map(call, map(_BY_CLASS.__getitem__, map(type, value)), value)]
    if issubclass(kind, set | frozenset):
        return lambda value: sorted(map(line_value, value), key=_encode)
    if issubclass(kind, Mapping):
        return lambda value: _raw({line_value(key): line_value(each) for key, each in value.items()})
    return None if kind is not msgspec.UnsetType else lambda _unset: None


def _show_of_struct(kind: type[msgspec.Struct]) -> Show | None:
    types, config = get_type_hints(kind, include_extras=True), kind.__struct_config__
    shows = [_show_of_annotated(types[name]) for name in kind.__struct_fields__]
    if not (any(shows) or config.omit_defaults or config.array_like):
        return None
    names = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
    alike = msgspec.defstruct(
        kind.__name__, list(names), tag=config.tag, tag_field=config.tag_field, rename=names, gc=False
    )
    changed = [(at, show) for at, show in enumerate(shows) if show is not None]

    def show(value: Any) -> Any:
        values = [*astuple(value)]
        for at, show in changed:
            values[at] = show(values[at])
        return alike(*values)

    return _with_cache(show, kind)


def _show_of_annotated(annotation: Any) -> Show | None:
    """How values of an annotated type are written; None: as they are."""
    inner, origin = [each for each in get_args(annotation) if each is not NoneType], get_origin(annotation)
    if origin is Annotated:
        return _show_of_marked(*inner)
    if origin in (Union, UnionType) or (origin is tuple and inner[1:] == [...]):
        kinds = [each for each in inner if each is not ...]
        shows = list(filter(None, map(_show_of_annotated, kinds)))
        if not shows:
            return None
        if origin is tuple:
            return _list_of(shows[0], annotation)
        return line_value if kinds[1:] else lambda value: None if value is None else shows[0](value)
    if has_names(annotation) or (is_struct(annotation) and not annotation.__subclasses__()):
        show = _BY_CLASS[annotation]
        return None if show is _as_it_is else show
    return None if annotation in (int, str, bool, float, NoneType) or origin is Literal else line_value


def _show_of_marked(annotation: Any, *marks: Any) -> Show | None:
    mark = next((each for each in marks if isinstance(each, InFull)), None)
    if mark is None:
        return _show_of_annotated(annotation)
    return _with_cache(lambda value: line_value(mark.show(value)), annotation)


def _list_of(show: Show, annotation: Any) -> Show:
    def listed(value: Any) -> Any:
        return [*map(show, value)]

    return listed if _without_cache(show) is not show else _with_cache(listed, annotation)


class _TextCache(dict[Any, msgspec.Raw]):
    """The latest texts of values. Equal values have equal texts, whichever seat got them first."""

    def __init__(self, show: Show) -> None:
        super().__init__()
        self.show = show

    def __missing__(self, value: Any) -> msgspec.Raw:
        if len(self) == _MOST_KEPT:
            self.clear()
        self[value] = text = _raw(self.show(value))
        return text


def _with_cache(show: Show, annotation: Any) -> Show:
    """Keep the texts of an annotated type, if that can be."""
    return _TextCache(show).__getitem__ if all(map(_is_simple, add_types({}, annotation))) else show


def _without_cache(show: Show) -> Show:
    cache = getattr(show, "__self__", None)
    return cache.show if isinstance(cache, _TextCache) else show


def _is_simple(kind: Any) -> bool:
    """Whether equal values of a type have equal texts and can be hashed, if that holds for their parts."""
    inner, origin = [each for each in get_args(kind) if each is not NoneType], get_origin(kind)
    if origin in (Union, UnionType):  # 1 may equal a member with another text; structs of two classes are never equal
        return len(inner) == 1 or all(map(is_struct, inner))
    if is_struct(kind):
        return bool(kind.__struct_config__.frozen)
    is_no_type = kind is ... or isinstance(kind, str | int | InFull | msgspec.Meta)  # what annotations have besides
    is_plain = isinstance(kind, type) and issubclass(kind, int | str | NoneType)
    return is_plain or is_no_type or origin in (tuple, Annotated, Literal)


def _raw(value: Any) -> msgspec.Raw:
    return msgspec.Raw(_encode(value))


def _as_it_is(value: Any) -> Any:
    return value


_MOST_KEPT = 4096

_BY_CLASS = _ByClass()
