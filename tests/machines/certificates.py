"""An authority for tests, and the certificate that all machines show."""

import subprocess
from pathlib import Path


def settings(folder: Path) -> dict[str, str]:
    """The settings of Dask, as variables, for a scheduler, nodes and a runner that trust each other."""
    folder.mkdir()
    _openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=authority",
             "-keyout", "ca.key", "-out", "ca.pem")  # fmt: skip
    _openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=machine",
             "-keyout", "machine.key", "-out", "machine.csr")  # fmt: skip
    _openssl(folder, "x509", "-req", "-in", "machine.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
             "-days", "1", "-out", "machine.pem")  # fmt: skip
    prefix = "DASK_DISTRIBUTED__COMM__TLS__"
    shown = {
        f"{prefix}{who}__{what}": str(folder / name)
        for who in ("SCHEDULER", "WORKER", "CLIENT")
        for what, name in (("CERT", "machine.pem"), ("KEY", "machine.key"))
    }
    return {**shown, f"{prefix}CA_FILE": str(folder / "ca.pem")}


def _openssl(folder: Path, *words: str) -> None:
    subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)
