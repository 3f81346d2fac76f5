"""Bots that are called at an address: over TLS or on this machine, reachable or not, lost before or after the start."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvloop

from referee.core.errors import FileProblems
from referee.match.conversation import Reply
from referee.match.match import Ask, Match, Request
from referee.match.narrator import Narrator
from referee.match.transcript import DecisionNote, FaultKind, Note
from referee.runtime.bot_address import Authorities, Peer
from referee.runtime.remote_bot import Credentials, RemoteBot, Unreachable, meet, peer_at
from tests.runtime.remotes import TLS, TOKEN, far_away, serving
from tests.runtime.rogues import Sitting, faults, play_one, rogue, sit

TIMEOUT_MS = 20_000


def credentials(folder: Path, token: str = TOKEN, ca: str | None = "ca.pem") -> Credentials:
    (folder / "token").touch(mode=0o600)
    (folder / "token").write_text(f"{token}\n")
    return Credentials(None if ca is None else TLS / ca, folder / "token")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of an honest bot over TLS, which shows a token. It serves all tests."""
    with serving("honest", tls=True, token=TOKEN) as (address, _):
        yield address


def met(address: str, how: Credentials = Credentials()) -> RemoteBot:  # noqa: B008 - it is frozen
    return uvloop.run(meet(address, how, TIMEOUT_MS))


@pytest.mark.process
def test_a_match_is_played_over_tls_with_a_token(address: str, tmp_path: Path) -> None:
    bot = met(address, credentials(tmp_path))
    assert (bot.entry, bot.place, bot.games) == ("rogue@1", address, ("*",))
    transcript = play_one([bot, rogue(tmp_path, "honest"), bot])
    assert faults(transcript) == []
    assert transcript.metadata.bots[0] == address


@pytest.mark.slow
@pytest.mark.process
def test_a_bot_is_reached_however_long_the_way_to_it(address: str, tmp_path: Path) -> None:
    with far_away(address, delay_s=0.1) as longer:
        assert met(longer, credentials(tmp_path)).entry == "rogue@1"


@pytest.mark.process
def test_a_wrong_token_is_one_clear_sentence(address: str, tmp_path: Path) -> None:
    with pytest.raises(Unreachable) as caught:
        met(address, credentials(tmp_path, token="guess"))  # noqa: S106 - it is wrong
    assert str(caught.value) == f"{address}: does not take the token"


@pytest.mark.process
@pytest.mark.parametrize("ca", ["other.pem", None])
def test_a_certificate_of_an_unknown_authority_is_one_clear_sentence(
    ca: str | None, address: str, tmp_path: Path
) -> None:
    with pytest.raises(Unreachable) as caught:
        met(address, credentials(tmp_path, ca=ca))
    text = "its certificate was not signed by an authority that is trusted here"
    assert str(caught.value) == f"{address}: {text}"


@pytest.mark.process
def test_a_certificate_for_another_host_name_is_one_clear_sentence(address: str, tmp_path: Path) -> None:
    by_number = address.replace("localhost", "127.0.0.1")
    with pytest.raises(Unreachable) as caught:
        met(by_number, credentials(tmp_path))
    assert str(caught.value) == f"{by_number}: its certificate is for another host name"


@pytest.mark.process
@pytest.mark.parametrize(
    ("certificate", "text"),
    [
        ("expired.pem", "its certificate has expired"),
        ("early.pem", "its certificate is not valid yet; are the clocks right?"),
    ],
)
def test_a_certificate_of_another_time_is_one_clear_sentence(certificate: str, text: str, tmp_path: Path) -> None:
    with serving("honest", tls=True, token=TOKEN, certificate=certificate) as (address, _):
        with pytest.raises(Unreachable) as caught:
            met(address, credentials(tmp_path, ca=certificate))
        assert str(caught.value) == f"{address}: {text}"


@pytest.mark.process
def test_a_bot_without_tls_is_one_clear_sentence(tmp_path: Path) -> None:
    with serving("honest") as (address, _):
        over_tls = address.replace("grpc", "grpcs")
        with pytest.raises(Unreachable) as caught:
            met(over_tls, credentials(tmp_path))
        assert str(caught.value) == f"{over_tls}: it does not speak TLS"


def test_where_nobody_listens_nobody_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(Unreachable, match=f"^grpc://localhost:{port}: did not answer Describe "):
        met(f"grpc://localhost:{port}")


