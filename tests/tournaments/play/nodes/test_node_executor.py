"""The executor for many machines, with machines that are none."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from referee.core.errors import GameBug
from tests.tournaments.fakes import FakeExecutor, Run
from tests.tournaments.leagues import wave
from tests.tournaments.play.nodes.leagues import CLOCK, GAME, avenue, work
from tests.tournaments.play.nodes.nodes import QUICK, SLOW, FakeNodes, Here, busy, dishonest, honest, sly
from tests.tournaments.play.test_bot_logs_remote_logs import read
from tests.tournaments.supplies import ALL_AT_ONCE, GivenTerms, supply_of
from tournaments.league.model import FinishedMatch, League
from tournaments.league.status import Fleet
from tournaments.play.bot_logs import LogRecord
from tournaments.play.match_results import BrokenBatch, MatchPostponed, MatchVoided, Result
from tournaments.play.nodes import node_executor
from tournaments.play.nodes.node_executor import NodeExecutor, NodesCannotStart
from tournaments.play.nodes.node_messages import (
    NodeRefused,
    Piece,
    PieceResult,
    SchedulerLost,
    SchedulerUnreachable,
    TransportBroken,
)
from tournaments.play.nodes.verification import VerificationPool
from tournaments.play.retry_policy import WorkersFail
from tournaments.play.workers.local_executor import RoutingExecutor
from tournaments.play.workers.worker_messages import WorkerBug


def executor_of(nodes: FakeNodes, league: League, said: list[str] | None = None, again: float = 0.0) -> NodeExecutor:
    tell = [] if said is None else said
    judges = VerificationPool(Here(), 2)
    again_too = replace(league, again=again)
    return NodeExecutor(work(league), again_too, lambda _: nodes, judges, lambda event: tell.append(event.text))


def played_by(
    league: League, executor: NodeExecutor, terms: GivenTerms = ALL_AT_ONCE
) -> Iterator[Result | BrokenBatch]:
    told = executor.play(supply_of(league, terms))
    return (one for one in told if one is not None and not isinstance(one, Fleet))


def fixtures(results: Sequence[Result | BrokenBatch]) -> list[str]:
    return sorted(one.fixture.id for one in results if isinstance(one, FinishedMatch))


def all_of(league: League) -> list[str]:
    return sorted(fixture.id for one in wave(league).sittings(lambda *_: True) for fixture in one.fixtures)


def digest(folder: Path, nodes: FakeNodes, said: list[str] | None = None, again: float = 0.0) -> str:
    """The digest of the league as it is played by these nodes."""
    folder.mkdir()
    league = avenue(deals=6)
    with Run(folder, league) as run:
        run.play(executor_of(nodes, league, said, again))
        assert not run.open.results.state.verdict().abandoned
        assert Counter(one.fixture.id for one in run.told if isinstance(one, FinishedMatch)).most_common(1)[0][1] == 1
        return run.standings().digest


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the same league on one machine."""
    with Run(tmp_path_factory.mktemp("here"), avenue(deals=6)) as run:
        run.play(FakeExecutor(game=GAME, clock=CLOCK))
        return run.standings().digest


@pytest.mark.parametrize("seed", range(3))
def test_any_number_of_nodes_plays_what_one_machine_plays(tmp_path: Path, expected: str, seed: int) -> None:
    nodes = {f"node-{number}": number for number in range(1, seed + 2)}
    assert digest(tmp_path / "far", FakeNodes(nodes, seed)) == expected


@pytest.mark.parametrize("seed", range(4))
def test_whatever_happens_to_nodes_each_match_is_stored_once_and_the_digest_is_the_same(
    tmp_path: Path, expected: str, seed: int
) -> None:
    nodes, luck, said = FakeNodes({"a": 1, "b": 2, "c": 1}, seed), Random(seed), list[str]()

    def disturb() -> None:
        name = luck.choice("abc")
        match luck.randrange(40):
            case 0:
                nodes.lose(name)
                nodes.join(name)
            case 1:
                nodes.plays[name] = busy
            case 2:
                nodes.plays[name] = honest
            case 3:
                nodes.fail(OSError("the line went dead"))
            case 4:
                nodes.forget_all()
                nodes.put(SchedulerLost(for_good=False))
                for each in nodes.nodes:
                    nodes.join(each)
            case 5:
                nodes.come_again()

    nodes.before = disturb
    assert digest(tmp_path / "far", nodes, said, again=0.2) == expected
    assert len(nodes.sent) > 10
    assert not [sentence for sentence in said if "differently" in sentence]


