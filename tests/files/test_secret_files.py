"""Files with a token or with certificates, as strangers or accidents may leave them: one sentence each, and no wait."""

import os
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.cli.seat import _token
from referee.core.errors import UserError
from referee.files.secret_files import read_certificates, read_token
from referee.runtime.remote_bot import Credentials, peer_at
from tests.runtime.remotes import TLS
from tournaments.web.client.address import address
from tournaments.web.client.http_client import LeagueClient
from tournaments.web.service.server import Certificate, tls

Make = Callable[[Path], object]


def write(content: bytes, mode: int = 0o600) -> Make:
    def make(path: Path) -> None:
        path.touch(mode=mode)
        path.chmod(mode)
        path.write_bytes(content)

    return make


def make_huge(path: Path) -> None:
    write(b"")(path)
    os.truncate(path, 1 << 30)


NO_FILES: dict[str, tuple[Make, str]] = {
    "nothing": (lambda _: None, "there is no such file|No such file"),
    "a folder": (Path.mkdir, "it is a folder"),
    "a pipe": (lambda path: os.mkfifo(path, 0o600), "it is a pipe"),
    "/dev/zero": (lambda path: path.symlink_to("/dev/zero"), "it is a device"),
    "a link to itself": (lambda path: path.symlink_to(path), "symbolic links"),
}
WRONG: dict[str, tuple[Make, str]] = NO_FILES | {"a file of 1 GiB": (make_huge, "is larger than 1,024 KiB")}
NO_TOKENS: dict[str, tuple[Make, str]] = WRONG | {
    "an empty file": (write(b""), "there is no token"),
    "a line break alone": (write(b"\n"), "there is no token"),
    "a line break within": (write(b"abc\ndef\n"), "there is no token"),
    "a header more": (write(b"abc\r\nHost: x"), "there is no token"),
    "bytes that are no text": (write(b"\xff\xfe"), "there is no token"),
    "a file that others may read": (write(b"abc", 0o640), "others may read this token"),
}
NO_CERTIFICATES: dict[str, tuple[Make, str]] = WRONG | {
    "an empty file": (write(b""), "has no certificates"),
    "something else": (write(b"abc"), "has no certificates"),
    "half a certificate": (write((TLS / "ca.pem").read_bytes()[:300]), "has no certificates"),
    "bytes that are no text": (write(b"\xff\xfe"), "has no certificates"),
}

TOKENS: dict[str, Callable[[Path], object]] = {
    "of a remote bot": lambda file: peer_at("grpc://127.0.0.1:1", Credentials(None, file)),
    "of a seat": _token,
}
AUTHORITIES: dict[str, Callable[[Path], object]] = {
    "of a remote bot": lambda file: peer_at("grpcs://example.org:1", Credentials(file)),
    "of a league": lambda file: LeagueClient(address("https://example.org/leagues/a"), None, file),
}


@pytest.mark.parametrize("case", NO_TOKENS)
@pytest.mark.parametrize("reader", TOKENS)
def test_a_file_without_a_token_is_one_sentence_that_does_not_quote_it(tmp_path: Path, reader: str, case: str) -> None:
    make, sentence = NO_TOKENS[case]
    file = tmp_path / "token"
    make(file)
    if (reader, case) == ("of a seat", "nothing"):
        assert TOKENS[reader](file), "a seat makes its own"
        return
    with pytest.raises(UserError, match=sentence) as refused:
        TOKENS[reader](file)
    assert "\n" not in str(refused.value)
    assert "abc" not in str(refused.value)


@pytest.mark.parametrize("case", NO_CERTIFICATES)
@pytest.mark.parametrize("reader", AUTHORITIES)
def test_a_file_without_certificates_is_one_sentence(tmp_path: Path, reader: str, case: str) -> None:
    make, sentence = NO_CERTIFICATES[case]
    file = tmp_path / "ca.pem"
    make(file)
    with pytest.raises(UserError, match=sentence) as refused:
        AUTHORITIES[reader](file)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("case", NO_FILES)
@pytest.mark.parametrize("which", ["chain", "key"])
def test_a_certificate_or_key_of_a_service_that_is_no_file_is_one_sentence(
    tmp_path: Path, which: str, case: str
) -> None:
    make, sentence = NO_FILES[case]
    make(tmp_path / "x.pem")
    files = {"chain": TLS / "bot.pem", "key": TLS / "bot.key", which: tmp_path / "x.pem"}
    with pytest.raises(UserError, match=sentence) as refused:
        tls(Certificate(**files))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n", b" \n"])
def test_a_line_break_at_the_end_is_no_part_of_a_token(tmp_path: Path, end: bytes) -> None:
    write(b"abc+/=" + end)(tmp_path / "token")
    assert read_token(tmp_path / "token") == "abc+/="


def test_certificates_of_authorities_are_given_as_they_are(tmp_path: Path) -> None:
    content = (TLS / "ca.pem").read_bytes()
    write(content, 0o644)(tmp_path / "ca.pem")
    assert read_certificates(tmp_path / "ca.pem") == content


def test_a_client_trusts_the_authorities_of_its_file_alone() -> None:
    client = LeagueClient(address("https://example.org/leagues/a"), None, TLS / "ca.pem")
    assert client._context is not None
    assert len(client._context.get_ca_certs()) == 1
    assert client._context.verify_mode == ssl.CERT_REQUIRED
