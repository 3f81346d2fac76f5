"""A PostgreSQL server for tests: in a temporary folder, on a free port, and removed when the tests are over."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count
from pathlib import Path

import sqlalchemy as sql
from sqlalchemy.exc import OperationalError

USER = "referee"
PASSWORD = "a-secret-of-the-tests"  # noqa: S105 - it opens nothing but what the tests make

# It sorts by the rules of a language, as real servers do. The store must not depend on the order.
_INITDB = ("--encoding=UTF8", "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US", "--no-sync")


class Cluster:
    """A server that runs until `close`. Every database that it makes is new."""

    def __init__(self) -> None:
        self._numbers = count()
        self._folder = Path(tempfile.mkdtemp(prefix="rt-pg-"))
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (self._folder, secret):
                shutil.chown(path, "nobody", "nogroup")
        made = self._as_nobody(
            "initdb", "-D", self._data, "-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}", *_INITDB
        )
        assert made.wait() == 0, self._log.read_text()
        self._port = _free_port()  # as late as may be: other workers look for a free port, too
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        address = ("-c", "listen_addresses=127.0.0.1", "-p", str(self._port), "-k", self._folder)
        self._server = self._as_nobody("postgres", "-D", self._data, "-F", *address)
        engine = sql.create_engine(self.url("postgres"))
        while True:
            assert self._server.poll() is None, self._log.read_text()
            try:
                engine.connect().close()
            except OperationalError:
                time.sleep(0.02)
            else:
                return engine.dispose()

    def stop(self) -> None:
        """Stop the server. This cuts all connections."""
        self._server.send_signal(signal.SIGINT)
        self._server.wait()

    def crash(self) -> None:
        """End the server as a crash does: nothing is brought to an end."""
        self._server.send_signal(signal.SIGQUIT)
        self._server.wait()

    def close(self) -> None:
        """Stop the server and remove everything that it made."""
        self.stop()
        shutil.rmtree(self._folder)

    def url(self, database: str, password: str = PASSWORD) -> str:
        """The address of a database."""
        return f"postgresql+psycopg://{USER}:{password}@127.0.0.1:{self._port}/{database}"

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"league_{next(self._numbers)}"
        self.ask("postgres", f"CREATE DATABASE {name}")
        return self.url(name)

    def new_database_by_socket(self) -> str:
        """The same, called through a file: so it is reached from any network of this machine."""
        database = sql.make_url(self.new_database()).database
        return f"postgresql+psycopg://{USER}:{PASSWORD}@/{database}?host={self._folder}&port={self._port}"

    def ask(self, database: str, statement: str) -> list[tuple[object, ...]]:
        """Run a statement as another user of the server would."""
        engine = sql.create_engine(self.url(database), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            result = connection.execute(sql.text(statement))
            rows = [tuple(row) for row in result] if result.returns_rows else []
        engine.dispose()
        return rows

    def _as_nobody(self, program: str, *arguments: str | Path) -> "subprocess.Popen[bytes]":
        """Start one of PostgreSQL's programs, which root may not run. It ends when the process of the tests ends."""
        other = ("--reuid=nobody", "--regid=nogroup", "--clear-groups") if os.geteuid() == 0 else ()
        with self._log.open("ab") as log:
            return subprocess.Popen(
                ["setpriv", "--pdeathsig=INT", *other, _path(program), *arguments],
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )


def _path(program: str) -> Path:
    """The path of a program. Debian does not put the programs of the server on PATH."""
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
    found = debian[-1] if debian else shutil.which(program)
    assert found, f"PostgreSQL's {program} was not found; make ci-postgresql installs it on Debian"
    return Path(found)


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