def kill_at(process: "subprocess.Popen[bytes]", seat: int, number: int) -> Narrator:
    """Kills the process once a seat has answered its decision of that number."""

    def watch(_match: Match, request: Request, _reply: Reply | None) -> None:
        if isinstance(request, Ask) and (request.seat, request.number) == (seat, number):
            os.kill(process.pid, signal.SIGKILL)

    return watch


@pytest.mark.process
def test_a_remote_bot_lost_after_it_was_ready_has_crashed(tmp_path: Path) -> None:
    with serving("honest") as (address, process):
        bot = met(address)

        async def play(sitting: Sitting) -> None:
            transcript = await sitting.play(narrator=kill_at(process, 0, 1))
            assert faults(transcript) == [(0, 2, FaultKind.CRASH)]

        sit([bot, rogue(tmp_path, "honest")], play)


@pytest.mark.process
def test_a_remote_bot_lost_between_matches_is_unreachable_and_the_match_has_not_begun(tmp_path: Path) -> None:
    with serving("honest") as (address, process):
        bot = met(address)

        async def play(sitting: Sitting) -> None:
            assert faults(await sitting.play()) == []
            process.kill()
            with pytest.raises(Unreachable, match=r"^rogue@1: did not answer Describe "):
                await sitting.play()

        sit([rogue(tmp_path, "honest"), bot], play)


@pytest.mark.process
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("dies_when_it_is_called", r"^rogue@1: .* before it was ready$"),
        pytest.param("is_unavailable_at_the_start", r"^rogue@1: was unavailable at the start", marks=pytest.mark.slow),
    ],
)
def test_a_remote_bot_that_hangs_up_or_is_unavailable_before_it_is_ready_is_unreachable(
    how: str, words: str, tmp_path: Path
) -> None:
    with serving(how) as (address, _):
        bot = met(address)

        async def play(sitting: Sitting) -> None:
            with pytest.raises(Unreachable, match=words):
                await sitting.play()

        sit([rogue(tmp_path, "honest"), bot], play)


@pytest.mark.slow
@pytest.mark.process
def test_notes_are_kept_of_a_remote_bot_and_not_of_one_that_the_referee_starts(tmp_path: Path) -> None:
    with serving("is_unavailable") as (address, _):
        bot = met(address)

        async def play(sitting: Sitting) -> None:
            transcript = await sitting.play()
            (fault,) = transcript.record.faults
            assert (fault.decision, fault.kind) == (2, FaultKind.UNAVAILABLE)
            kept = (DecisionNote(fault.seat, 2, Note("503\x1b[31m", 2, 70)),)
            assert transcript.notes == (kept if fault.seat == 0 else ())

        sit([bot, rogue(tmp_path, "honest")], play)
        sit([rogue(tmp_path, "honest"), rogue(tmp_path, "is_unavailable")], play)


@pytest.mark.process
def test_a_remote_bot_that_breaks_a_rule_loses_as_any_other_and_plays_on(tmp_path: Path) -> None:
    with serving("says_too_high_an_index") as (address, _):
        bot = met(address)

        async def play(sitting: Sitting) -> None:
            for _ in range(2):
                assert faults(await sitting.play()) == [(1, 2, FaultKind.ILLEGAL)]

        sit([rogue(tmp_path, "honest"), bot], play)


@pytest.mark.parametrize(
    ("address", "wrong"),
    [
        ("grpc://example.org:5000", "everything would be sent in the clear"),
        ("grpcs://example.org", "is not an address"),
        ("grpcs://example.org:70000", "is not an address"),
        ("http://localhost:5000", "is not an address"),
        ("grpcs://a b:1", "is not an address"),
    ],
)
def test_what_is_no_address_says_what_to_write(address: str, wrong: str) -> None:
    with pytest.raises(FileProblems) as caught:
        peer_at(address, Credentials())
    assert wrong in str(caught.value)
    assert str(caught.value).endswith("write grpcs://HOST:PORT, or grpc://HOST:PORT on this machine")


def test_a_peer_has_the_token_and_the_authorities_of_the_files(tmp_path: Path) -> None:
    found = peer_at("grpcs://example.org:443", credentials(tmp_path))
    assert found == Peer("example.org:443", TOKEN, Authorities((TLS / "ca.pem").read_bytes()))
    assert peer_at("grpcs://example.org:443", Credentials()) == Peer("example.org:443", None, Authorities(None))
    assert peer_at("grpc://[::1]:443", Credentials()) == Peer("[::1]:443")


def test_a_file_of_credentials_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match=r"no-token: there is no such file$"):
        peer_at("grpcs://example.org:443", Credentials(None, tmp_path / "no-token"))
