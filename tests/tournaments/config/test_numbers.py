"""Every number that a league file accepts can be checked, played and shown, or is refused in a sentence."""

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from itertools import product
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest

from tests.cli.command import BOTS, GAME, Ended, referee
from tests.tournaments.fakes import FakeExecutor, Stopped
from tournaments.config import league_keys
from tournaments.config.league_keys import FileModel
from tournaments.league.format_settings import KINDS
from tournaments.play.bots import RollCall
from tournaments.play.environment import LocalEnvironment
from tournaments.results.league_location import league_in

PLACES = {
    "Head": (),
    "ClockPart": ("clock",),
    "SandboxPart": ("sandbox",),
    "FoldersPart": ("folders",),
    "SubmissionsPart": ("submissions",),
    "ServicePart": ("service",),
    "ParlourPart": ("parlour",),
    "FolderPart": ("bots", 0),
    "RemotePart": ("bots", 2),
    "TablePart": ("tables", 0),
    "NotifyPart": ("notify",),
}
"""Where the keys of each part are in `league_file`."""

FORMATS: Mapping[str, dict[str, Any]] = {
    **{kind: {"kind": kind} for kind in KINDS},
    "gauntlet": {"kind": "gauntlet", "challengers": ["random"]},
    "balanced": {"kind": "round-robin", "matches": 1_000},
}

FAR = {"address": "grpc://127.0.0.1:9", "name": "far", "version": "1"}


class Number(NamedTuple):
    """A key with a value.

    Attributes:
        place: the steps to the part that has the key.
        key: the key.
        value: the least or the greatest number that the key accepts.
    """

    place: tuple[str | int, ...]
    key: str
    value: float

    def __str__(self) -> str:
        return f"{'.'.join(map(str, (*self.place, self.key)))}={self.value}"


class Bounds(NamedTuple):
    """The least and the greatest number of an annotation, and whether these are allowed."""

    kind: type
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None

    def ends(self) -> tuple[float, float]:
        step = 1 if self.kind is int else 1e-9
        low = self.ge if self.ge is not None else self.gt + step if self.gt is not None else None
        high = self.le if self.le is not None else self.lt - step if self.lt is not None else None
        assert low is not None
        assert high is not None
        return low, high


def bounds_of(annotation: Any, limits: tuple[Any, ...] = ()) -> Bounds | None:
    """The bounds of a key; None if its values are not numbers."""
    if get_origin(annotation) is Annotated:
        inner, *limits_here = get_args(annotation)
        return bounds_of(inner, (*limits, *limits_here))
    if get_origin(annotation) in (Union, UnionType):
        return next((each for part in get_args(annotation) if (each := bounds_of(part, limits))), None)
    if annotation not in (int, float):
        return None
    found: dict[str, float] = {}
    for limit in limits:
        for each in (limit, *getattr(limit, "metadata", ())):
            found |= {name: at for name in ("ge", "gt", "le", "lt") if (at := getattr(each, name, None)) is not None}
    return Bounds(annotation, **found)


def models() -> list[type[FileModel]]:
    """The parts of a league file."""
    every = (value for value in vars(league_keys).values() if isinstance(value, type))
    return [each for each in every if issubclass(each, FileModel) and each.__module__ == league_keys.__name__]


def numbers() -> Iterator[Number]:
    """Both ends of every key that takes numbers, apart from those of `[format]`."""
    for model in models():
        for key, annotation in get_type_hints(model, include_extras=True).items():
            bounds = bounds_of(annotation)
            if bounds is not None:
                yield from (Number(PLACES[model.__name__], key, end) for end in bounds.ends())


def format_numbers() -> Iterator[tuple[str, Number]]:
    """The same of `[format]`, with the kinds that have the keys."""
    for kind, settings in KINDS.items():
        for key, annotation in get_type_hints(settings, include_extras=True).items():
            bounds = bounds_of(annotation)
            if bounds is not None:
                yield from ((kind, Number(("format",), key, end)) for end in bounds.ends())


def write(file: Path, kind: str, *given: Number) -> Path:
    """A league file of three bots with these values."""
    head: dict[str, Any] = {
        "name": "autumn",
        "game": "agent-avenue",
        "deals": 2,
        "seed": "7",
        "rehearsal": True,
        "sandbox": {"kind": "none"},
        "clock": {},
        "format": dict(FORMATS[kind]),
        "bots": [{"path": str(BOTS / "random")}, {"path": str(BOTS / "greedy")}],
        "tables": [{"name": "simple", "seats": 2}],
    }
    for place, key, value in given:
        part: Any = head
        if place[:1] == ("bots",) and place[1] == 2:
            head["bots"].append(dict(FAR))
        for step in place:
            part = part[step] if isinstance(step, int) else part.setdefault(step, {})
        part[key] = value
    file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in head.items()), encoding="utf-8")
    return file


def toml(value: Any) -> str:
    """A value as TOML, in one line."""
    match value:
        case dict():
            return "{" + ", ".join(f"{key} = {toml(each)}" for key, each in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
        case _:
            return json.dumps(value)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that plays without processes, one match in each command but `check`."""
    monkeypatch.setattr(LocalEnvironment, "roll_call", lambda *_: RollCall({}, [], []))
    monkeypatch.setattr(
        LocalEnvironment,
        "executor",
        lambda _machine, work, _dir: nullcontext(FakeExecutor(game=GAME, clock=work.clock, arrange=lambda each: each[:40])),
    )


def commands(file: Path) -> list[tuple[str | Path, ...]]:
    """What is done with a league."""
    asked = [("league", name, file) for name in ("check", "run", "status", "standings", "crosstable", "matches")]
    return [*asked, ("league", "rounds", file), ("site", file, file.parent / "site")]


def ends_well(ended: Ended) -> bool:
    return ended.code == 0 or (ended.code < 10 and "Traceback" not in ended.err)


def ask_all(file: Path, store: str) -> None:
    try:
        league_in(file)
    except Exception as error:
        print("REFUSED", error)
        return
    for words in commands(file):
        try:
            import time
            t=time.time()
            ended = referee(*words, "--store", store)
            dt = time.time()-t
            print(words[1], ended.code, f"{dt:.1f}", ended.err[-300:] if ended.code else "")
        except BaseException as error:
            print("ERROR", words[1], type(error), str(error)[:300])
