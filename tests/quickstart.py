"""The league that the documents tell of: ten deals of our quickstart, played and exported to the folder `exported`."""

from pathlib import Path

from tests.cli.command import referee

ROOT = Path(__file__).parents[1]


def export_quickstart(folder: Path) -> Path:
    """Play and export it in `folder`, which is returned."""
    text = (ROOT / "tournaments" / "leagues" / "quickstart.toml").read_text(encoding="utf-8")
    file = folder / "quickstart.toml"
    file.write_text(text.replace("deals = 500", "deals = 10").replace("../..", str(ROOT)), encoding="utf-8")
    store = f"sqlite:///{folder / 'quickstart.sqlite'}"
    assert referee("league", "run", file, "--workers", "1", "--store", store).code == 0
    assert referee("league", "export", file, folder / "exported", "--store", store).code == 0
    return folder
