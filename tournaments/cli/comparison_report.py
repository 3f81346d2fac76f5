"""The result of a comparison: in sentences, as JSON, and as files for pull requests, for CI and for people."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from xml.etree import ElementTree as Xml

import msgspec

from referee.cli.console import fail, print_json, remark, say
from referee.core.errors import Exit
from referee.core.text import printable, several
from referee.files.safe_read import read_ordinary
from tournaments.cli.chart import chart
from tournaments.cli.report import CannotReport
from tournaments.cli.report_formats import Document, Grid, Section, html, markdown
from tournaments.comparison.deal_means import digest_of_deals, interval_of_mean, margins, mean_shares
from tournaments.comparison.pieces import ComparisonPiece, MergedDeals, check_same, missing
from tournaments.comparison.stopping_rule import ComparisonResult, DealLead, Judge, NoQuestion, OneSided

_VERDICTS = {
    "better": "better: {new} is better than {old}",
    "worse": "worse: {new} is worse than {old}",
    "no difference": "no difference: {new} and {old} differ by less than the margin",
    "not better by that much": "not better by that much: the lead of {new} over {old} is less than {lead:+.4g}",
    "undecided": "undecided: it is not known whether {new} is better than {old}; more deals may show it",
}
_LONGEST_PIECE = 256 << 20
UNDECIDED = 3
"""The exit code of a comparison without a verdict."""


class ComparisonFinding(NamedTuple):
    """What a comparison found.

    Attributes:
        piece: the comparison, with its bots and conditions.
        judge: has taken the deals.
        deals: those that count, in order.
        left_out: how many deals before the last of them do not count.
    """

    piece: ComparisonPiece
    judge: Judge
    deals: Sequence[DealLead]
    left_out: int

    @property
    def new(self) -> str:
        """The new bot, with the beginning of its commit."""
        return f"the new {_named(self.piece.new, self.piece.commits.get('new'))}"

    @property
    def old(self) -> str:
        """The old bot, in the same way."""
        return f"the old {_named(self.piece.old, self.piece.commits.get('old'))}"

    def document(self) -> dict[str, Any]:
        """The content of `--json`."""
        points, leads = margins(self.deals), [deal.lead for deal in self.deals]
        found: dict[str, Any] = {
            "left_out": self.left_out,
            "alike": self.piece.bots[0] == self.piece.bots[1],
            "seed": self.piece.seed,
            "digest": digest_of_deals(self.deals),
            "shares": mean_shares(self.deals),
            "points": fmean(points) if points else None,
            "commits": self.piece.commits,
            "bots": self.piece.bots,
            "conditions": self.piece.conditions,
        }
        if isinstance(self.judge.question, NoQuestion):
            alpha = self.judge.alpha
            found["student"] = {"lead": interval_of_mean(leads, alpha), "points": interval_of_mean(points, alpha)}
        names, finding = {"new": self.piece.new, "old": self.piece.old}, msgspec.to_builtins(self.judge.finding)
        return {**names, **finding, **found, "looks": self.judge.looks}


def exit_code_of(judge: Judge, *, not_worse: bool) -> int:
    """0: take the new bot; 1: do not; 3: it is not known. With `not_worse` it need not be better."""
    verdict = judge.finding.verdict
    if verdict == "undecided":
        return UNDECIDED
    return Exit.DONE if verdict == "better" or (not_worse and verdict == "no difference") else Exit.DOES_NOT_HOLD


class Ending(NamedTuple):
    """How a command tells what it found.

    Attributes:
        json: whether it prints JSON.
        report: the folder for the files of a report, if any.
        exit_code: whether the exit code says whether to take the new bot.
        not_worse: whether "no difference" is enough for that.
    """

    json: bool
    report: Path | None
    exit_code: bool
    not_worse: bool


def _named(bot: str, commit: str | None) -> str:
    return f"{bot} ({commit[:12]})" if commit else bot


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


def all_sentences(finding: ComparisonFinding) -> Iterator[str]:
    """The verdict, or after a fixed number of deals the intervals; and what it rests on."""
    judge = finding.judge
    yield from sentences(judge.finding, finding.new, finding.old, judge, finding.left_out)
    shares, points = mean_shares(finding.deals), margins(finding.deals)
    if isinstance(judge.question, NoQuestion) and shares is not None:
        yield "shares of the points: new {new:.3f}, old {old:.3f}".format(**shares)
        yield _ordinary("lead", [deal.lead for deal in finding.deals], judge.alpha)
        if points:
            yield _ordinary("score of the new bot minus that of the old one", points, judge.alpha)


def _ordinary(what: str, values: Sequence[float], error: float) -> str:
    found = interval_of_mean(values, error)
    interval = "none: too few deals, or hardly any differ" if found is None else _interval(found)
    sure = f"{100 * (1 - error):.4g} % interval (Student's, {len(values)} deals)"
    return f"{what}: {fmean(values):+.3f}; {sure}: {interval}"


def _interval(ends: tuple[float, float]) -> str:
    return f"{ends[0]:+.3f}..{ends[1]:+.3f}"


def write_files(finding: ComparisonFinding, folder: Path, *more: Section, not_worse: bool) -> None:
    """Write `report.json`, `report.md`, `report.html`, and `report.xml` (JUnit) into a folder, which may be new.

    Raises:
        CannotReport: a file cannot be written.
    """
    report = _report(finding)
    report = report._replace(sections=report.sections + more)
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


def _report(finding: ComparisonFinding) -> Document:
    piece, result, looks = finding.piece, finding.judge.finding, finding.judge.looks
    shares, digest = mean_shares(finding.deals), digest_of_deals(finding.deals)
    rows = (
        ("bot", piece.new, piece.old),
        ("commit", *(piece.commits.get(role, "-") for role in ("new", "old"))),
        ("share of the points", *(f"{shares[role]:.3f}" if shares else "-" for role in ("new", "old"))),
        ("matches ended by its fault", str(result.new_faults), str(result.old_faults)),
        ("SHA-256 of its files", piece.bots[0][0], piece.bots[1][0]),
    )
    mean = [(look.deals, look.mean) for look in looks]
    band = [[(look.deals, look.interval[end]) for look in looks] for end in (0, 1)]
    facts = piece.conditions | {"seed": piece.seed, "digest of the matches": digest}
    conditions = tuple((key, msgspec.json.encode(value).decode().strip('"')) for key, value in facts.items())
    course = chart([("lead of the new bot", mean)], (-1, -0.5, 0, 0.5, 1), band) if looks else None
    sections = (
        Section("The two", (Grid(("", "new", "old"), rows),), ()),
        Section("The course", (), ("The band is the confidence sequence.",), picture=course),
        Section("Conditions", (Grid(("", ""), conditions),), ()),
    )
    return Document(f"{finding.new} against {finding.old}", tuple(all_sentences(finding)), sections)


def _junit(finding: ComparisonFinding, *, not_worse: bool) -> str:
    """A suite with one test, which passes if the new bot is to be taken, and is skipped if that is not known."""
    verdict, *rest = map(printable, all_sentences(finding))
    code = exit_code_of(finding.judge, not_worse=not_worse)
    counts = {
        "name": "referee compare",
        "tests": "1",
        "failures": str(int(code == 1)),
        "skipped": str(int(code == UNDECIDED)),
    }
    suite = Xml.Element("testsuite", counts)
    case = Xml.SubElement(suite, "testcase", classname=printable(finding.new), name=f"against {printable(finding.old)}")
    if code:
        Xml.SubElement(case, "failure" if code == 1 else "skipped", message=verdict)
    Xml.SubElement(case, "system-out").text = "\n".join([verdict, *rest, f"digest: {digest_of_deals(finding.deals)}"])
    return Xml.tostring(suite, encoding="unicode", xml_declaration=True)


def tell_finding(finding: ComparisonFinding, ending: Ending, *more: Section, **found: object) -> None:
    """Print what was found, and write the files of the report. More sections and values come at the end."""
    if ending.json:
        print_json(finding.document() | found)
    else:
        for sentence in all_sentences(finding):
            say(sentence)
    if ending.report is not None:
        write_files(finding, ending.report, *more, not_worse=ending.not_worse)
        remark(f"a report was written into {ending.report}")


def tell_piece(piece: ComparisonPiece, ending: Ending) -> None:
    """Print a piece of a comparison."""
    if ending.json:
        print_json(piece)
        return
    say(f"piece {piece.shard} of {piece.shards}: {several(len(piece.deals), 'deal', 'deals')}")
    remark("with --json the same command prints the piece, without playing again; give all pieces to --merge")


def merge_pieces(files: Sequence[str], judge: Judge, deals: int | None, ending: Ending) -> None:
    """Judge the pieces of a comparison as one machine would have judged its deals."""
    pieces = {name: _piece_in(Path(name)) for name in files}
    check_same(pieces)
    parts = list(pieces.values())
    merged = MergedDeals(parts, deals)
    judge.hear(merged)
    tell_finding(ComparisonFinding(parts[0], judge, merged.counted, merged.left_out), ending)
    lacking = missing(parts)
    if lacking and not judge.decided:
        remark(f"missing: {'; '.join(lacking)}; nothing after deal {merged.next - 1} counts")
    if ending.exit_code:
        sys.exit(exit_code_of(judge, not_worse=ending.not_worse))


def _piece_in(file: Path) -> ComparisonPiece:
    try:
        return msgspec.json.decode(read_ordinary(file, _LONGEST_PIECE), type=ComparisonPiece)
    except (msgspec.DecodeError, RecursionError) as error:
        fail(Exit.WRONG_USE, f"{file}: is no piece of a comparison, as --shard K/S --json prints it: {error}")
