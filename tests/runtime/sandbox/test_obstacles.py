"""What prevents a box is named together with what removes it, and so is what no known fact explains."""

import re

import msgspec
import pytest

from referee.runtime.sandbox.obstacles import (
    MachineFacts,
    explained,
    explained_of_a_fence,
    foreseen,
    foreseen_of_a_fence,
    weaknesses,
)

GOOD = MachineFacts(is_root=False, kernel=(6, 1), bwrap="/usr/bin/bwrap", bwrap_version=(0, 8, 0))
WORDS = "bwrap: setting up uid map: Permission denied"


def but(**changes: object) -> MachineFacts:
    return msgspec.structs.replace(GOOD, **changes)


def test_on_a_good_machine_nothing_is_foreseen() -> None:
    for machine in (GOOD, but(is_root=True), but(bwrap_version=(1, 0)), but(bwrap_version=())):
        assert foreseen(machine) is None
        assert foreseen_of_a_fence(machine) is None


@pytest.mark.parametrize(
    ("machine", "what", "remedy"),
    [
        (but(has_proc=False), "there is no /proc", "mount -t proc proc /proc"),
        (but(kernel=(5, 2)), "Linux 5.2 is too old; a box needs 5.3 or newer", "newer system"),
        (but(lists_children=False), "does not list the children", "CONFIG_PROC_CHILDREN"),
        (but(missing=("bwrap",)), "bwrap is not installed", "apt install bubblewrap"),
        (but(missing=("setpriv",)), "setpriv is not installed", "apt install util-linux"),
        (but(missing=("prlimit",)), "prlimit is not installed", "apt install util-linux"),
        (but(bwrap_version=(0, 4, 1)), "bwrap 0.4.1 is too old; a box needs 0.8 or newer", "newer release"),
        (but(bwrap_version=(0, 7)), "bwrap 0.7 is too old", "newer release"),
    ],
)
def test_what_can_be_seen_without_trying_is_named_with_its_remedy(
    machine: MachineFacts, what: str, remedy: str
) -> None:
    found = foreseen(machine)
    assert found is not None
    assert what in found.what
    assert remedy in found.remedy


@pytest.mark.parametrize(
    ("machine", "what", "remedy"),
    [
        (but(user_namespaces=0), "user.max_user_namespaces = 0", "sysctl -w user.max_user_namespaces="),
        (
            but(forbids_users=True),
            "kernel.unprivileged_userns_clone = 0",
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        (but(apparmor_restricts=True), "apparmor_restrict_unprivileged_userns = 1", "/etc/apparmor.d/bwrap"),
        (but(is_contained=True), "container", "--security-opt seccomp=unconfined"),
        (but(is_filtered=True), "container", "--cap-add SYS_ADMIN --cap-add NET_ADMIN"),
        (GOOD, WORDS, "bwrap --unshare-all"),
    ],
)
def test_why_a_trial_failed_is_named_with_its_remedy(machine: MachineFacts, what: str, remedy: str) -> None:
    found = explained(machine, WORDS)
    assert what in found.what
    assert remedy in found.remedy


def test_what_is_said_is_shown_where_it_is_not_certain_that_the_obstacle_explains_it() -> None:
    assert WORDS in explained(but(is_contained=True), WORDS).what


def test_root_needs_no_namespaces_of_users() -> None:
    root = but(is_root=True, user_namespaces=0, forbids_users=True, apparmor_restricts=True)
    assert explained(root, WORDS) == explained(but(is_root=True), WORDS)


def test_the_profile_of_apparmor_is_for_the_bwrap_that_is_installed_and_whole() -> None:
    remedy = explained(but(apparmor_restricts=True, bwrap="/opt/bin/bwrap"), WORDS).remedy
    profile = re.search(r"profile bwrap (\S+) flags=\(unconfined\) \{\n(.*?)\}\n", remedy, re.DOTALL)
    assert profile is not None
    assert profile[1] == "/opt/bin/bwrap"
    assert profile[2].strip() == "userns,"


def test_a_fence_needs_neither_bwrap_nor_namespaces() -> None:
    machine = but(missing=("bwrap", "prlimit"), lists_children=False, user_namespaces=0, kernel=(5, 13))
    assert foreseen(machine) is not None
    assert foreseen_of_a_fence(machine) is None


@pytest.mark.parametrize(
    ("machine", "what"),
    [
        (but(kernel=(5, 12)), "Landlock needs 5.13 or newer"),
        (but(has_proc=False), "there is no /proc"),
        (but(is_root=True, missing=("setpriv",)), "setpriv is not installed"),
    ],
)
def test_what_prevents_a_fence_is_foreseen(machine: MachineFacts, what: str) -> None:
    found = foreseen_of_a_fence(machine)
    assert found is not None
    assert what in found.what


def test_why_a_fence_failed_is_named_with_its_remedy() -> None:
    assert "lsm=landlock" in explained_of_a_fence("this kernel has no Landlock").remedy
    found = explained_of_a_fence("setpriv: apply capabilities: Operation not permitted")
    assert "what only root can read" in found.what
    assert "as an ordinary user" in found.remedy


def test_only_old_kernels_count_the_processes_of_a_user_towards_a_bot_s_limit() -> None:
    assert len(weaknesses(but(kernel=(5, 13)))) == 1
    assert weaknesses(but(kernel=(5, 14))) == weaknesses(but(kernel=(5, 13), is_root=True)) == []


@pytest.mark.parametrize("machine", [but(apparmor_restricts=True), but(is_contained=True)])
def test_lines_to_copy_are_indented_and_fit_a_page(machine: MachineFacts) -> None:
    to_copy = [line for line in explained(machine, WORDS).remedy.splitlines() if line.startswith("    ")]
    assert to_copy
    assert [line for line in to_copy if len(line) > 84] == []