def test_a_node_that_sends_what_does_not_hold_is_left_out_and_its_matches_are_played_by_others() -> None:
    league, said = avenue(deals=12), list[str]()
    nodes = FakeNodes({"good": 1, "bad": 1})
    nodes.plays["bad"] = dishonest
    told = list(played_by(league, executor_of(nodes, league, said)))
    voids = [one for one in told if isinstance(one, MatchVoided)]
    assert nodes.left_out == ["bad"]
    assert len(voids) >= 3
    assert all(void.reason.startswith("bad: the transcript does not hold: the record ends before") for void in voids)
    assert {one.fixture.id for one in told if not isinstance(one, BrokenBatch)} == set(all_of(league))
    assert "bad plays no more: it is left out: 4 times it sent what does not hold; others play its matches" in said


@pytest.mark.parametrize(
    "answer",
    [
        lambda piece: PieceResult(honest(piece).results[:-1], 1.0),
        lambda piece: PieceResult((*honest(piece).results, *honest(piece).results), 1.0),
        lambda _piece: PieceResult((), 1.0),
    ],
    ids=["too few", "twice", "nothing"],
)
def test_a_node_that_sends_other_matches_than_were_asked_for_is_left_out_and_each_counts_once(
    answer: Callable[[Piece], PieceResult],
) -> None:
    league = avenue(deals=12)
    nodes = FakeNodes({"good": 1, "bad": 1})
    nodes.plays["bad"] = answer
    assert fixtures(list(played_by(league, executor_of(nodes, league)))) == all_of(league)
    assert nodes.left_out == ["bad"]


def test_a_match_of_another_fixture_is_not_taken_for_the_one_that_was_asked_for() -> None:
    league = avenue(deals=12)
    nodes = FakeNodes({"good": 1, "bad": 1})

    def shifted(piece: Piece) -> PieceResult:
        told = [one for one in honest(piece).results if isinstance(one, FinishedMatch)]
        others = [*told[1:], told[0]]
        return PieceResult(tuple(replace(it, fixture=one.fixture) for one, it in zip(told, others, strict=True)), 1.0)

    nodes.plays["bad"] = shifted
    told = list(played_by(league, executor_of(nodes, league)))
    wrong = [one for one in told if isinstance(one, MatchVoided)]
    assert {void.reason for void in wrong} == {
        "bad: the transcript does not hold: its header (options, seeds, entries) is not the one that was sent"
    }


def test_a_share_of_the_matches_is_played_again_on_other_nodes_and_stored_once() -> None:
    league, said = avenue(deals=12), list[str]()
    nodes = FakeNodes({"one": 1, "two": 2})
    assert fixtures(list(played_by(league, executor_of(nodes, league, said, again=0.5)))) == all_of(league)
    where: dict[str, list[str]] = {}
    for node, piece in nodes.sent:
        for fixture in piece.fixtures:
            where.setdefault(fixture.id, []).append(node)
    twice = [sorted(places) for places in where.values() if len(places) > 1]
    assert 0.3 * len(where) < len(twice) < 0.7 * len(where)
    assert {tuple(places) for places in twice} == {("one", "two")}
    assert "differently" not in "".join(said)


def test_a_node_that_alters_choices_into_legal_ones_is_told_of() -> None:
    league, said = avenue(deals=12), list[str]()
    nodes = FakeNodes({"one": 1, "two": 1})
    nodes.plays["two"] = sly
    told = list(played_by(league, executor_of(nodes, league, said, again=0.5)))
    assert fixtures(told) == all_of(league)
    differences = [sentence for sentence in said if "came out differently on" in sentence]
    assert differences
    assert all(" on one and on two: " in it or " on two and on one: " in it for it in differences)
    assert "recorded" in differences[0]
    assert (
        said[-1]
        == f"of {len(differences)} matches that were played a second time, {len(differences)} came out differently"
    )


