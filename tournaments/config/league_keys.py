"""The keys of a league file, part by part, with their permitted values and their defaults."""

from contextlib import suppress
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, model_validator

from referee.core.bot_limits import MAX_BATCH, FolderLimits, Sandbox, SandboxLimits
from referee.core.text import seconds_of
from referee.files.addresses import SEAT, entry_address
from referee.files.entry_arguments import plain_arguments, plain_environment
from referee.files.file_model import FileModel
from referee.files.manifest import plain_name, plain_version
from referee.match.terms import Clock
from tournaments.league.model import Absent, Luck, Remote, SameAuthor, Seating
from tournaments.league.service_terms import ServiceTerms, VisitorTerms
from tournaments.league.service_terms import SubmissionTerms as Submissions

MOST_DEALS = 1_000_000


def _with_zone(value: object) -> datetime:
    """A time in TOML, or the same in quotes."""
    with suppress(ValueError):
        value = datetime.fromisoformat(value) if isinstance(value, str) else value
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise ValueError(f"{value} is no time with a zone; write for instance 2026-10-01T08:00:00+02:00")
    return value


def _seconds(value: object) -> object:
    """A time span in words, in seconds."""
    return seconds_of(value) if isinstance(value, str) else value


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else int(moment.timestamp() * 1000)


_Name = Annotated[str, AfterValidator(plain_name)]
_Label = Annotated[str, AfterValidator(plain_version)]  # as in a version, nothing in it separates names
_Time = Annotated[int, Field(ge=0, lt=1 << 32)]
_CLOCK = Clock()
_FOLDERS = FolderLimits()
_Moment = Annotated[AwareDatetime, BeforeValidator(_with_zone)]
_Limit = Annotated[int, Field(ge=1, lt=1 << 31)]
_LIMITS = SandboxLimits()
_SUBMISSIONS = Submissions()
_SERVICE = ServiceTerms()
_VISITORS = VisitorTerms()

MOST_SEATS = 1_000
"""Programs that may call the service of a league at once."""

MOST_TABLES = 64
"""At which visitors may play at once: each has processes of its own."""


def _store_place(text: str) -> str:
    if "://" in text and not text.startswith("postgresql://"):
        # Not quoted: there may be a password in it.
        raise ValueError("this address is not allowed; allowed: the path of a file, or postgresql://USER@HOST/DATABASE")
    return text


StorePlace = Annotated[str, Field(min_length=1), AfterValidator(_store_place)]
"""Where a store is: its address, or the path of its file."""


class ClockPart(FileModel):
    """`[clock]`: times in milliseconds."""

    move_ms: _Time = _CLOCK.move_ms
    bank_ms: _Time = _CLOCK.bank_ms
    increment_ms: _Time = _CLOCK.increment_ms
    start_ms: _Time = _CLOCK.start_ms


class SandboxPart(FileModel):
    """`[sandbox]`: the sandbox of the bots. `sandbox = "none"` is short for a part with nothing but a `kind`."""

    kind: Sandbox = "bubblewrap"
    memory_mib: _Limit = _LIMITS.memory_mib
    processes: _Limit = _LIMITS.processes
    files: _Limit = _LIMITS.files
    file_mib: _Limit = _LIMITS.file_mib
    scratch_mib: _Limit = _LIMITS.scratch_mib
    read: list[Annotated[str, Field(min_length=1)]] = Field(default=[])

    @property
    def limits(self) -> SandboxLimits:
        """The limits alone."""
        return SandboxLimits(**self.model_dump(exclude={"kind", "read"}))


def _spelled_out(value: object) -> object:
    """`sandbox = "none"` as the part that it is short for."""
    return {"kind": value} if isinstance(value, str) else value


class FolderPart(FileModel):
    """One of `[[bots]]`, in a folder."""

    path: Annotated[str, Field(min_length=1)]
    label: _Label | None = None
    arguments: Annotated[list[str], AfterValidator(plain_arguments)] = Field(default=[])
    environment: Annotated[dict[str, str], AfterValidator(plain_environment)] = Field(default={})
    clock: dict[str, Any] = Field(default={})
    author: _Name | None = None


class RemotePart(FileModel):
    """One of `[[bots]]`, at an address."""

    address: Annotated[str, AfterValidator(entry_address)]
    name: _Name
    version: Annotated[str, AfterValidator(plain_version)]
    ca: Annotated[str, Field(min_length=1)] | None = None
    token_file: Annotated[str, Field(min_length=1)] | None = None
    parallel: _Limit = 1
    forgiven: Annotated[int, Field(ge=0, lt=1 << 31)] = 0
    absent: Absent = "wait"
    patience_s: _Limit = Remote().patience_s
    label: _Label | None = None
    clock: dict[str, Any] = Field(default={})
    author: _Name | None = None

    @property
    def caller(self) -> str | None:
        """Whose program calls the service of the league; None: the bot is called."""
        return self.address.removeprefix(SEAT) if self.address.startswith(SEAT) else None

    @model_validator(mode="after")
    def _calls_nobody(self) -> "RemotePart":
        if self.caller and (self.ca or self.token_file or self.author):
            raise ValueError("a bot that calls us needs no ca, no token_file and no author; take them out")
        return self


class TablePart(FileModel):
    """One of `[[tables]]`; its options are the game's to check."""

    name: _Name
    seats: _Limit
    seating: Seating = "distinct"
    luck: Luck | None = None
    weight: Annotated[float, Field(gt=0, lt=1e6)] = 1.0
    options: dict[str, Any] = Field(default_factory=dict)


