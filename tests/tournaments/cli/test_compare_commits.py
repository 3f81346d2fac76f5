"""From commits to a verdict: on one machine, in pieces, with a fixed number of deals, and in the workflows for CI."""

import json
import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from xml.etree import ElementTree as Xml

import pytest
import yaml

from tests.cli.command import GAME, REFEREE, Ended, referee
from tests.needed import needs_git
from tests.tournaments.fakes import FakeExecutor, fails_in
from tests.tournaments.repositories import Repository, three_changes
from tournaments.play.environment import LocalEnvironment

pytestmark = [pytest.mark.process, needs_git]

ROOT = Path(__file__).parents[3]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return three_changes(tmp_path / "repository")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeExecutor:
    """The new bot plays high or fails as its test says; the old one draws."""
    fake = FakeExecutor(game=GAME)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    return fake


def compare(repository: Repository, new: str, old: str, *words: str) -> Ended:
    taken = ("--git", str(repository.folder), new, old, "--path", "bots/mine", "--sandbox", "none", "--seed", "7")
    return referee("compare", *taken, "--game", "agent-avenue", "--workers", "1", *words)


def pieces(repository: Repository, new: str, count: int, *words: str) -> list[str]:
    files = []
    for shard in range(1, count + 1):
        ended = compare(repository, new, "old", "--shard", f"{shard}/{count}", *words)
        assert ended.code == 0, ended.err
        Path(f"{new}-{shard}.json").write_text(ended.out)
        files.append(f"{new}-{shard}.json")
    return files


@pytest.mark.usefixtures("fake")
def test_the_commits_are_named_in_words_and_in_json_and_what_is_not_committed_is_compared_too(
    repository: Repository,
) -> None:
    new, old = repository.git("rev-parse", "equal"), repository.git("rev-parse", "old")
    said = compare(repository, "equal", "old", "--max-deals", "2")
    assert f"whether the new random@1 ({new[:12]}) is better than the old random@1 ({old[:12]})" in said.out
    assert compare(repository, "equal", "old", "--max-deals", "2", "--json").json["commits"] == {"new": new, "old": old}
    (repository.bot / "bot.py").write_text("# new\n")
    assert compare(repository, ".", "old", "--max-deals", "2", "--json").json["commits"]["new"] == "uncommitted"


@pytest.mark.slow
@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(
    ("words", "code"),
    [(["--max-deals", "8"], 3), (["--margin", "0.4"], 1), (["--margin", "0.4", "--not-worse"], 0)],
)
def test_the_exit_code_says_whether_to_take_an_equal_bot(repository: Repository, words: list[str], code: int) -> None:
    ended = compare(repository, "equal", "old", *words, "--exit-code", "--report", "found")
    assert ended.code == code
    suite = Xml.fromstring(Path("found/report.xml").read_text())  # noqa: S314 - it is ours
    assert [suite.get("failures"), suite.get("skipped")] == [str(int(code == 1)), str(int(code == 3))]


