"""Leagues of the sample bot `chat`: its faults are those that the answers of the endpoint predict, and no others."""

import os
import re
import shlex
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from referee import words
from referee.api.decisions import decision
from referee.match.match import Ask
from referee.match.replay import Replay
from referee.match.transcript import FaultKind, Transcript
from referee.wire.registry import games
from tests.cli.command import referee
from tests.runtime.rogues import eventually
from tests.sample_bots.mock_endpoint import Body, Reply, endpoint
from tournaments.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.process]

ROOT = Path(__file__).parents[2]
BOT = ROOT / "sample_bots/python/chat/bot.py"
PAGE = (ROOT / "docs" / "language-models.md").read_text(encoding="utf-8")
ADDRESS = "https://api.example.org/v1"
KEY = "sk-very-secret-0123456789"
TRIES = 3
TROUBLES = (
    Reply(raw=b"{}", status=429, headers=(("Retry-After", "0"),)),
    Reply(raw=b"{}", status=503, headers=(("Retry-After", "0"),)),
    Reply(raw=b'{"choices"', cut=True),
    Reply(raw=b"{", drips="fast"),
)


def roll(prompt: str, what: str) -> int:
    """A number below 100 that depends on nothing else."""
    return int(sha256(f"{what} {prompt}".encode()).hexdigest(), 16) % 100


class Model:
    """Answers with the first action. So many answers in a hundred are none, and others come after a trouble."""

    def __init__(self, bad: int, trouble: int) -> None:
        self._bad, self._trouble = bad, trouble
        self._seen: Counter[str] = Counter()

    def is_bad(self, prompt: str, tries: int) -> bool:
        """Whether the answer of this try, from 1, is no action."""
        return roll(prompt, f"try {tries}") < self._bad

    def answer(self, body: Body) -> Reply:
        """The answer to a request."""
        asked = [each["content"] for each in body["messages"] if each["role"] == "user"]
        corrections = next(at for at, text in enumerate(reversed(asked)) if text.startswith("You are seat"))
        prompt, tries = asked[-1 - corrections], corrections + 1
        self._seen[f"{prompt}{tries}"] += 1
        if self._seen[f"{prompt}{tries}"] % 2 == 1 and roll(prompt, f"trouble {tries}") < self._trouble:
            return TROUBLES[roll(prompt, f"kind {tries}") % len(TROUBLES)]
        return Reply("I cannot decide." if self.is_bad(prompt, tries) else "Let us see.\n\nACTION: 0")

    def predicted(self, transcript: Transcript, seat: int) -> Iterator[tuple[int, int]]:
        """The decisions of a seat about which the model is asked, and the tries that each needs; 0: too many."""
        game = games()[transcript.record.header.game].game
        walk = Replay(game, transcript)
        for step in walk.steps():
            asked = step.request
            if isinstance(asked, Ask) and asked.seat == seat and len(asked.legal) > 1:
                prompt = words.prompt(decision(walk.match, asked))
                good = (tries for tries in range(1, TRIES + 1) if not self.is_bad(prompt, tries))
                yield asked.number, next(good, 0)


@contextmanager
def running(*command: str | Path, folder: Path, port: int) -> Iterator[None]:
    """A bot that listens at a port, with a key for its endpoint."""
    with subprocess.Popen(command, cwd=folder, env=os.environ | {"MODEL_KEY": KEY}) as process:
        try:
            assert eventually(lambda: process.poll() is not None or _listens(port))
            assert process.poll() is None, "it did not start, and a league would wait for it"
            yield
        finally:
            process.kill()


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        servers = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [server.getsockname()[1] for server in servers]


LEAGUE = """
name = "models"
game = "{game}"
deals = 2
sandbox = "none"
rehearsal = true
store = "league.sqlite"
seed = "models"

[[bots]]
address = "grpc://127.0.0.1:{port}"
name = "chat"
version = "1"
parallel = 8

[[bots]]
path = "{root}/sample_bots/python/random"

[[tables]]
name = "table"
seats = {seats}
seating = "copies"
"""


