"""`bot.toml` as people write it: read, and everything that is wrong with it said at once."""

from math import remainder
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import msgspec
from pydantic import AfterValidator, BeforeValidator, Field, ValidationError, ValidationInfo, model_validator

from referee.core.errors import FileProblems
from referee.files.entry_arguments import plain_environment
from referee.files.file_model import FileModel, problems_of
from referee.files.manifest import (
    BUILD_OUTPUT,
    LISTENS,
    MANIFEST,
    MOST_BYTES,
    MOST_LINES_AT_ONCE,
    MOST_WORDS,
    VALUE,
    Manifest,
    ManifestError,
    ProtocolName,
    Transport,
    build_argument,
    is_for_tools,
    plain_name,
    plain_version,
    run_argument,
)
from referee.files.safe_read import read_toml


def _run(words: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
    if info.data.get("protocol", LISTENS) != LISTENS and any("{address}" in word for word in words):
        raise ValueError("has {address}, but a bot that reads lines does not listen; leave it out")
    return _command(words)


def _of_lines(value: Any, info: ValidationInfo) -> Any:
    if info.data.get("protocol", LISTENS) == LISTENS:
        raise ValueError('is only for protocol = "lines" or "flat"; other bots say it in their answer to Describe')
    return value


def _of_calls(value: Any, info: ValidationInfo) -> Any:
    if info.data.get("protocol", LISTENS) != LISTENS:
        raise ValueError("is for bots that listen; one that reads lines does not, so leave it out")
    return value


def _command(words: tuple[str, ...]) -> tuple[str, ...]:
    if len(words) > MOST_WORDS:
        raise ValueError(f"has {len(words):,} arguments; at most {MOST_WORDS} are allowed")
    return _some(words)


def _inside(text: str) -> str:
    """The text itself, if it is a path inside the bot's folder, written in the shortest way."""
    parts = text.split("/")
    if "\0" in text or not all(part not in {"", ".", ".."} for part in parts):
        raise ValueError(f"{text!r} is not allowed; allowed: a path inside the bot's folder, such as engine/build")
    return text


def _output(text: str) -> str:
    path = _inside(text)
    if path == MANIFEST or any(map(is_for_tools, path.split("/"))):
        raise ValueError(f"{text!r} is not allowed; {MANIFEST}, caches and version control are no build output")
    return path


def _some(items: tuple[str, ...]) -> tuple[str, ...]:
    if not items:
        raise ValueError("is empty; at least one is needed")
    return items


def _list_of(items: str) -> BeforeValidator:
    """Name what is wanted in words of TOML, which has lists where we have tuples."""

    def check(value: object) -> object:
        if not isinstance(value, list):
            raise ValueError(f"should be a list of {items}, not {value!r}")  # pydantic catches no TypeError
        return tuple(value)

    return BeforeValidator(check)


_NAMES = _list_of("strings")
_ARGUMENTS = _list_of("strings, one for each argument")
_VALUES = _list_of("values")
_PATHS = _list_of("paths inside the bot's folder")
_Word = Annotated[str, Field(min_length=1)]
_ROUNDING = 1e-6
_Number = Annotated[float, Field(allow_inf_nan=False)]


class ParameterToml(FileModel):
    """A table of `[parameters]`, with the keys of a `BotParameter`."""

    type: Literal["int", "float"]
    range: Annotated[tuple[_Number, _Number], _list_of("two numbers")]
    value: _Number
    step: Annotated[_Number, Field(ge=0)] = 0.0
    argument: str = ""
    environment: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        low, high = self.range
        if not low < high or not low <= self.value <= high:
            raise ValueError("needs a range = [LOW, HIGH] with LOW below HIGH, and a value in it")
        if self.type == "int" and any(number % 1 for number in (*self.range, self.value, self.step)):
            raise ValueError("is of type int, so its range, value and step must be whole numbers")
        if bool(self.argument) == bool(self.environment) or self.argument.count(VALUE) != bool(self.argument):
            raise ValueError(f'needs either argument = "--NAME={VALUE}" or environment = "NAME"')
        run_argument(self.argument.replace(VALUE, "0"))
        plain_environment({self.environment: ""} if self.environment else {})
        if self.step and abs(remainder(self.value - low, self.step)) > _ROUNDING * self.step:
            raise ValueError(f"needs a value that is a whole number of steps of {self.step:g} above {low:g}")
        return self


class BotToml(FileModel):
    """The keys of a `bot.toml`, which are the attributes of `Manifest`."""

    name: Annotated[str, AfterValidator(plain_name)]
    version: Annotated[str, AfterValidator(plain_version)]
    author: str
    protocol: ProtocolName = "grpc"
    games: Annotated[tuple[_Word, ...], _NAMES, AfterValidator(_some)]
    run: Annotated[tuple[Annotated[_Word, AfterValidator(run_argument)], ...], _ARGUMENTS, AfterValidator(_run)]
    build: Annotated[
        tuple[Annotated[_Word, AfterValidator(build_argument)], ...], _ARGUMENTS, AfterValidator(_command)
    ] = ()
    output: Annotated[tuple[Annotated[str, AfterValidator(_output)], ...], _PATHS] = BUILD_OUTPUT
    links: Annotated[tuple[Annotated[str, AfterValidator(_inside)], ...], _PATHS] = ()
    transport: Annotated[Transport, AfterValidator(_of_calls)] = "unix"
    max_batch: Annotated[int, Field(ge=1, le=MOST_LINES_AT_ONCE), AfterValidator(_of_lines)] = 1
    options: dict[str, dict[str, Annotated[tuple[Any, ...], _VALUES, AfterValidator(_some)]]] = Field(
        default_factory=dict
    )
    parameters: dict[Annotated[str, AfterValidator(plain_name)], ParameterToml] = Field(default_factory=dict)


def read_manifest(folder: Path) -> Manifest:
    """The `bot.toml` of a bot's folder.

    Raises:
        ManifestError: with all errors, each with its place and the allowed values.
    """
    if not folder.is_dir():
        raise ManifestError([f"{folder}: there is no such folder; a bot is a folder with a bot.toml"])
    path = folder / MANIFEST
    try:
        return msgspec.convert(BotToml.model_validate(read_toml(path, MOST_BYTES)).model_dump(), Manifest)
    except FileProblems as error:
        raise ManifestError(error.problems) from error
    except ValidationError as error:
        raise ManifestError(problems_of(error, BotToml, f"{path}: ")) from error