@pytest.mark.slow
def test_a_better_bot_gives_0_and_one_that_fails_1_and_the_report_has_all_that_was_found(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for loser, code in (("old", 0), ("new", 1)):
        fake = FakeExecutor({f"{loser}-random@1": fails_in(50)}, game=GAME)
        monkeypatch.setattr(LocalEnvironment, "executor", lambda *_, fake=fake: nullcontext(fake))
        words = ("--exit-code", "--report", f"found-{code}", "--store", f"sqlite:///{code}.sqlite")
        ended = compare(repository, "equal", "old", *words)
        assert ended.code == code
    found = json.loads(Path("found-0/report.json").read_text())
    for name in ("report.md", "report.html", "report.xml"):
        text = Path("found-0", name).read_text()
        assert found["digest"] in text
        assert found["seed"] in text or name == "report.xml"
        assert found["commits"]["new"][:12] in text
    assert "<polyline" in Path("found-0/report.html").read_text()
    assert found["shares"]["new"] > 0.5 > found["shares"]["old"]


@pytest.mark.slow
def test_ten_pieces_are_judged_as_one_machine_judges_and_a_missing_one_is_named(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeExecutor({"old-random@1": fails_in(50)}, game=GAME)
    monkeypatch.setattr(LocalEnvironment, "executor", lambda *_: nullcontext(fake))
    whole = compare(repository, "equal", "old", "--max-deals", "60", "--json")
    files = pieces(repository, "equal", 10, "--max-deals", "60")
    merged = referee("compare", "--merge", *files, "--json")
    assert merged.out == whole.out
    assert whole.json["verdict"] == "better"
    assert referee("compare", "--merge", *files, "--exit-code").code == 0
    lacking = referee("compare", "--merge", *files[:1], *files[2:], "--exit-code")
    assert lacking.code == 3
    assert "missing: piece 2 from deal 1 on; nothing from deal 1 on counts" in lacking.err
    other = compare(repository, "better", "old", "--shard", "2/10", "--max-deals", "60")
    Path("other.json").write_text(other.out)
    refused = referee("compare", "--merge", files[0], "other.json")
    assert (refused.code, refused.err) == (
        2,
        "other.json: is of another comparison than equal-1.json: bots differ; merge pieces of one\n",
    )


@pytest.mark.slow
@pytest.mark.usefixtures("fake")
def test_a_fixed_number_of_deals_gives_intervals_and_no_verdict_and_the_same_in_pieces(
    repository: Repository,
) -> None:
    found = compare(repository, "equal", "old", "--deals", "40", "--json").json
    assert (found["verdict"], found["deals"], found["matches"]) == ("undecided", 40, 80)
    low, high = found["student"]["lead"]
    assert found["interval"][0] < low < found["mean"] < high < found["interval"][1]
    said = compare(repository, "equal", "old", "--deals", "40").out
    assert said.startswith("lead: ")
    assert "95 % interval (Student's, 40 deals)" in said
    files = pieces(repository, "equal", 3, "--deals", "40")
    assert referee("compare", "--merge", *files, "--deals", "40", "--json").json == found


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a"], "name two bots, first the new one"),
        (["a", "b", "c"], "name two bots, first the new one"),
        (["a", "b", "--deals", "9", "--exit-code"], "--exit-code and --not-worse need a verdict"),
        (["a", "b", "--deals", "9", "--margin", "0.1"], "--deals and --shard decide nothing"),
        (["a", "b", "--shard", "0/3", "--seed", "1"], "--shard 0/3: write it as K/S"),
        (["a", "b", "--shard", "4/3", "--seed", "1"], "--shard 4/3: write it as K/S"),
        (["a", "b", "--shard", "1/3"], "--shard: all pieces need the same --seed"),
        (["--merge", "nowhere.json"], "nowhere.json: there is no such file"),
        (["--merge", "wrong.json"], "wrong.json: is no piece of a comparison"),
        (
            ["a", "b", "--git", "nowhere", "--game", "agent-avenue", "--sandbox", "none"],
            "nowhere: is not the top folder",
        ),
    ],
)
def test_a_mistake_is_answered_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.json").write_text('{"deals": ' + "[" * 5000)
    ended = referee("compare", *words)
    assert (ended.code, ended.out, len(ended.err.splitlines())) == (2, "", 1)
    assert sentence in ended.err


@pytest.mark.slow
def test_real_bots_of_three_commits_are_judged_rightly_on_one_machine_and_in_ten_pieces(repository: Repository) -> None:
    digests = {}
    for new, deals, words, verdict, share in (
        ("better", "800", [], "better", 0.6),
        ("crash", "40", [], "worse", 0),
        ("equal", "100", ["--margin", "0.25"], "no difference", 0.5),
    ):
        whole = compare(repository, new, "old", "--max-deals", deals, "--json", *words)
        assert whole.json["verdict"] == verdict
        assert whole.json["shares"]["new"] == pytest.approx(share, abs=0.1)
        digests[new] = whole.json["digest"]
        files = pieces(repository, new, 10, "--max-deals", deals)
        merged = referee("compare", "--merge", *files, "--json", *words).json
        assert (merged["verdict"], merged["digest"]) == (verdict, digests[new])
    assert len({*digests.values()}) == 3


WORKFLOWS = {name: yaml.safe_load((ROOT / "docs" / "ci" / f"{name}.yml").read_text()) for name in ("github", "gitlab")}


def run_step(script: str, folder: Path, environment: dict[str, str]) -> int:
    """One step of a job, in a shell that knows nothing else."""
    where = {"PATH": f"{REFEREE.parent}:{os.environ['PATH']}", "HOME": str(folder.parent), **environment}
    script = re.sub(r"pip install referee\b", f"{sys.executable} -c 'import referee'", script)
    return subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=where, check=False).returncode


