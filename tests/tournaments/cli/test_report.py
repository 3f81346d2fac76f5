from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.match.conversation import Failed, Reply
from referee.match.match import Ask
from referee.match.transcript import FaultKind
from tests.tournaments.fakes import Bot, FakeExecutor, Run, Stopped, auction_league, bids_high
from tests.tournaments.leagues import plan
from tournaments.cli.report import CannotReport, report_of, write_report
from tournaments.cli.report_formats import Document, Grid, Section, html, markdown
from tournaments.comparison.memory_evidence import MemoryEvidence, MemoryReport, memory_of
from tournaments.league.format_settings import KnockoutSettings, SwissSettings
from tournaments.maintenance.close_league import close
from tournaments.results.computed_tables import league_rounds, league_standings
from tournaments.results.organizer_actions import withdraw_bot
from tournaments.results.stored_league import StoredLeague, open_results
from tournaments.schedule.formats import Bracket
from tournaments.schedule.formats.knockout_bracket import drawn

LEAGUE = auction_league(deals=6)
HOSTILE = "<script>alert('|')</script> *bold* \x1b[31m"


def fails_loudly(_ask: Ask, _seed: str) -> Reply:
    return Failed(FaultKind.ILLEGAL, HOSTILE)


BOTS: dict[str, Bot] = {"ann@1": bids_high, "bob@1": fails_loudly}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with faults, a suspension, void and abandoned matches."""
    folder = tmp_path_factory.mktemp("report")
    given_up = next(fixture.id for fixture in plan(LEAGUE) if "bob@1" not in fixture.entries)
    with Run(folder, LEAGUE, started_ms=1_790_000_000_000) as run:
        run.play(FakeExecutor(BOTS, together=1, loses=lambda fixture, _: fixture.id == given_up))
    (folder / "open.sqlite").write_bytes((folder / "store.sqlite").read_bytes())
    close(LEAGUE, f"sqlite:///{folder / 'store.sqlite'}", 1_790_000_000_000, abandon=True)
    return folder


def reported(results: StoredLeague) -> Document:
    memory = memory_of(results.league, results.pinned.seed_bytes, results.state)
    return report_of(results, memory, 1_790_000_000_000)


def document(folder: Path, store: str = "store.sqlite") -> Document:
    with open_results(LEAGUE, f"sqlite:///{folder / store}") as results:
        return reported(results)


def test_a_report_has_the_table_and_everything_that_went_wrong(folder: Path) -> None:
    found = document(folder)
    sections = {section.title: section for section in found.sections}
    assert list(sections) == [
        "Standings",
        "Crosstable",
        "Faults",
        "Slowest decisions",
        "Void matches",
        "Memory",
        "What was left out",
    ]
    (standings,) = sections["Standings"].tables
    assert {row[standings.titles.index("bot")] for row in standings.rows} == {"ann@1", "bob@1", "cid@1"}
    counts, last = sections["Faults"].tables
    assert counts.rows == (("bob@1", "illegal", "14"),)
    assert {row[3] for row in last.rows} == {HOSTILE}
    (slowest,) = sections["Slowest decisions"].tables
    assert len(slowest.rows) == 10
    assert {row[1] for row in slowest.rows} == {"1.0"}
    (voids,) = sections["Void matches"].tables
    assert [row[2] for row in voids.rows] == ["lost on purpose"] * 3
    (memory,) = sections["Memory"].tables
    assert {row[0] for row in memory.rows} == {"ann@1", "bob@1", "cid@1"}
    assert "evidence of 300 is needed" in sections["Memory"].notes[-1]
    left_out = sections["What was left out"].notes
    assert left_out[0] == "bob@1 is suspended: 5 of its 5 matches ended by its fault"
    assert left_out[-1].startswith("abandoned, void too often: auction/")
    assert found.lines[0] == "As of 2026-09-21 14:13:20 UTC."


def test_before_the_league_is_closed_a_report_tells_no_times_no_remarks_no_digest_and_no_seed(folder: Path) -> None:
    closed, still_open = document(folder), document(folder, "open.sqlite")
    sections = {section.title: section for section in still_open.sections}
    assert "Memory" not in sections
    (standings,) = sections["Standings"].tables
    assert {row[standings.titles.index("ms")] for row in standings.rows} == {"-"}
    counts, last = sections["Faults"].tables
    assert counts.rows == (("bob@1", "illegal", "14"),)
    assert {(row[0], row[3]) for row in last.rows} == {("-", "illegal")}
    slowest = sections["Slowest decisions"]
    assert (slowest.tables, slowest.notes) == ((), ("no times are told yet",))
    assert {(row[0], row[2]) for table in sections["Void matches"].tables for row in table.rows} == {("-", "-")}
    with open_results(LEAGUE, f"sqlite:///{folder / 'store.sqlite'}") as results:
        secrets = [results.pinned.seed, league_standings(results).digest]
    told, all_told = html(still_open), html(closed)
    for secret in secrets:
        assert secret not in told
        assert secret in all_told
    assert "are not told before the league is closed" in told
    assert "are not told before" not in all_told


def test_it_says_who_was_withdrawn_and_how_many_matches_were_skipped_for_it(tmp_path: Path) -> None:
    league = replace(LEAGUE, format=SwissSettings(rounds=1))
    url = f"sqlite:///{tmp_path / 'store.sqlite'}"
    with Run(tmp_path, league) as run:
        with suppress(Stopped):
            run.play(FakeExecutor(stops_after=1))
        leaves = next(iter(run.open.results.state.plan)).entries[0]
    with open_results(league, url) as results:
        withdraw_bot(results, leaves, now_ms=5)
    with open_results(league, url) as results:
        (*_, left_out) = reported(results).sections
    assert left_out.notes == (
        f"{leaves} was withdrawn in wave 1: none of its matches in that wave counts",
        "12 matches are skipped because one of their bots is suspended or withdrawn",
    )


def memory_section(folder: Path, found: MemoryReport) -> Section:
    with open_results(LEAGUE, f"sqlite:///{folder / 'store.sqlite'}") as results:
        return next(section for section in report_of(results, found, 0).sections if section.title == "Memory")


def test_a_report_names_the_bots_that_play_better_on_deals_that_were_played_before(folder: Path) -> None:
    noticed = MemoryEvidence("ann@1", 20, 0.5, 4_321.0, noticed=True, time=-0.25)
    found = MemoryReport(300.0, (noticed, MemoryEvidence("bob@1", 0, None, 1.0, noticed=False)))
    memory = memory_section(folder, found)
    assert memory.tables[0].rows == (("ann@1", "20", "+0.50", "-0.25", "4,321.0"), ("bob@1", "0", "-", "-", "1.0"))
    assert memory.notes[0] == "ann@1 plays better on deals that were played before: evidence 4,321"
    memory = memory_section(folder, MemoryReport(0.0, ()))
    assert (memory.tables, memory.notes) == ((), ("nothing to test: no two matches share their luck",))


def test_nothing_that_a_bot_says_becomes_markup(folder: Path) -> None:
    page, text = html(document(folder)), markdown(document(folder))
    assert "<script" not in page
    assert "&lt;script&gt;alert(&#x27;|&#x27;)" in page
    assert "<script" not in text
    assert r"&lt;script&gt;alert('\|')&lt;/script&gt; \*bold\*" in text
    assert "\x1b" not in page + text


def test_a_report_is_written_as_two_files_that_need_nothing_else(folder: Path, tmp_path: Path) -> None:
    with open_results(LEAGUE, f"sqlite:///{folder / 'store.sqlite'}") as results:
        write_report(results, tmp_path / "new" / "report", 0)
        with pytest.raises(CannotReport, match=r"/dev/null.*: cannot be written: Not a directory"):
            write_report(results, Path("/dev/null/report"), 0)
    page = (tmp_path / "new" / "report" / "report.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
    assert (tmp_path / "new" / "report" / "report.md").read_text().startswith("# autumn: auction\n")


@pytest.mark.parametrize("settings", [KnockoutSettings(), SwissSettings(rounds=2)])
def test_the_rounds_of_a_format_that_has_some_are_in_the_report(
    tmp_path: Path, settings: KnockoutSettings | SwissSettings
) -> None:
    planned = replace(auction_league(deals=2), format=settings)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor())
    with open_results(planned, f"sqlite:///{tmp_path / 'store.sqlite'}") as results:
        found = reported(results)
        rounds = next(section for section in found.sections if section.title == "Rounds")
        told = league_rounds(results)
    if isinstance(told, Bracket):
        assert rounds.drawing == tuple(drawn(told).splitlines())
        assert f'<pre class="wide">\n{rounds.drawing[0]}\n' in html(found)
        assert f"\n    {rounds.drawing[0]}\n" in markdown(found)
    else:
        assert [row[1] for row in rounds.tables[0].rows] == [line.entry for line in told]
        assert rounds.notes


def test_pairs_are_told_one_by_one_only_while_they_are_few(tmp_path: Path) -> None:
    for count in (3, 11):
        planned = auction_league([f"bot{number}" for number in range(count)], deals=1)
        (tmp_path / str(count)).mkdir()
        with Run(tmp_path / str(count), planned) as run:
            run.play(FakeExecutor(together=32))
        with open_results(planned, f"sqlite:///{tmp_path / str(count) / 'store.sqlite'}") as results:
            crosstable = next(section for section in reported(results).sections if section.title == "Crosstable")
        assert ("against" in crosstable.tables[-1].titles) == (count == 3)
        assert any(note.startswith("expected: ") for note in crosstable.notes) == (count == 3)
        assert any(note.startswith("score: ") for note in crosstable.notes)


def test_a_bot_that_was_withdrawn_is_named_with_its_wave(tmp_path: Path) -> None:
    planned = replace(auction_league(("ann", "bob", "cid", "dan"), deals=1), format=SwissSettings(rounds=3))
    with Run(tmp_path, planned) as run, suppress(Stopped):
        run.play(FakeExecutor(stops_after=1))
    with open_results(planned, f"sqlite:///{tmp_path / 'store.sqlite'}") as outside:
        withdraw_bot(outside, "dan@1", 5)
    with Run(tmp_path, planned) as run:
        run.play(FakeExecutor())
    with open_results(planned, f"sqlite:///{tmp_path / 'store.sqlite'}") as results:
        left_out = reported(results).sections[-1]
    assert left_out.notes == (
        "dan@1 was withdrawn in wave 1: none of its matches in that wave counts",
        "2 matches are skipped because one of their bots is suspended or withdrawn",
    )


def test_long_sentences_are_broken_into_lines_and_other_words_are_not() -> None:
    cells = ("a/match", "why " * 30)
    page = html(Document("t", (), (Section("s", (Grid(("match", "why"), (cells,)),), ()),)))
    assert f'<tr><td>a/match</td><td class="long">{"why " * 29}why</td></tr>' in page


def test_numbers_are_set_to_the_right_and_words_to_the_left() -> None:
    page = html(Document("t", (), (Section("s", (Grid(("bot", "score"), (("ann", "51.2%"), ("bob", "<1%"))),), ()),)))
    assert '<tr><th>bot</th><th class="number">score</th></tr>' in page
    assert '<tr><td>ann</td><td class="number">51.2%</td></tr>' in page
