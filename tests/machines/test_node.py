"""A node by itself: no scheduler, no runner."""

import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from referee.core.bot_limits import FolderLimits, Sandbox
from referee.core.errors import UserError
from referee.match.terms import Clock
from referee.match.transcript import FaultKind
from referee.runtime.child_process import ENDING
from referee.runtime.confinement import confinement
from referee.runtime.local_bot import LocalBot
from tests.bots.alike import PROTOCOLS, by_rule, write_alike
from tests.cli.command import start
from tests.tournaments.arena import alive, starts, work, write_bot, write_league
from tests.tournaments.leagues import plan
from tournaments.league import league_seed
from tournaments.league.model import FinishedMatch, Fixture, League, faults_of
from tournaments.play import bot_logs
from tournaments.play.match_results import MatchVoided
from tournaments.play.nodes import node as module
from tournaments.play.nodes import node_slot, self_test
from tournaments.play.nodes.node import AnotherRunner, Node, NodeCannotConfine, NodeNotEquipped
from tournaments.play.nodes.node_messages import Kit, Piece
from tournaments.play.nodes.node_slot import NodeClosed
from tournaments.play.nodes.self_test import ClockStalls
from tournaments.play.nodes.speed_limits import limits, too_slow
from tournaments.play.nodes.tree_transfer import TreeSender
from tournaments.results.league_location import league_in

pytestmark = [pytest.mark.machines, pytest.mark.process]