def clone(repository: Repository, folder: Path) -> Path:
    """The working folder of a job, with the commit that is tested checked out."""
    subprocess.run(["git", "clone", "--quiet", str(repository.folder), str(folder)], check=True)
    repository.git("-C", str(folder), "checkout", "--quiet", "crash")
    repository.git("-C", str(folder), "update-ref", "refs/remotes/origin/main", "old")
    return folder


@pytest.mark.slow
def test_the_workflow_for_github_refuses_a_worse_bot_step_by_step(repository: Repository, tmp_path: Path) -> None:
    jobs = WORKFLOWS["github"]["jobs"]
    (tmp_path / "judge").mkdir()
    values = {"github.base_ref": "main", "github.sha": repository.git("rev-parse", "crash")}

    def fill(script: str, piece: int) -> str:
        known = values | {"matrix.piece": str(piece)}
        return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: known[found[1]], script).replace("400", "40")

    for piece in jobs["play"]["strategy"]["matrix"]["piece"]:
        folder = clone(repository, tmp_path / f"play-{piece}")
        for step in jobs["play"]["steps"]:
            assert "run" not in step or run_step(fill(step["run"], piece), folder, {}) == 0
        (made,) = folder.glob(fill("piece-*.json", piece))
        made.rename(tmp_path / "judge" / made.name)
    summary = tmp_path / "summary.md"
    codes = [
        run_step(step["run"], tmp_path / "judge", {"GITHUB_STEP_SUMMARY": str(summary)})
        for step in jobs["judge"]["steps"]
        if "run" in step
    ]
    assert codes == [0, 1, 0]
    assert "not better by that much: " in summary.read_text()


@pytest.mark.slow
def test_the_workflow_for_gitlab_refuses_a_worse_bot_step_by_step(repository: Repository, tmp_path: Path) -> None:
    play, judge = WORKFLOWS["gitlab"]["play"], WORKFLOWS["gitlab"]["judge"]
    (tmp_path / "judge").mkdir()
    for piece in range(1, play["parallel"] + 1):
        folder = clone(repository, tmp_path / f"play-{piece}")
        variables = {
            "CI_NODE_INDEX": str(piece),
            "CI_NODE_TOTAL": str(play["parallel"]),
            "CI_COMMIT_SHA": "5" * 40,
            "CI_MERGE_REQUEST_DIFF_BASE_SHA": repository.git("rev-parse", "old"),
        }
        for line in play["script"]:
            assert run_step(line.replace("400", "40"), folder, variables) == 0
        for pattern in play["artifacts"]["paths"]:
            for made in folder.glob(pattern):
                made.rename(tmp_path / "judge" / made.name)
    assert [run_step(line, tmp_path / "judge", {}) for line in judge["script"]] == [0, 1]
    assert (tmp_path / "judge" / judge["artifacts"]["reports"]["junit"]).is_file()