def played(folder: Path, game: str, seats: int, model: Model, *more: str) -> Sequence[Transcript]:
    """The transcripts of a league with a bot that asks this model."""
    (port,) = free_ports(1)
    (folder / "league.toml").write_text(LEAGUE.format(game=game, port=port, root=ROOT, seats=seats))
    with endpoint(model.answer) as mock:
        command: list[str | Path]
        command = [sys.executable, BOT, f"127.0.0.1:{port}", mock.address, "m", "--secret-variable", "MODEL_KEY", *more]
        with running(*command, folder=folder, port=port):
            ended = referee("league", "run", folder / "league.toml")
            assert ended.code == 0, ended.err
    assert set(mock.keys) <= {f"Bearer {KEY}"}
    for file in folder.rglob("*"):
        assert not file.is_file() or KEY.encode() not in file.read_bytes()
    store = folder / "league.sqlite"
    with Store(f"sqlite:///{store}", "models") as kept:
        return [transcript for _, transcript in kept.transcripts()]


@pytest.mark.parametrize(
    ("game", "seats", "bad", "trouble"),
    [("agent-avenue", 2, 0, 10), ("agent-avenue", 2, 20, 10), ("agent-avenue", 2, 60, 0), ("inside-job", 3, 20, 0)],
)
def test_bad_answers_give_the_predicted_faults_and_troubles_that_pass_give_none(
    tmp_path: Path, game: str, seats: int, bad: int, trouble: int
) -> None:
    model = Model(bad, trouble)
    found = played(tmp_path, game, seats, model)
    assert found
    for transcript in found:
        record, notes = transcript.record, {(each.seat, each.decision): each.note for each in transcript.notes}
        faults = {(fault.seat, fault.decision): fault.kind for fault in record.faults}
        for seat, entry in enumerate(record.header.entries):
            for number, tries in model.predicted(transcript, seat) if entry == "chat@1" else ():
                assert faults.pop((seat, number), None) is (None if tries else FaultKind.ILLEGAL)
                assert notes[seat, number].tries == (tries or TRIES)
                assert notes[seat, number].tokens == 100 * (tries or TRIES)
        assert faults == {}
    illegal = sum(len(transcript.record.faults) for transcript in found)
    assert (illegal > 0) == (bad == 60) or bad == 20


def test_an_endpoint_that_is_down_costs_the_matches_as_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Model(0, 0)
    down = Reply(raw=b"{}", status=503, headers=(("Retry-After", "999"),))
    monkeypatch.setattr(model, "answer", lambda _body: down)
    found = played(tmp_path, "agent-avenue", 2, model)
    kinds = {fault.kind for transcript in found for fault in transcript.record.faults}
    assert kinds == {FaultKind.UNAVAILABLE}


def test_the_steps_of_the_page_play_its_league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sample_bots").symlink_to(ROOT / "sample_bots")
    monkeypatch.chdir(tmp_path)
    commands = re.sub(r" \\\n +", " ", PAGE)
    bots = re.findall(r"^python (.+) &$", commands, re.MULTILINE)
    (league,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (made,) = re.findall(r"^referee (new .+)$", commands, re.MULTILINE)
    told = re.findall(r"^referee (league .+)$", commands, re.MULTILINE)
    assert (len(bots), len(told)) == (2, 3)
    assert referee(*made.split()).code == 0
    with endpoint(Model(20, 0).answer) as mock, ExitStack() as stack:
        for number, port in enumerate(free_ports(2), 1):
            place = f"127.0.0.1:5005{number}"
            league = league.replace(place, f"127.0.0.1:{port}")
            bot = bots[number - 1].replace(place, f"127.0.0.1:{port}").replace(ADDRESS, mock.address)
            stack.enter_context(running(sys.executable, *shlex.split(bot), folder=tmp_path, port=port))
        Path("models.toml").write_text(league)
        for command in told:
            ended = referee(*command.split())
            assert ended.code == 0, ended.err
            if "standings" in command:
                assert re.search(r"tries +tokens", ended.out)
    for model in ("small", "large"):
        assert int(Path(f"{model}.tokens").read_text()) > 1_000


@pytest.mark.parametrize(
    ("place", "words", "sentence"),
    [
        ("TAKEN", [], "TAKEN: cannot be served; see address, key and certificate: [Errno 98]"),
        (
            "127.0.0.1:0",
            ["--key", "none", "--certificate", "none"],
            "none: there is no such file",
        ),
        ("127.0.0.1:0", ["--key", "none"], "--certificate and --key need each other"),
    ],
)
def test_what_cannot_be_served_is_a_sentence(place: str, words: list[str], sentence: str, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = f"127.0.0.1:{server.getsockname()[1]}"
        command = [sys.executable, str(BOT), place.replace("TAKEN", taken), ADDRESS, "m", *words]
        ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode > 0
    assert sentence.replace("TAKEN", taken) in ended.stderr
    assert "Traceback" not in ended.stderr