def test_the_only_node_plays_nothing_again_and_waits_for_no_other() -> None:
    league = avenue(deals=2)
    nodes = FakeNodes({"one": 2})
    assert fixtures(list(played_by(league, executor_of(nodes, league, again=1.0)))) == all_of(league)
    assert sum(len(given.piece.fixtures) for given in nodes.sent) == len(all_of(league))


def test_pieces_grow_until_they_take_a_few_seconds_and_no_place_has_more_than_its_window() -> None:
    league = avenue(["ann", "bob"], deals=200)
    nodes = FakeNodes({"one": 1, "two": 2}, window=2)
    nodes.plays = dict.fromkeys(nodes.nodes, lambda piece: replace(honest(piece), took_s=0.15 * len(piece.fixtures)))
    done = list(played_by(league, executor_of(nodes, league)))
    assert fixtures(done) == all_of(league)
    assert {len(given.piece.fixtures) for given in nodes.sent[:2]} == {4}
    assert max(len(given.piece.fixtures) for given in nodes.sent) == 20  # 3 s of 150 ms each
    assert nodes.most == {"one": 2, "two": 4}


def test_a_busy_node_plays_less_at_once_and_the_others_as_before() -> None:
    league = avenue(deals=60)
    nodes = FakeNodes({"calm": 4, "busy": 4}, window=1)
    nodes.plays["busy"] = busy
    told = list(played_by(league, executor_of(nodes, league)))
    at = [given.node for given in nodes.sent]
    assert at[:8].count("busy") == at[:8].count("calm") == 4
    assert at[12:].count("busy") <= 2  # it rests, by a clock that hardly moves here
    voids = [one for one in told if isinstance(one, MatchVoided)]
    assert all(void.busy and void.elsewhere for void in voids)
    assert sorted([*fixtures(told), *(void.fixture.id for void in voids)]) == all_of(league)


def test_what_is_not_wanted_is_neither_sent_nor_waited_for() -> None:
    league = avenue(deals=20)
    nodes = FakeNodes({"one": 1})
    some = set(all_of(league)[5:30])
    told = list(played_by(league, executor_of(nodes, league), GivenTerms(lambda fixture: fixture.id in some)))
    assert fixtures(told) == sorted(some)


def test_a_run_that_has_enough_ends_though_no_node_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.play.nodes.node_executor._LOOK_S", 1e-9)
    league, looks = avenue(), list[int]()
    nodes = FakeNodes({})
    nodes.before = lambda: looks.append(1)
    assert list(played_by(league, executor_of(nodes, league), GivenTerms(lambda _: len(looks) < 3))) == []
    assert len(looks) == 3


def test_what_is_under_way_is_cancelled_when_nobody_wants_it_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.play.nodes.node_executor._LOOK_S", 1e-9)
    league, told = avenue(deals=40), list[Result | BrokenBatch]()
    nodes = FakeNodes({"one": 1, "two": 1})
    results = played_by(league, executor_of(nodes, league), GivenTerms(lambda _: not told))
    told.extend(results)
    assert nodes.cancelled
    assert len(told) < 10


def test_a_line_up_that_was_lost_with_node_after_node_has_a_void_match_which_counts() -> None:
    league = avenue(["ann", "bob"], deals=6)
    nodes = FakeNodes({"one": 1}, window=1)
    told: list[Result | BrokenBatch] = []
    lost: list[int] = []

    def unplug() -> None:
        if len(nodes.sent) > len(lost) and len(lost) < 3:
            lost.append(1)
            nodes.lose("one")
            nodes.join("one")

    nodes.before = unplug
    told.extend(played_by(league, executor_of(nodes, league)))
    (void,) = (one for one in told if isinstance(one, MatchVoided))
    assert void.lost_worker
    assert not void.busy
    assert void.reason == "one: it was unplugged"
    assert len(fixtures(told)) == len(all_of(league)) - 1


