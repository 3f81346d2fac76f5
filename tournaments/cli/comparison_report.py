"""The result of a comparison: in sentences, as JSON, and as files for pull requests, for CI and for people."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import msgspec

from referee.cli.console import print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import printable
from referee.drawing.svg import Element, element, path, text
from tournaments.cli.report import HTML, MARKDOWN, write_files
from tournaments.cli.report_formats import Document, Grid, Section, html, markdown
from tournaments.comparison.pieces import ComparisonPiece
from tournaments.comparison.stopping_rule import (
    ComparisonResult,
    Judge,
    Look,
    NoQuestion,
    OneSided,
)
from tournaments.rating.numerics import interval_of_mean

_VERDICTS = {
    "better": "better: {new} is better than {old}",
    "worse": "worse: {new} is worse than {old}",
    "no difference": "no difference: {new} and {old} differ by less than the margin",
    "not better by that much": "not better by that much: the lead of {new} over {old} is less than {lead:+.4g}",
    "undecided": "undecided: it is not known whether {new} is better than {old}; more deals may show it",
}
UNDECIDED = 3
"""The exit code of a comparison without a verdict."""

_MOST_POINTS = 400
"""More points than this no picture can show."""


class ComparisonFinding(NamedTuple):
    """What a comparison found.

    Attributes:
        piece: the comparison, with its bots and conditions.
        judge: has taken the deals that count.
        not_worse: whether the new bot is taken if it makes no difference.
    """

    piece: ComparisonPiece
    judge: Judge
    not_worse: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """The new bot and the old one, with the beginnings of their commits."""
        new, old = (f" ({commit[:12]})" if (commit := self.piece.commits.get(role)) else "" for role in ("new", "old"))
        return f"the new {self.piece.new}{new}", f"the old {self.piece.old}{old}"

    @property
    def left_out(self) -> int:
        """How many deals before the verdict do not count."""
        end = self.judge.deals[-1].number if self.judge.decided else self.piece.limit
        return sum(number < end for number in self.piece.left_out)

    @property
    def means(self) -> dict[str, list[float]]:
        """The leads of the deals, and the margins of victory where the game has scores."""
        deals = self.judge.deals
        points = [deal.margin for deal in deals if deal.margin is not None]
        return {"lead": [deal.lead for deal in deals], "points": points}

    @property
    def exit_code(self) -> int:
        """0: take the new bot; 1: do not; 3: it is not known."""
        verdict = self.judge.finding.verdict
        if verdict == "undecided":
            return UNDECIDED
        is_good = verdict == "better" or (self.not_worse and verdict == "no difference")
        return Exit.DONE if is_good else Exit.DOES_NOT_HOLD

    def document(self) -> dict[str, Any]:
        """The content of `--json`."""
        piece, judge, means = msgspec.to_builtins(self.piece), self.judge, self.means
        found: dict[str, Any] = {
            "left_out": self.left_out,
            "alike": self.piece.bots[0] == self.piece.bots[1],
            "digest": judge.digest,
            "shares": dict(zip(("new", "old"), judge.shares, strict=True)) if judge.shares else None,
            "points": fmean(means["points"]) if means["points"] else None,
        }
        if isinstance(judge.question, NoQuestion):
            found["student"] = {name: interval_of_mean(values, judge.alpha) for name, values in means.items()}
        same = {key: piece[key] for key in ("new", "old", "seed", "commits", "bots", "conditions")}
        return {**same, **msgspec.to_builtins(judge.finding), **found, "looks": judge.looks}


def sentences(finding: ComparisonResult, names: tuple[str, str], judge: Judge, left_out: int) -> Iterator[str]:
    """The verdict, and what it rests on. `names` are those of the new bot and the old one."""
    (new, old), question, sure = names, judge.question, f"{100 * (1 - judge.alpha):.4g} %"
    lead = 2 * question.better_by if isinstance(question, OneSided) else None
    if not isinstance(question, NoQuestion):
        yield _VERDICTS[finding.verdict].format(new=new, old=old, lead=lead)
    bounds = f"{sure} confidence sequence" if lead is None else f"confidence sequence, {sure} for each of its ends"
    if finding.mean is not None:
        meaning = "share of the points of the new bot minus that of the old one"
        yield f"lead: {finding.mean:+.3f} ({meaning}); {bounds}: {interval_words(finding.interval)}"
    yield f"deals: {finding.deals}; matches: {finding.matches}"
    if left_out:
        yield f"deals that were left out, because a match was void too often: {left_out}"


def all_sentences(finding: ComparisonFinding) -> Iterator[str]:
    """The verdict, or after a fixed number of deals the intervals; and what it rests on."""
    judge = finding.judge
    yield from sentences(judge.finding, finding.names, judge, finding.left_out)
    if isinstance(judge.question, NoQuestion) and judge.shares is not None:
        yield "shares of the points: new {:.3f}, old {:.3f}".format(*judge.shares)
        words = {"lead": "lead", "points": "score of the new bot minus that of the old one"}
        for what, values in ((words[name], values) for name, values in finding.means.items() if values):
            found = interval_of_mean(values, judge.alpha)
            interval = "none: too few deals, or hardly any differ" if found is None else interval_words(found)
            sure = f"{100 * (1 - judge.alpha):.4g} % interval (Student's, {len(values)} deals)"
            yield f"{what}: {fmean(values):+.3f}; {sure}: {interval}"


def interval_words(ends: tuple[float, float]) -> str:
    """The two ends of an interval of leads."""
    return f"{ends[0]:+.3f}..{ends[1]:+.3f}"


def _report(finding: ComparisonFinding) -> Document:
    piece, judge = finding.piece, finding.judge
    rows = (
        ("commit", *(piece.commits.get(role, "-") for role in ("new", "old"))),
        ("share of the points", *([f"{share:.3f}" for share in judge.shares or ()] or "--")),
        ("matches ended by its fault", str(judge.finding.new_faults), str(judge.finding.old_faults)),
        ("SHA-256 of its files", piece.bots[0][0], piece.bots[1][0]),
    )
    facts = piece.conditions | {"seed": piece.seed, "digest of the matches": judge.digest}
    conditions = tuple((key, msgspec.json.encode(value).decode().strip('"')) for key, value in facts.items())
    sections = (
        Section("The two", (Grid(("", "new", "old"), rows),), ()),
        Section(
            "The course",
            (),
            ("The line is the lead of the new bot, and the band its confidence sequence.",),
            picture=_chart(judge.looks),
        ),
        Section("Conditions", (Grid(("", ""), conditions),), ()),
    )
    return Document("{} against {}".format(*finding.names), tuple(all_sentences(finding)), sections)


def _chart(looks: Sequence[Look]) -> Element:
    """The lead over the number of deals, in its confidence sequence."""
    last = looks[-1].deals if looks else 1
    sample = [*looks[:: len(looks) // _MOST_POINTS + 1], *looks[-1:]]

    def points(leads: Sequence[tuple[Look, float]]) -> str:
        return " ".join(f"{660 * look.deals / last:.1f},{-100 * lead:.1f}" for look, lead in leads)

    below, above = ([(look, look.interval[end]) for look in sample] for end in (0, 1))
    labels = [(-8, 4 - 100 * lead, f"{lead:+g}" if lead else "0") for lead in (-1, -0.5, 0, 0.5, 1)]
    drawn = [
        element("polygon", points=points([*below, *reversed(above)]), fill="#2563eb33"),
        path("".join(f"M0,{height}H660" for height in (-100, -50, 0, 50, 100)), stroke="#8888"),
        element("polyline", points=points([(look, look.mean) for look in sample]), fill="none", stroke="#2563eb"),
        *(text(x, y, words, text_anchor="end") for x, y, words in [*labels, (660, 124, f"{last} deals")]),
    ]
    size = {"viewBox": "-50 -110 720 240", "width": "720", "font-size": "13", "fill": "currentColor"}
    return element("svg", *drawn, **size, role="img", aria_label="lead of the new bot")


def _junit(finding: ComparisonFinding) -> str:
    """A suite with one test, which passes if the new bot is to be taken, and is skipped if that is not known."""
    verdict, *rest = map(printable, all_sentences(finding))
    new, old = map(printable, finding.names)
    fails, skips = (str(int(finding.exit_code == expected)) for expected in (Exit.DOES_NOT_HOLD, UNDECIDED))
    suite = Xml.Element("testsuite", name="referee compare", tests="1", failures=fails, skipped=skips)
    case = Xml.SubElement(suite, "testcase", classname=new, name=f"against {old}")
    if finding.exit_code:
        Xml.SubElement(case, "skipped" if finding.exit_code == UNDECIDED else "failure", message=verdict)
    Xml.SubElement(case, "system-out").text = "\n".join([verdict, *rest, f"digest: {finding.judge.digest}"])
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True)


def tell_finding(finding: ComparisonFinding, *more: Section, json: bool, report: Path | None, **found: object) -> None:
    """Print what was found, and write a report. More sections and values come at the end.

    `report` is the folder of `report.json`, `report.md`, `report.html` and `report.xml` (JUnit), if any.

    Raises:
        CannotReport: a file cannot be written.
    """
    document = finding.document() | found
    if json:
        print_json(document)
    else:
        for sentence in all_sentences(finding):
            say(sentence)
    if report is not None:
        page = _report(finding)
        page = page._replace(sections=page.sections + more)
        plain = msgspec.json.format(msgspec.json.encode(document)).decode()
        files = {"report.json": plain, "report.xml": _junit(finding), MARKDOWN: markdown(page), HTML: html(page)}
        write_files(report, files)
        remark(f"a report was written into {report}")
