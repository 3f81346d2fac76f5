from pathlib import Path

from benchmarks import scale


def test_every_step_can_be_done_with_the_matches_that_the_first_one_stores(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'build_worker.sqlite'}"
    for step in scale.STEPS.values():
        step(url, 40)
