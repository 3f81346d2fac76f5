"""The result of a comparison: in sentences, as JSON, and as files for pull requests, for CI and for people."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import msgspec

from referee.core.errors import Exit
from referee.core.text import printable
from tournaments.cli.chart import chart
from tournaments.cli.report import CannotReport
from tournaments.cli.report_formats import Document, Grid, Section, html, markdown
from tournaments.comparison.fixed_deals import interval_of_mean
from tournaments.comparison.pieces import Piece
from tournaments.comparison.stopping_rule import ComparisonResult, DealLead, Judge, NoQuestion, OneSided
from tournaments.results.standings import league_digest

_VERDICTS = {
    "better": "better: {new} is better than {old}",
    "worse": "worse: {new} is worse than {old}",
    "no difference": "no difference: {new} and {old} differ by less than the margin",
    "not better by that much": "not better by that much: the lead of {new} over {old} is less than {lead:+.4g}",
    "undecided": "undecided: it is not known whether {new} is better than {old}; more deals may show it",
}
UNDECIDED = 3
"""The exit code of a comparison without a verdict."""


class Finding(NamedTuple):
    """What a comparison found.

    Attributes:
        piece: the comparison, with its bots and conditions.
        judge: has taken the deals.
        deals: those that count, in order.
        left_out: how many deals before the last of them do not count.
    """

    piece: Piece
    judge: Judge
    deals: Sequence[DealLead]
    left_out: int

    @property
    def new(self) -> str:
        """The new bot, with its commit."""
        return f"the new {named(self.piece, 'new')}"

    @property
    def old(self) -> str:
        """The old bot, with its commit."""
        return f"the old {named(self.piece, 'old')}"

    @property
    def alike(self) -> bool:
        """Whether the two have the same files."""
        new, old, *_ = self.piece.conditions["bots"]
        return bool(new == old)

    @property
    def digest(self) -> str:
        """The digest of all matches that count."""
        return league_digest((f"deal-{deal.number}", deal.digest) for deal in self.deals)

    @property
    def shares(self) -> dict[str, float] | None:
        """The mean shares of the new bot and of the old one; None before the first deal."""
        if not self.deals:
            return None
        new = fmean(deal.share for deal in self.deals)
        return {"new": new, "old": new - fmean(deal.lead for deal in self.deals)}

    @property
    def points(self) -> list[float]:
        """On each deal whose matches all have scores, the mean score of the new bot minus that of the old one."""
        return [deal.margin for deal in self.deals if deal.margin is not None]

    def document(self) -> dict[str, Any]:
        """The content of `--json`."""
        found = {
            "left_out": self.left_out,
            "alike": self.alike,
            "seed": self.piece.conditions["seed"],
            "digest": self.digest,
            "shares": self.shares,
            "points": fmean(self.points) if self.points else None,
            "commits": self.piece.commits,
            "conditions": self.piece.conditions,
        }
        if isinstance(self.judge.question, NoQuestion):
            leads = [deal.lead for deal in self.deals]
            found["student"] = {
                "lead": interval_of_mean(leads, self.judge.alpha),
                "points": interval_of_mean(self.points, self.judge.alpha),
            }
        names = {"new": self.piece.new, "old": self.piece.old}
        return names | msgspec.to_builtins(self.judge.finding) | found | {"looks": self.judge.looks}


def exit_code_of(judge: Judge, *, not_worse: bool) -> int:
    """0: take the new bot; 1: do not; 3: it is not known. With `not_worse` it need not be better."""
    verdict = judge.finding.verdict
    if verdict == "undecided":
        return UNDECIDED
    return Exit.DONE if verdict == "better" or (not_worse and verdict == "no difference") else Exit.DOES_NOT_HOLD


def named(piece: Piece, role: str) -> str:
    """A bot of a comparison, with the beginning of its commit."""
    name, commit = getattr(piece, role), piece.commits.get(role)
    return f"{name} ({commit[:12]})" if commit else name


def sentences(finding: ComparisonResult, new: str, old: str, judge: Judge, left_out: int) -> Iterator[str]:
    """The verdict, and what it rests on."""
    question, sure = judge.question, f"{100 * (1 - judge.alpha):.4g} %"
    lead = 2 * question.better_by if isinstance(question, OneSided) else None
    if not isinstance(question, NoQuestion):
        yield _VERDICTS[finding.verdict].format(new=new, old=old, lead=lead)
    bounds = f"{sure} confidence sequence" if lead is None else f"confidence sequence, {sure} for each of its ends"
    if finding.mean is not None:
        meaning = "share of the points of the new bot minus that of the old one"
        yield f"lead: {finding.mean:+.3f} ({meaning}); {bounds}: {_interval(finding.interval)}"
    yield f"deals: {finding.deals}; matches: {finding.matches}"
    if left_out:
        yield f"deals that were left out, because a match was void too often: {left_out}"


def all_sentences(finding: Finding) -> Iterator[str]:
    """The verdict, or after a fixed number of deals the intervals; and what it rests on."""
    judge = finding.judge
    yield from sentences(judge.finding, finding.new, finding.old, judge, finding.left_out)
    if isinstance(judge.question, NoQuestion) and finding.shares is not None:
        leads = [deal.lead for deal in finding.deals]
        yield "shares of the points: new {new:.3f}, old {old:.3f}".format(**finding.shares)
        yield from _ordinary("lead", leads, judge.alpha)
        if finding.points:
            yield from _ordinary("score of the new bot minus that of the old one", finding.points, judge.alpha)


def _ordinary(what: str, values: Sequence[float], error: float) -> Iterator[str]:
    found = interval_of_mean(values, error)
    interval = "none: too few deals, or hardly any differ" if found is None else _interval(found)
    sure = f"{100 * (1 - error):.4g} % interval (Student's, {len(values)} deals)"
    yield f"{what}: {fmean(values):+.3f}; {sure}: {interval}"


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:+.3f}..{ends[1]:+.3f}"


def write_files(finding: Finding, folder: Path, *, not_worse: bool) -> None:
    """Write `report.json`, `report.md`, `report.html`, and `report.xml` (JUnit) into a folder, which may be new.

    Raises:
        CannotReport: a file cannot be written.
    """
    report = _report(finding)
    files = {
        "report.json": msgspec.json.format(msgspec.json.encode(finding.document())).decode(),
        "report.md": markdown(report),
        "report.html": html(report),
        "report.xml": _junit(finding, not_worse=not_worse),
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_text(content, encoding="utf-8")
    except OSError as error:
        raise CannotReport(f"{error.filename or folder}: cannot be written: {error.strerror}") from error


def _report(finding: Finding) -> Document:
    piece, result, looks = finding.piece, finding.judge.finding, finding.judge.looks
    shares = finding.shares or {}
    files = {role: bot[0] for role, bot in zip(("new", "old"), piece.conditions["bots"], strict=False)}
    bots = tuple(
        (
            role,
            getattr(piece, role),
            piece.commits.get(role, "-"),
            f"{shares[role]:.3f}" if shares else "-",
            str(getattr(result, f"{role}_faults")),
            files[role],
        )
        for role in ("new", "old")
    )
    courses = [[(look.deals, value(look)) for look in looks] for value in _VALUES]
    picture = chart([("lead of the new bot", courses[0])], (-1, -0.5, 0, 0.5, 1), courses[1:]) if looks else None
    facts = [(key, msgspec.json.encode(value).decode().strip('"')) for key, value in piece.conditions.items()]
    facts.append(("digest of the matches", finding.digest))
    titles = ("", "bot", "commit", "share", "ended by its fault", "SHA-256 of its files")
    return Document(
        f"{named(piece, 'new')} against {named(piece, 'old')}",
        tuple(all_sentences(finding)),
        (
            Section("The two", (Grid(titles, bots),), ()),
            Section("The course", (), ("The band is the confidence sequence.",), picture=picture),
            Section("Conditions", (Grid(("", ""), tuple(facts)),), ()),
        ),
    )


_VALUES = (lambda look: look.mean, lambda look: look.interval[0], lambda look: look.interval[1])


def _junit(finding: Finding, *, not_worse: bool) -> str:
    """A suite with one test, which passes if the new bot is to be taken, and is skipped if that is not known."""
    verdict, *rest = map(printable, all_sentences(finding))
    code = exit_code_of(finding.judge, not_worse=not_worse)
    counts = {"tests": "1", "failures": str(int(code == 1)), "skipped": str(int(code == UNDECIDED))}
    suite = Xml.Element("testsuite", name="referee compare", **counts)
    case = Xml.SubElement(suite, "testcase", classname=printable(finding.new), name=f"against {printable(finding.old)}")
    if code:
        Xml.SubElement(case, "failure" if code == 1 else "skipped", message=verdict)
    Xml.SubElement(case, "system-out").text = "\n".join([verdict, *rest, f"digest: {finding.digest}"])
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True)