class FoldersPart(FileModel):
    """`[folders]`: the most that the folder of a bot may hold."""

    size_mib: _Limit = _FOLDERS.size_mib
    files: _Limit = _FOLDERS.files
    depth: _Limit = _FOLDERS.depth


class RatingPart(FileModel):
    """`[rating]`: which matches count."""

    same_author: SameAuthor = "leave out"


class NotifyPart(FileModel):
    """`[notify]`: whom a run tells of a suspension and of its end."""

    command: list[Annotated[str, Field(min_length=1)]] = Field(default=[])


class SubmissionsPart(FileModel):
    """`[submissions]`: who may submit bots, when, and how much."""

    opens: _Moment | None = None
    closes: _Moment | None = None
    late: Annotated[int, BeforeValidator(_seconds), Field(ge=0, lt=1 << 31)] = 0
    carries_from: Annotated[str, AfterValidator(plain_name)] | None = Field(default=None, alias="from")
    entries: _Limit = _SUBMISSIONS.entries
    a_day: _Limit = _SUBMISSIONS.a_day
    versions: _Limit | None = _SUBMISSIONS.versions
    size_mib: Annotated[int, Field(ge=1, le=1024)] = _SUBMISSIONS.size_mib
    author_mib: _Limit = _SUBMISSIONS.author_mib
    free_mib: Annotated[int, Field(ge=0, lt=1 << 31)] = _SUBMISSIONS.free_mib
    build_s: _Limit = _SUBMISSIONS.build_s
    build_memory_mib: _Limit = _SUBMISSIONS.build_memory_mib
    build_disk_mib: _Limit = _SUBMISSIONS.build_disk_mib
    check_s: _Limit = _SUBMISSIONS.check_s
    teams: bool = _SUBMISSIONS.teams

    @property
    def terms(self) -> Submissions:
        """The same, with times in milliseconds since 1970 (UTC)."""
        return Submissions(
            opens_ms=_ms(self.opens),
            closes_ms=_ms(self.closes),
            late_ms=self.late * 1000,
            **self.model_dump(exclude={"opens", "closes", "late"}),
        )

    @model_validator(mode="after")
    def _in_order(self) -> "SubmissionsPart":
        if self.opens and self.closes and self.closes <= self.opens:
            raise ValueError("closes is not after opens")
        if self.late and self.closes is None:
            raise ValueError("late needs closes")
        return self


class ServicePart(FileModel):
    """`[service]`: how the league is served over HTTP."""

    cores: _Limit = _SERVICE.cores
    requests: _Limit = _SERVICE.requests
    scrimmages: Annotated[int, Field(ge=0, lt=1 << 31)] = _SERVICE.scrimmages
    seats: Annotated[int, Field(ge=0, le=MOST_SEATS)] = _SERVICE.seats

    @property
    def terms(self) -> ServiceTerms:
        """The same, as a value."""
        return ServiceTerms(**self.model_dump())


class VisitorsPart(FileModel):
    """`[visitors]`: the bots that visitors may play with, and the terms."""

    opponents: list[Annotated[str, Field(min_length=1)]] = Field(default=[])
    tables: Annotated[int, Field(ge=1, le=MOST_TABLES)] = _VISITORS.tables
    move_ms: Annotated[int, Field(ge=1_000, lt=1 << 32)] = _VISITORS.move_ms
    idle_minutes: Annotated[int, Field(ge=1, le=10_000)] = _VISITORS.idle_minutes
    kept: _Limit = _VISITORS.kept
    kept_mib: _Limit = _VISITORS.kept_mib

    @property
    def terms(self) -> VisitorTerms:
        """The same as a value."""
        return VisitorTerms(**self.model_dump() | {"opponents": tuple(dict.fromkeys(self.opponents))})


class PricePart(FileModel):
    """What a bot costs."""

    million_tokens: Annotated[float, Field(ge=0, le=1_000_000)] = 0.0
    processor_hour: Annotated[float, Field(ge=0, le=1_000_000)] = 0.0


class Head(FileModel):
    """The keys of a league file; clock, folders, format, bots and tables are checked one by one."""

    name: _Name
    game: str
    deals: Annotated[int, Field(ge=1, le=MOST_DEALS)]
    luck: Luck | None = None
    rehearsal: bool = False
    starts: _Moment | None = None
    ends: _Moment | None = None
    seed: Annotated[str, Field(min_length=1)] | None = None
    store: StorePlace | None = None
    sandbox: Annotated[SandboxPart, BeforeValidator(_spelled_out)] = SandboxPart()
    fresh: bool = False
    pondering: bool = False
    batch: Annotated[int, Field(ge=1, le=MAX_BATCH)] = 1
    again: Annotated[float, Field(ge=0, le=1)] = 0.0
    clock: dict[str, Any] = Field(default_factory=dict)
    folders: dict[str, Any] = Field(default_factory=dict)
    format: dict[str, Any] = Field(default_factory=dict)
    rating: RatingPart = RatingPart()
    notify: NotifyPart = NotifyPart()
    service: ServicePart | None = None
    submissions: dict[str, Any] | None = None
    visitors: VisitorsPart = VisitorsPart()
    prices: dict[str, PricePart] = Field(default_factory=dict)
    bots: Annotated[list[dict[str, Any]], Field(default_factory=list)]
    tables: Annotated[list[dict[str, Any]], Field(min_length=1)]

    @property
    def starts_ms(self) -> int | None:
        """When play starts, in milliseconds since 1970 (UTC); None: the file does not say it."""
        return _ms(self.starts)

    @property
    def ends_ms(self) -> int | None:
        """When the league ends, likewise."""
        return _ms(self.ends)
