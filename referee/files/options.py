"""A game's options as a person wrote them, in a league file or on the command line."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import msgspec
from msgspec import inspect

from referee.core.errors import FileProblems
from referee.core.game import AnyGame


class OptionsError(FileProblems):
    """The game does not take these options."""


def read_options(game: AnyGame, values: Mapping[str, Any], place: str) -> Any:
    """The game's options, an instance of its `options_type`. An option that is not given keeps its default.

    Text is converted to the option's type ("3" to 3), since a command line has only text. A list or an object is JSON
    there, such as [1, 2].

    `values` has plain values by the option's name. Messages put `place` before it, such as `tables[0].options.`.

    Raises:
        OptionsError: with everything that is wrong, each with what is allowed.
    """
    kinds = _kinds(game.options_type)
    values = {name: _parsed(kinds.get(name), value) for name, value in values.items()}
    problems = [f"{place}{name}: {wrong}" for name, value in values.items() if (wrong := _wrong(kinds, name, value))]
    if problems:
        raise OptionsError(problems)
    try:
        return msgspec.convert(values, game.options_type, strict=False)
    except msgspec.ValidationError as error:  # each option is right, but not all of them together
        raise OptionsError([f"{place.rstrip('. ')}: {error}"]) from error


def wrong_values(game: AnyGame, listed: Mapping[str, Sequence[object]], place: str) -> list[str]:
    """The errors in lists of values of the game's options, one sentence each. Text is not converted to a number.

    `listed` has plain values by the option's name; `place` is as in `read_options`.
    """
    kinds = _kinds(game.options_type)
    found = ((name, _wrong(kinds, name, value, strict=True)) for name, values in listed.items() for value in values)
    return list(dict.fromkeys(f"{place}{name}: {wrong}" for name, wrong in found if wrong))


def _kinds(options_type: Any) -> Mapping[str, Any]:
    """The type of each option, by name."""
    return {field.name: field.type for field in msgspec.structs.fields(options_type)}


def _parsed(kind: Any, value: object) -> object:
    """The value; read from JSON if it is the text of a list or an object, and the option takes no text."""
    if isinstance(value, str) and value.startswith(("[", "{")):
        with suppress(msgspec.MsgspecError, UnicodeEncodeError):
            msgspec.json.decode(value, type=kind)
            return msgspec.json.decode(value)
    return value


def _wrong(kinds: Mapping[str, Any], name: str, value: object, *, strict: bool = False) -> str | None:
    if name not in kinds:
        return f"is not known; known here: {', '.join(kinds) or 'no options'}"
    try:
        msgspec.convert(value, kinds[name], strict=strict)
    except msgspec.ValidationError:
        return f"{value!r} is not allowed; allowed: {_allowed(kinds[name])}"
    except UnicodeEncodeError:  # a command line can have any bytes
        return f"{value!r} is not UTF-8"
    return None


def _allowed(kind: Any) -> str:
    """The values of a type in words: as a list, a range, the type's own description, or what kind of value it is."""
    match inspect.type_info(kind):
        case inspect.Metadata(extra_json_schema={"description": words}):
            return str(words)
        case inspect.UnionType(types=(inspect.Type() as only, inspect.NoneType())):
            return _range(only) or _in_words(only)
        case only:
            values = _values(kind)
            listed = "true, false" if values == (True, False) else ", ".join(map(str, values))
            return _range(only) or listed or _in_words(only)


def _range(kind: inspect.Type) -> str:
    match kind:
        case inspect.IntType() | inspect.FloatType() if kind.ge is not None and kind.le is not None:
            return f"{kind.ge} to {kind.le}"
        case _:
            return ""


def _in_words(kind: inspect.Type) -> str:
    """The kind of value that a type has."""
    describe = _IN_WORDS.get(type(kind))
    return "an object" if describe is None else describe(kind)


def _number(kind: Any) -> str:
    least = "" if kind.ge is None else f" from {kind.ge}"
    most = "" if kind.le is None else f" up to {kind.le}"
    return f"number{least}{most}"


def _list(kind: Any) -> str:
    return f"a list, each of it {_in_words(kind.item_type)}"


def _one_of(values: Iterable[object]) -> str:
    return f"one of {', '.join(map(str, values))}"


_IN_WORDS: Mapping[type, Callable[[Any], str]] = {
    inspect.IntType: lambda kind: f"a whole {_number(kind)}",
    inspect.FloatType: lambda kind: f"a {_number(kind)}",
    inspect.StrType: lambda _: "a text",
    inspect.BoolType: lambda _: "true or false",
    inspect.NoneType: lambda _: "nothing",
    inspect.LiteralType: lambda kind: _one_of(kind.values),
    inspect.EnumType: lambda kind: _one_of(member.value for member in kind.cls),
    inspect.ListType: _list,
    inspect.VarTupleType: _list,
    inspect.SetType: _list,
    inspect.FrozenSetType: _list,
    inspect.TupleType: lambda kind: f"a list of {len(kind.item_types)}: {', '.join(map(_in_words, kind.item_types))}",
    inspect.UnionType: lambda kind: " or ".join(map(_in_words, kind.types)),
    inspect.StructType: lambda kind: f"an object with {', '.join(field.encode_name for field in kind.fields)}",
    inspect.Metadata: lambda kind: _in_words(kind.type),
}
"""By kind of type, the words for it."""


def _values(kind: Any) -> tuple[Any, ...]:
    """The values of a type, as plain values; empty if they cannot be listed."""
    match inspect.type_info(kind):
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.EnumType(cls=members):
            return tuple(member.value for member in members)
        case inspect.BoolType():
            return (True, False)
        case inspect.Metadata(extra={"choices": values}):
            return tuple(values)
        case _:
            return ()


def _by_seat(kind: Any) -> tuple[str, ...]:
    """See `KnownOption.by_seat`."""
    match inspect.type_info(kind):
        case inspect.Metadata(extra={"by_seat": things}):
            return tuple(things)
        case _:
            return ()


class KnownOption(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option that a game takes.

    Attributes:
        name: the name as it is written.
        default: the value if none is given, as a plain value.
        allowed: its values in words: as a list, a range, the type's own description, or what kind of value it is.
        values: its values as plain values; empty if they cannot be listed.
        by_seat: if its other values than the default name one thing for each seat, with commas between: these things.
    """

    name: str
    default: Any
    allowed: str
    values: tuple[Any, ...]
    by_seat: tuple[str, ...] = ()


def known_options(game: AnyGame) -> tuple[KnownOption, ...]:
    """The options that a game takes, in its own order."""
    defaults = msgspec.to_builtins(game.options_type())
    return tuple(
        KnownOption(field.name, defaults[field.name], _allowed(field.type), _values(field.type), _by_seat(field.type))
        for field in msgspec.structs.fields(game.options_type)
    )


def seats_of(game: AnyGame) -> tuple[int, ...]:
    """Every number of players that fits some options, sorted. Options without a list of values keep their default."""
    return tuple(sorted({seats for _, options in listed_options(game) for seats in game.seats(options)}))


def listed_options(game: AnyGame) -> Iterator[tuple[dict[str, Any], Any]]:
    """All choices of options: as plain values by name, and as the game's own type.

    Options without a list of values keep their default.
    """
    defaults = msgspec.to_builtins(game.options_type())
    choices = [_values(field.type) or (defaults[field.name],) for field in msgspec.structs.fields(game.options_type)]
    for values in product(*choices):
        with suppress(msgspec.ValidationError):  # not every combination is one
            chosen = dict(zip(defaults, values, strict=True))
            yield chosen, msgspec.convert(chosen, game.options_type)