def test_a_game_that_fails_on_a_node_stops_the_run_and_no_node_is_to_blame() -> None:
    league, bug = avenue(deals=12), GameBug("the game failed", "7", b"{}")
    nodes = FakeNodes({"one": 1, "two": 1})
    nodes.before = lambda: nodes.fail(bug) if len(nodes.sent) > 4 else None
    with pytest.raises(GameBug) as caught:
        list(played_by(league, executor_of(nodes, league)))
    assert caught.value is bug
    assert nodes.left_out == []


def test_a_bug_on_a_node_stops_the_run_and_a_node_that_cannot_play_is_left_out() -> None:
    league, said = avenue(deals=12), list[str]()
    nodes = FakeNodes({"one": 1, "two": 1})
    nodes.before = lambda: nodes.fail(WorkerBug("Traceback")) if len(nodes.sent) > 4 else None
    with pytest.raises(WorkerBug):
        list(played_by(league, executor_of(nodes, league)))
    nodes = FakeNodes({"one": 1, "two": 1})
    nodes.before = lambda: nodes.fail(WorkersFail("no worker comes up")) if not nodes.left_out else None
    assert fixtures(list(played_by(league, executor_of(nodes, league, said)))) == all_of(league)
    assert len(nodes.left_out) == 1
    assert said[-1].endswith("plays no more: it is left out: no worker comes up; others play its matches")


def test_pieces_that_are_lost_on_their_way_are_given_again_and_no_node_is_to_blame() -> None:
    league = avenue(deals=12)
    nodes = FakeNodes({"one": 4, "two": 4})
    looks: list[int] = []

    def drop() -> None:
        looks.append(1)
        if len(looks) in (5, 15, 30):
            nodes.drop_all()

    nodes.before = drop
    told = list(played_by(league, executor_of(nodes, league)))
    assert fixtures(told) == all_of(league)
    assert not [one for one in told if isinstance(one, MatchVoided)]
    assert nodes.left_out == []


def test_a_bug_of_whoever_looks_after_the_nodes_stops_the_run() -> None:
    league = avenue()
    nodes = FakeNodes({"one": 1})
    nodes.before = lambda: nodes.put(TransportBroken(ZeroDivisionError("a bug")))
    with pytest.raises(ZeroDivisionError):
        list(played_by(league, executor_of(nodes, league)))


def test_a_scheduler_that_does_not_come_back_ends_the_run() -> None:
    league = avenue()
    nodes = FakeNodes({"one": 1})
    nodes.before = lambda: nodes.put(SchedulerLost(for_good=True))
    with pytest.raises(SchedulerUnreachable):
        list(played_by(league, executor_of(nodes, league)))


def test_sittings_are_never_given_twice_under_one_name_so_no_process_meets_a_deal_twice() -> None:
    league = avenue(deals=30)
    nodes = FakeNodes({"one": 2, "two": 1}, seed=3)
    luck = Random(3)

    def unplug() -> None:
        if luck.random() < 0.1:
            nodes.lose("one")
            nodes.join("one")

    nodes.before = unplug
    list(played_by(league, executor_of(nodes, league)))
    met: Counter[tuple[str, str, int, int]] = Counter()
    for node, piece in nodes.sent:
        met.update((node, piece.sitting, piece.place, fixture.deal) for fixture in piece.fixtures)
    assert set(met.values()) == {1}


def test_with_new_settings_all_nodes_begin_anew() -> None:
    league = avenue()
    nodes = FakeNodes({"one": 1})
    executor = executor_of(nodes, league)
    list(played_by(league, executor))
    executor.renew(work(league))
    assert fixtures(list(played_by(league, executor))) == all_of(league)
    assert len({kit.id for kit in nodes.kits}) == 2
    executor.close()
    assert nodes.closed


