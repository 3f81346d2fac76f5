"""What of `/etc` a box shows: what languages need, and nothing that people keep keys or passwords in."""

from pathlib import Path

import pytest

from referee.runtime.sandbox import readable_paths

SHOWN = ("R/Renviron", "alternatives/java", "mono/config", "mono/4.5/machine.config", "php/8.2/cli/php.ini", "sbclrc")
SECRET = (
    *("shadow", "gshadow", "passwd", "machine-id", "resolv.conf", "hostname", "environment", "ssl/private/key.pem"),
    *("ssh/ssh_host_rsa_key", "mono/certstore/key", "php/8.2/apache2/php.ini", "npmrc", "pip.conf", "gitconfig"),
)


def test_the_settings_of_languages_are_shown_and_no_secret_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readable_paths, "_ETC", tmp_path)
    for name in (*SHOWN, *SECRET):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "fpc-3.2.2.cfg").symlink_to("away")  # the package was removed
    shown = readable_paths.settings()
    assert all(any((tmp_path / name).is_relative_to(place) for place in shown) for name in SHOWN)
    assert not any((tmp_path / name).is_relative_to(place) for name in SECRET for place in shown)
    assert all(place.exists() for place in shown)
