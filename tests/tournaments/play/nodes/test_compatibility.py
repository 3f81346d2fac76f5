"""Which nodes may play."""

import pytest
from msgspec.structs import replace

from tournaments.play.nodes.compatibility import Compatibility, about, refusal

OURS = Compatibility("1.0", "ab" * 32, "3.11.7", {"agonia": 3, "inside-job": 2}, 4, may_have_children=True)


def test_a_machine_plays_for_itself_and_for_one_with_other_cores() -> None:
    assert refusal(about(), about()) is None
    assert refusal(OURS, replace(OURS, cores=64)) is None


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        (
            replace(OURS, version="1.1", program="cd" * 32),
            "it has version 1.1 of this program, and the runner has 1.0; install the same",
        ),
        (replace(OURS, python="3.12.1"), "it has Python 3.12.1, and the runner has 3.11.7; install the same"),
        (
            replace(OURS, rules={"agonia": 2, "inside-job": 2}),
            (
                "it has version 2 of the rules of agonia,"
                " and the runner has version 3 of the rules; install the same games"
            ),
        ),
        (
            replace(OURS, rules={"agonia": 3}),
            "it has no rules of inside-job, and the runner has version 2 of the rules; install the same games",
        ),
        (
            replace(OURS, rules={**OURS.rules, "nim": 1}),
            "it has version 1 of the rules of nim, and the runner has no rules; install the same games",
        ),
        (
            replace(OURS, program="cd" * 32),
            "its program says that it is version 1.0, too, but its files differ; install the same",
        ),
        (
            replace(OURS, may_have_children=False),
            (
                "its process may start no others; start it with `referee machine`, or with `dask worker --no-nanny`,"
                " or set distributed.worker.daemon to false in the settings of Dask"
            ),
        ),
    ],
)
def test_a_node_that_is_different_is_refused_with_a_sentence(theirs: Compatibility, why: str) -> None:
    assert refusal(OURS, theirs) == why