def test_a_postponed_match_is_handed_on() -> None:
    league = avenue(deals=1)
    nodes = FakeNodes({"one": 1})
    nodes.plays["one"] = lambda piece: PieceResult(
        tuple(MatchPostponed(it, "ann@1", "away") for it in piece.fixtures), 1.0
    )
    told = list(played_by(league, executor_of(nodes, league)))
    assert {type(one) for one in told} == {MatchPostponed}
    assert len(told) == len(all_of(league))


def test_a_node_that_is_too_slow_when_it_joins_is_given_nothing_until_it_is_quick() -> None:
    league, said, looks = avenue(deals=4), list[str](), list[int]()
    nodes = FakeNodes({"one": 2})
    nodes.speed["one"] = SLOW

    def quicken() -> None:
        looks.append(1)
        if len(looks) == 5:
            assert nodes.sent == []
            nodes.speed.clear()
            nodes.time("one")

    nodes.before = quicken
    assert fixtures(list(played_by(league, executor_of(nodes, league, said)))) == all_of(league)
    why = "it took 900 ms for an answer without thought; for the league's clock it may be 500"
    assert said == [
        "waiting for nodes",
        "one has joined; it plays 2 at once",
        f"one rests: {why}; others play its matches",
        "one is quick enough again, and plays",
    ]


def test_a_node_that_becomes_too_slow_gives_what_it_has_to_others_and_no_match_is_void() -> None:
    league, said, rested_at = avenue(deals=60), list[str](), list[int]()
    nodes = FakeNodes({"one": 2, "two": 2})

    def tire() -> None:
        if len(nodes.sent) > 12 and not rested_at:
            rested_at.append(len(nodes.sent))
            nodes.speed["one"] = SLOW
            nodes.time("one")

    nodes.before = tire
    told = list(played_by(league, executor_of(nodes, league, said)))
    assert fixtures(told) == all_of(league)
    assert not [one for one in told if isinstance(one, MatchVoided)]
    assert nodes.cancelled
    assert {given.node for given in nodes.sent[rested_at[0] :]} == {"two"}
    assert any(sentence.startswith("one rests: ") for sentence in said)


def test_the_run_does_not_wait_for_a_second_playing_on_a_node_that_is_too_slow() -> None:
    league = avenue(deals=3)
    nodes = FakeNodes({"one": 1, "two": 1})
    nodes.speed["two"] = SLOW
    assert fixtures(list(played_by(league, executor_of(nodes, league, again=1.0)))) == all_of(league)
    assert {given.node for given in nodes.sent} == {"one"}


def test_nodes_are_asked_to_measure_themselves_and_not_again_before_they_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.play.nodes.node_executor._LOOK_S", 1e-9)
    monkeypatch.setattr("tournaments.play.nodes.node_pool.MEASURE_MS", 0)
    league = avenue(deals=20)
    nodes = FakeNodes({"one": 1})
    assert fixtures(list(played_by(league, executor_of(nodes, league)))) == all_of(league)
    assert nodes.measured == ["one"]
    nodes = FakeNodes({"one": 1})
    nodes.before = lambda: nodes.time("one") if len(nodes.measured) == 1 else None
    assert fixtures(list(played_by(league, executor_of(nodes, league)))) == all_of(league)
    assert len(nodes.measured) > 1


@pytest.mark.slow
def test_what_bots_write_on_nodes_is_kept_but_not_of_second_playings(tmp_path: Path) -> None:
    league = avenue(deals=6)
    nodes = FakeNodes({"one": 1, "two": 1})

    def written(piece: Piece) -> PieceResult:
        said = [
            LogRecord("now", f"{piece.sitting.partition('/')[0]} {fixture.id}", 0, "hello")
            for fixture in piece.fixtures
        ]
        lines = b"".join(msgspec.json.encode(each) + b"\n" for each in said)
        return replace(honest(piece), words={"ann@1": lines})

    nodes.plays = {"one": written, "two": written}
    nodes.words = [{"bob@1": msgspec.json.encode(LogRecord("now", "at the end", 0, "bye"))}]
    heard = replace(work(league), logs=tmp_path / "logs")
    judges = VerificationPool(Here(), 2)
    executor = NodeExecutor(heard, replace(league, again=0.5), lambda _: nodes, judges, lambda _: None)
    list(played_by(league, executor))
    executor.close()
    assert nodes.kits[0].has_logs
    assert nodes.kits[0].work.logs is None
    kept = sorted(said.match.partition(" ")[2] for said in read(tmp_path / "logs", "ann@1"))
    assert kept == all_of(league)
    assert [said.text for said in read(tmp_path / "logs", "bob@1")] == ["bye"]


