"""Listings: trees as values. They say of a tree what the kernel and `bot_folder.digest` say of its folder."""

import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core.tree_listing import File, LeadsOut, Listing, Symlink, destinations, digest, size_of
from referee.files import bot_folder
from referee.files.bot_folder import resolved

EMPTY = File("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0)

NAMES = ("a", "b", "c/a", "c/b", "c/d/a")
WORDS = st.lists(st.sampled_from(["..", ".", "", "a", "b", "c", "d", "gone"]), min_size=1, max_size=6)
TARGETS = WORDS.map("/".join).filter(bool)
TREES = st.dictionaries(st.sampled_from(NAMES), st.one_of(st.just(None), TARGETS), min_size=1)


def listing_of(tree_of: dict[str, str | None]) -> Listing:
    return {name: EMPTY if target is None else Symlink(target) for name, target in tree_of.items()}


def made(listing: Listing, folder: Path) -> Path:
    for name, item in listing.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if isinstance(item, File):
            (folder / name).touch()
        else:
            (folder / name).symlink_to(item.target)
    return folder


@given(TREES)
def test_links_lead_where_the_kernel_says_or_are_refused(
    tree_of: dict[str, str | None],
) -> None:
    listing = listing_of(tree_of)
    with tempfile.TemporaryDirectory() as place:
        folder = made(listing, Path(place).resolve() / "in" / "the" / "bot")
        found = {name: resolved(folder / name) for name in listing if isinstance(listing[name], Symlink)}
        try:
            leads = destinations(listing)
        except LeadsOut:
            return
        assert leads == {
            name: None if path is None else path.relative_to(folder).as_posix().removeprefix(".")
            for name, path in found.items()
        }


@given(TREES)
def test_the_digest_is_that_of_the_folder(tree_of: dict[str, str | None]) -> None:
    listing = listing_of(tree_of)
    with tempfile.TemporaryDirectory() as place:
        folder = made(listing, Path(place) / "bot")
        try:
            found = digest(listing)
        except LeadsOut:
            return
        assert found == bot_folder.digest({name: folder / name for name in listing})


@pytest.mark.parametrize("target", ["/etc", "..", "c/../..", "c/up/../..", "gone/../..", "a/../../x", "c/up/.."])
def test_a_link_that_leads_out_is_named(target: str) -> None:
    listing: Listing = {"a": EMPTY, "c/up": Symlink(".."), "c/f": EMPTY, "l": Symlink(target)}
    with pytest.raises(LeadsOut) as out:
        destinations(listing)
    assert (out.value.name, out.value.target) == ("l", target)


def test_forty_links_on_the_way_are_followed_and_one_more_leads_nowhere(tmp_path: Path) -> None:
    listing: dict[str, File | Symlink] = {"0": EMPTY}
    listing |= {str(number): Symlink(str(number - 1)) for number in range(1, 42)}
    made(listing, tmp_path)
    assert (destinations(listing)["40"], destinations(listing)["41"]) == ("0", None)
    assert (tmp_path / "40").exists()
    assert not os.access(tmp_path / "41", os.F_OK)


def test_links_in_circles_lead_nowhere() -> None:
    assert destinations({"a": Symlink("b"), "b": Symlink("a"), "c": Symlink("c")}) == dict.fromkeys("abc")


def test_a_chain_of_many_links_takes_no_stack_and_little_time() -> None:
    chain = {f"{number:05}": Symlink(f"{number + 1:05}") for number in range(20_000)}
    assert destinations(chain) == dict.fromkeys(chain)


def test_the_size_is_that_of_the_files() -> None:
    assert size_of({"a": File("", 3), "b/c": File("", 4), "l": Symlink("a")}) == 7