@pytest.fixture
def run_dir(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    tmp_path_factory.getbasetemp()  # it is made now, and not in this folder
    with tempfile.TemporaryDirectory(prefix="rt-") as folder:
        monkeypatch.setattr(tempfile, "tempdir", folder)
        yield Path(folder)
        assert alive(Path(folder)) == []
        assert list(Path(folder).iterdir()) == []


def league(folder: Path, delay_ms: int = 0) -> League:
    bots = [write_bot(folder / name, name, folder / "log", delay_ms) for name in ("ann", "bob")]
    return league_in(write_league(folder / "small.toml", bots, deals=6))


def kit_of(league: League, shipping: TreeSender, name: str = "kit") -> Kit:
    all_bots = work(league)
    bots = {entry: bot for entry, bot in all_bots.bots.items() if isinstance(bot, LocalBot)}
    trees = {entry: shipping.take(bot) for entry, bot in bots.items()}
    return Kit(name, replace(all_bots, bots={}), trees, shipping.listings, league.folders, league.sandbox)


def pieces(league: League, kit: str = "kit") -> list[Piece]:
    """The first rotation in two pieces."""
    fixtures = [fixture for fixture in plan(league) if fixture.rotation == 0]
    return [piece(league, fixtures[:2], kit), piece(league, fixtures[2:], kit)]


def piece(league: League, fixtures: list[Fixture], kit: str) -> Piece:
    headers = tuple(league_seed.header(league, bytes(32), fixture) for fixture in fixtures)
    return Piece(0, kit, 0, "sitting", tuple(fixtures), headers, singly=False)


def equipped(node: Node, kit: Kit, shipping: TreeSender) -> Node:
    for key in node.equip(kit, 1):
        for chunks in shipping.chunks(key):
            node.take(chunks)
    assert node.equip(kit, 1) == []
    return node


def losing(node: Node, piece: Piece, lost: list[type[BaseException]]) -> None:
    """Play a piece, and note the error that comes of it."""
    try:
        node.play(piece)
    except UserError as error:
        lost.append(type(error))


def test_a_node_asks_for_trees_once_and_plays_the_pieces_of_a_sitting_on_the_same_processes(
    tmp_path: Path, run_dir: Path
) -> None:
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    with Node(tmp_path / "home") as node:
        assert set(node.equip(kit, 1)) == set(kit.listings)
        equipped(node, kit, shipping)
        first, second = pieces(ours)
        done = node.play(first)
        bots = sorted(alive(run_dir))
        assert [one.fixture for one in done.results if isinstance(one, FinishedMatch)] == list(first.fixtures)
        assert [one.fixture for one in node.play(second).results if isinstance(one, FinishedMatch)] == list(
            second.fixtures
        )
        assert sorted(alive(run_dir)) == bots
        assert len(bots) == 2
        assert done.took_s > 0
    with Node(tmp_path / "home") as again:  # it has kept the trees
        assert again.equip(kit, 1) == []
    assert set(starts(tmp_path / "log", "ann").values()) == {1}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.usefixtures("run_dir")
def test_a_node_plays_the_same_matches_whatever_the_bots_read(protocol: str, tmp_path: Path) -> None:
    bots = [write_alike(tmp_path / name, protocol, name) for name in ("ann", "bob")]
    ours, shipping = league_in(write_league(tmp_path / "small.toml", bots, deals=6)), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    with Node(tmp_path / "home") as node:
        equipped(node, kit, shipping)
        for each in pieces(ours):
            records = [one.record for one in node.play(each).results if isinstance(one, FinishedMatch)]
            assert records == [by_rule(header).record.canonical() for header in each.headers]


@pytest.mark.parametrize("number", sorted(ENDING))
def test_a_signal_ends_a_machine_that_looks_for_its_scheduler(tmp_path: Path, number: signal.Signals) -> None:
    process = start(tmp_path, tmp_path, "machine", "tcp://127.0.0.1:9", "--cores", "1")
    try:
        assert process.stderr is not None
        assert "no scheduler answers" in process.stderr.readline()
        process.send_signal(number)
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.usefixtures("run_dir")
def test_a_node_plays_for_the_runner_that_came_last(tmp_path: Path) -> None:
    ours, shipping = league(tmp_path, delay_ms=60), TreeSender(FolderLimits())
    first, other = kit_of(ours, shipping), kit_of(ours, shipping, "other")
    with Node(tmp_path / "home") as node:
        with pytest.raises(NodeNotEquipped):
            node.play(pieces(ours)[0])
        equipped(node, first, shipping)
        lost: list[type[BaseException]] = []
        playing = threading.Thread(target=losing, args=(node, pieces(ours)[1], lost))
        playing.start()
        time.sleep(1)
        assert node.equip(other, 1) == []  # after the match that is being played
        playing.join()
        assert lost == [NodeClosed]
        with pytest.raises(AnotherRunner):
            node.play(pieces(ours)[0])
        assert len(node.play(pieces(ours, "other")[0]).results) == 2
        node.leave("kit")  # the first runner ends
        assert len(node.play(pieces(ours, "other")[1]).results) == 4
        node.leave("other")
        with pytest.raises(NodeNotEquipped):
            node.play(pieces(ours, "other")[0])


def test_a_node_that_hears_nothing_for_long_ends_its_processes_and_starts_them_anew(
    tmp_path: Path, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_slot, "IDLE_S", 1.0)
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    with Node(tmp_path / "home") as node:
        equipped(node, kit_of(ours, shipping), shipping)
        first, second = pieces(ours)
        node.play(first)
        assert alive(run_dir)
        until = time.monotonic() + 30
        while alive(run_dir) and time.monotonic() < until:
            time.sleep(0.1)
        assert alive(run_dir) == []
        assert len(node.play(second).results) == 4


def test_two_nodes_on_one_machine_share_the_trees_and_neither_takes_the_other_for_dead(
    tmp_path: Path, run_dir: Path
) -> None:
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    with Node(tmp_path / "home") as one, Node(tmp_path / "home") as two:
        equipped(one, kit, shipping).play(pieces(ours)[0])
        assert two.equip(kit, 1) == []
        assert len(two.play(pieces(ours)[1]).results) == 4
        assert len(alive(run_dir)) == 4
    assert {path.name for path in (tmp_path / "home").iterdir()} == {"node-0.lock", "node-1.lock", "trees"}


@pytest.mark.usefixtures("run_dir")
def test_pieces_that_are_not_whole_when_a_node_is_closed_are_told_to_be_lost(tmp_path: Path) -> None:
    ours, shipping = league(tmp_path, delay_ms=200), TreeSender(FolderLimits())  # a piece takes long
    lost: list[type[BaseException]] = []
    node = equipped(Node(tmp_path / "home"), kit_of(ours, shipping), shipping)
    threads = [threading.Thread(target=losing, args=(node, piece, lost)) for piece in pieces(ours)]
    for thread in threads:
        thread.start()
        time.sleep(0.5)
    node.close()
    for thread in threads:
        thread.join(30)
    assert lost == [NodeClosed, NodeClosed]


@pytest.mark.usefixtures("run_dir")
def test_a_node_on_which_no_box_works_takes_no_bots_that_need_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "obstacle", lambda _kind: SimpleNamespace(what="namespaces are forbidden"))
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    with Node(tmp_path / "home") as node:
        equipped(node, kit, shipping)
        with pytest.raises(
            NodeCannotConfine, match="bubblewrap does not work there: namespaces are forbidden; see `referee doctor`"
        ):
            node.equip(replace(kit, sandbox="bubblewrap"), 1)


