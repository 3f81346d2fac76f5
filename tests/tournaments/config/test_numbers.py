"""Every number that a league file accepts can be checked, played and shown, or is refused in a sentence."""

import json
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import pytest

from referee.core.errors import Exit
from referee.files.file_model import FileModel
from tests.cli.command import BOTS, GAME, referee
from tests.tournaments.fakes import FakeExecutor, Stopped
from tournaments.config import league_keys
from tournaments.league.format_settings import KINDS
from tournaments.play.bots import RollCall
from tournaments.play.environment import LocalEnvironment
from tournaments.play.workers.worker_messages import Work

PLACES = {
    "Head": (),
    "AboutPart": ("about",),
    "ClockPart": ("clock",),
    "SandboxPart": ("sandbox",),
    "FoldersPart": ("folders",),
    "SubmissionsPart": ("submissions",),
    "ServicePart": ("service",),
    "VisitorsPart": ("visitors",),
    "FolderPart": ("bots", 0),
    "RemotePart": ("bots", 2),
    "TablePart": ("tables", 0),
    "RatingPart": ("rating",),
    "NotifyPart": ("notify",),
    "PricePart": ("prices", "*"),
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


def write(file: Path, kind: str, *given: Number, sandbox: str = "none") -> Path:
    """A league file of two bots, and of a third at an address if a value is its, with these values."""
    head: dict[str, Any] = {
        "name": "autumn",
        "game": "agent-avenue",
        "deals": 2,
        "seed": "7",
        "rehearsal": True,
        "sandbox": {"kind": sandbox},
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


class ShortRun(FakeExecutor):
    """Looks at the first sittings only, as a run does that is stopped early."""

    MOST_SITTINGS = 40


def play_at_most(monkeypatch: pytest.MonkeyPatch, matches: int | None) -> None:
    """Let this machine play without processes, and stop after so many matches."""
    monkeypatch.setattr(LocalEnvironment, "roll_call", lambda *_: RollCall({}, [], []))

    def executor(_machine: LocalEnvironment, work: Work, _folder: Path) -> AbstractContextManager[FakeExecutor]:
        return nullcontext(ShortRun(game=GAME, clock=work.clock, stops_after=matches))

    monkeypatch.setattr(LocalEnvironment, "executor", executor)


def check_number(folder: Path, kind: str, *given: Number) -> None:
    """Do with a league of these values what can be done with a league."""
    file = write(folder / "autumn.toml", kind, *given)
    store = ("--store", f"sqlite:///{folder / 'autumn.sqlite'}")
    with pytest.MonkeyPatch.context() as monkeypatch:
        play_at_most(monkeypatch, None)
        ended = referee("league", "check", file, *store)
        if ended.code:
            assert ended.code == Exit.WRONG_USE
            assert "Traceback" not in ended.err
            # The file is refused, or a folder is larger than the file allows.
            assert all(": " in sentence for sentence in ended.err.splitlines())
            return
        play_at_most(monkeypatch, 1)
        with pytest.raises(Stopped):
            referee("league", "run", file, *store)
        for name in ("status", "standings", "crosstable", "matches"):
            ended = referee("league", name, file, *store)
            assert ended.code == 0, (name, ended.err)
        assert referee("league", "rounds", file, *store).code in (0, Exit.WRONG_USE)
        assert referee("site", file, folder / "site", *store).code == 0


DEALS = [Number((), "deals", end) for end in (1, league_keys.MOST_DEALS)]
NUMBERS = [*numbers()]
FORMAT_NUMBERS = [*format_numbers()]


def test_every_part_of_a_league_file_has_a_place_here() -> None:
    assert {model.__name__ for model in models()} == PLACES.keys()
    assert {key for _, key, _ in NUMBERS} >= {"deals", "batch", "again", "move_ms", "memory_mib", "seats", "parallel"}
    assert {key for _, (_, key, _) in FORMAT_NUMBERS} >= {"matches", "rounds", "advance", "further", "uncertainty"}


@pytest.mark.parametrize("number", [each for each in NUMBERS if each.place == ()], ids=str)
def test_a_league_with_the_least_or_the_greatest_number_works_or_is_refused(tmp_path: Path, number: Number) -> None:
    check_number(tmp_path, "round-robin", number)


@pytest.mark.parametrize(("kind", "number"), FORMAT_NUMBERS, ids=str)
def test_so_does_a_format_with_the_most_deals(tmp_path: Path, kind: str, number: Number) -> None:
    check_number(tmp_path, kind, number, DEALS[1])


@pytest.mark.slow
@pytest.mark.parametrize("number", [each for each in NUMBERS if each.place], ids=str)
@pytest.mark.parametrize("kind", FORMATS)
def test_so_does_every_format_with_every_number(tmp_path: Path, kind: str, number: Number) -> None:
    check_number(tmp_path, kind, number)


@pytest.mark.slow
@pytest.mark.parametrize("deals", DEALS, ids=str)
@pytest.mark.parametrize(("kind", "number"), FORMAT_NUMBERS, ids=str)
def test_so_does_every_number_of_a_format_with_few_and_many_deals(
    tmp_path: Path, kind: str, number: Number, deals: Number
) -> None:
    check_number(tmp_path, kind, number, deals)


@pytest.mark.parametrize(
    ("kind", "number", "sentence"),
    [
        (
            "open",
            Number(("format",), "matches", 3),
            "matches: 3 is too few for a group of bots to play; take 4 or more",
        ),
        ("open", Number(("format",), "uncertainty", 8.5), "format.uncertainty: expected float <= 8.0"),
        ("balanced", Number((), "deals", 10_000), "matches: 1000 is too few for every bot to be in a group at each"),
    ],
    ids=str,
)
def test_a_league_that_could_play_nothing_is_refused(tmp_path: Path, kind: str, number: Number, sentence: str) -> None:
    ended = referee("league", "check", write(tmp_path / "autumn.toml", kind, number))
    assert (ended.code, ended.out) == (2, "")
    assert sentence in ended.err