def test_how_the_nodes_are_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.play.nodes.node_executor._LOOK_S", 1e-9)
    monkeypatch.setattr("tournaments.play.nodes.node_status.LIST_S", 0.0)
    league = avenue(deals=12)
    nodes = FakeNodes({"good": 1, "slow": 2, "bad": 1})
    nodes.plays["bad"] = dishonest
    nodes.speed["slow"] = SLOW
    told = executor_of(nodes, league).play(supply_of(league))
    *_, last = (one for one in told if isinstance(one, Fleet))
    good, slow, bad = last.nodes
    assert (good.node, good.state, good.places) == ("good", "plays", 1)
    assert (good.voids, good.echo_ms) == (0, QUICK.echo_ms)
    assert good.matches > 0
    assert (slow.node, slow.state, slow.places, slow.playing) == ("slow", "rests", 2, 0)
    assert slow.why.startswith("took 900 ms for an answer")
    assert (bad.node, bad.state, bad.why) == ("bad", "left out", "4 times it sent what does not hold")
    assert bad.voids == 4


def unable(piece: Piece) -> PieceResult:
    """What a node sends that can start nothing."""
    return PieceResult(tuple(MatchVoided(fixture, "no inodes", cannot_start=True) for fixture in piece.fixtures), 0.1)


def test_a_node_that_can_start_nothing_is_taken_out_and_no_match_of_it_is_void() -> None:
    league, said = avenue(deals=12), list[str]()
    nodes = FakeNodes({"good": 1, "bad": 2})
    nodes.plays["bad"] = unable
    told = list(played_by(league, executor_of(nodes, league, said)))
    assert nodes.left_out == ["bad"]
    assert fixtures(told) == all_of(league)
    assert not [one for one in told if isinstance(one, MatchVoided)]
    assert "bad plays no more: it is left out: no inodes; others play its matches" in said


def test_a_run_stops_if_no_node_is_left_that_can_start_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_executor, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(node_executor, "_LOOK_S", 0.01)
    league = avenue(deals=12)
    nodes = FakeNodes({"one": 1, "other": 1})
    nodes.plays = {"one": unable, "other": unable}
    told = []
    with pytest.raises(
        NodesCannotStart, match=r"no node can start bots; the last, \w+: no inodes\. No bot is to blame"
    ):
        told += list(played_by(league, executor_of(nodes, league)))
    assert not told


def test_a_run_whose_nodes_were_all_refused_because_they_can_start_nothing_stops(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(node_executor, "_PATIENCE_S", 0.0)
    monkeypatch.setattr(node_executor, "_LOOK_S", 0.01)
    league, nodes = avenue(deals=12), FakeNodes({})
    executor = executor_of(nodes, league)
    nodes.put(NodeRefused("one", "cannot play this league: no inodes", cannot_start=True))
    with pytest.raises(NodesCannotStart):
        list(played_by(league, executor))


def test_the_machine_of_the_service_plays_the_matches_of_bots_that_call_it_and_nodes_all_others(
    tmp_path: Path, expected: str
) -> None:
    nodes, league = FakeNodes({"a": 1, "b": 2}, 0), avenue(deals=6)
    caller, here = league.entries[0].name, FakeExecutor(game=GAME, clock=CLOCK)
    with Run(tmp_path, league) as run:
        run.play(RoutingExecutor(executor_of(nodes, league), here, {caller}))
        sent = [fixture for given in nodes.sent for fixture in given.piece.fixtures]
        assert sent
        assert all(caller not in fixture.entries for fixture in sent)
        told = [one.fixture for one in run.told if isinstance(one, FinishedMatch)]
        assert any(caller in fixture.entries for fixture in told)
        assert run.standings().digest == expected