@pytest.mark.parametrize("sandbox", ["none", "bubblewrap"])
def test_a_node_measures_itself_between_pieces_and_is_quick_enough_for_a_patient_league(
    tmp_path: Path, run_dir: Path, sandbox: Sandbox
) -> None:
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    confined = replace(kit, work=replace(kit.work, confinement=confinement(sandbox, ours.limits)))
    with Node(tmp_path / "home") as node:
        with pytest.raises(NodeNotEquipped):
            node.measure()
        equipped(node, confined, shipping)
        measured = node.measure()
        assert 0 < measured.echo_ms < measured.start_ms
        assert too_slow(measured, limits([kit.work.clock])) is None
        left = alive(run_dir)
        if sandbox == "none":  # the bots of tests write outside of their folders
            assert len(node.play(pieces(ours)[0]).results) == 2
            node.measure()
            left = [bot for bot in alive(run_dir) if "counting_bot" not in bot]
        assert left == []


def test_bots_that_work_on_after_their_matches_do_not_make_a_node_seem_slow(
    tmp_path: Path, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    with Node(tmp_path / "home") as node:
        equipped(node, kit_of(ours, shipping), shipping).play(pieces(ours)[0])
        assert len(alive(run_dir)) == 2
        node.measure()
        assert len(alive(run_dir)) == 2  # it was quick, so they may stay
        monkeypatch.setattr(node_slot, "too_slow", lambda *_: "seems slow")
        node.measure()
        assert alive(run_dir) == []
        assert len(node.play(pieces(ours)[1]).results) == 4


def test_on_a_machine_where_no_bot_starts_a_node_finds_itself_too_slow(
    tmp_path: Path, run_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "echo"
    broken.mkdir()
    manifest = (self_test.ECHO / "bot.toml").read_text()
    (broken / "bot.toml").write_text(manifest.replace('["{python}", "bot.py"]', '["sleep", "1000"]'))
    monkeypatch.setattr(self_test, "ECHO", broken)
    monkeypatch.setattr(self_test, "PATIENCE_S", 1.0)
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    with Node(tmp_path / "home") as node:
        measured = equipped(node, kit_of(ours, shipping), shipping).measure()
        assert (measured.start_ms, measured.echo_ms) == (1_000, 1_000)
        assert alive(run_dir) == []


@pytest.mark.usefixtures("run_dir")
def test_a_timeout_while_the_machine_stood_still_is_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, shipping = league(tmp_path, delay_ms=2_000), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    hurried = replace(kit, work=replace(kit.work, clock=Clock(move_ms=300, start_ms=60_000)))
    still_s = 0.0
    monkeypatch.setattr(ClockStalls, "since", lambda _stills, _moment_s: still_s)
    with Node(tmp_path / "home") as node:
        equipped(node, hurried, shipping)
        (fault, _) = node.play(pieces(ours)[0]).results
        assert isinstance(fault, FinishedMatch)
        assert [mark.kind for mark in faults_of(fault)] == [FaultKind.TIMEOUT]
        still_s = 0.5
        for void in node.play(pieces(ours)[0]).results:
            assert isinstance(void, MatchVoided)
            assert void.busy


@pytest.mark.usefixtures("run_dir")
def test_what_bots_write_comes_with_the_pieces_and_the_rest_at_the_end(tmp_path: Path) -> None:
    ours, shipping = league(tmp_path), TreeSender(FolderLimits())
    kit = kit_of(ours, shipping)
    speaking = {
        name: replace(entry, terms=replace(entry.terms, environment={"SPEAKS": "1"}))
        for name, entry in kit.work.entries.items()
    }
    kit = replace(kit, work=replace(kit.work, entries=speaking), has_logs=True)
    with Node(tmp_path / "home") as node:
        equipped(node, kit, shipping)
        first, second = pieces(ours)
        came = [node.play(first).words, node.play(second).words, node.leave("kit")]
    heard: dict[str, list[str]] = {"ann@1": [], "bob@1": []}
    for words in came:
        for bot, lines in words.items():
            heard[bot] += [said.match for said in bot_logs.pieces(lines.split(b"\n"))]
    expected = [fixture.id for fixture in (*first.fixtures, *second.fixtures)]
    assert heard == {"ann@1": expected, "bob@1": expected}
    assert came[0]
