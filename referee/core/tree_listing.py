"""The content of a tree of files, as a value: by path, the content of each file and the target of each link.

A tree has no owners, no times, no empty folders, and of modes only whether a file may be executed.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import msgspec


class File(msgspec.Struct, frozen=True, tag="file"):
    """An ordinary file.

    Attributes:
        sha256: of its content, in hex.
        size: its length in bytes.
        executable: whether its owner may execute it.
    """

    sha256: str
    size: int
    executable: bool = False


class Symlink(msgspec.Struct, frozen=True, tag="link"):
    """A symbolic link; `target` is its text, even if nothing is there."""

    target: str


Listing: TypeAlias = Mapping[str, File | Symlink]
"""By path, with `/`, the files and links. Folders exist where something lies in them."""


class ListingLine(NamedTuple):
    """One file or link, as a digest lists it.

    Attributes:
        name: its path inside the tree.
        mode: `plain`, `executable`, or `link to ` and the target.
        content: the SHA-256, in hex. For a link that of the file it leads to, or empty if it leads to none.
    """

    name: str
    mode: str
    content: str


class LeadsOut(Exception):
    """A link leads out of its tree.

    Attributes:
        name: the path of the link.
        target: the text of the link.
    """

    def __init__(self, name: str, target: str) -> None:
        super().__init__(name, target)
        self.name = name
        self.target = target


def digest_of(lines: Iterable[ListingLine]) -> str:
    """SHA-256, in hex, over the lines of a tree, which must be sorted by name."""
    total = hashlib.sha256()
    for line in lines:
        total.update(("\0".join(line) + "\n").encode("utf-8", "surrogateescape"))
    return total.hexdigest()


def digest(listing: Listing) -> str:
    """The digest of `referee.files.bot_folder.digest` for the same files, without a disk.

    Raises:
        LeadsOut: a link leads out of the tree.
    """
    leads = destinations(listing)
    return digest_of(_line(name, listing, leads) for name in sorted(listing))


def size_of(listing: Listing) -> int:
    """The sizes of all files together, in bytes."""
    return sum(item.size for item in listing.values() if isinstance(item, File))


def destinations(listing: Listing) -> dict[str, str | None]:
    """By link, the path in the tree that it leads to, empty for the tree itself; None if it leads nowhere.

    Links are followed as Linux follows them, 40 at most.

    Raises:
        LeadsOut: a link leads out of the tree, or would if all folders on its way were there.
    """
    ways = _Ways(listing)
    return {name: ways.destination(name) for name, item in listing.items() if isinstance(item, Symlink)}


def _line(name: str, listing: Listing, leads: Mapping[str, str | None]) -> ListingLine:
    item = listing[name]
    if isinstance(item, File):
        return ListingLine(name, "executable" if item.executable else "plain", item.sha256)
    found = listing.get(leads[name] or "")
    content = found.sha256 if isinstance(found, File) else ""
    return ListingLine(name, f"link to {_shortest(item.target)}", content)


def _shortest(target: str) -> str:
    """The target of a link, without slashes and points that mean nothing."""
    return "/".join(word for word in target.split("/") if word not in {"", "."}) or "."


_MOST_FOLLOWED = 40
"""Links on one way, at most (path_resolution(7))."""


class _Way(NamedTuple):
    """Where a link leads: the words of the path, how many links are on the way, and whether anything is there."""

    words: tuple[str, ...]
    links: int
    there: bool


_NOWHERE = _Way((), 0, there=False)


class _Ways:
    """Where links lead. Each is followed once, whatever leads to it, so the time is that of reading all targets."""

    def __init__(self, listing: Listing) -> None:
        self._links = {name: item.target for name, item in listing.items() if isinstance(item, Symlink)}
        self._leaves = listing.keys()
        self._folders = _folders(listing)
        self._ways: dict[str, _Way] = {}

    def destination(self, link: str) -> str | None:
        waiting = {link: None}
        while waiting:
            # It resolves links on the way first. No recursion: a chain may have thousands of links.
            last = next(reversed(waiting))
            met = self._follow(last)
            if met is None:
                del waiting[last]
            elif met in waiting:
                self._ways[last] = _NOWHERE  # it goes round in circles
                del waiting[last]
            else:
                waiting[met] = None
        way = self._ways[link]
        return "/".join(way.words) if way.there else None

    def _follow(self, link: str) -> str | None:
        """Resolve a link; or give another link on its way, which must be resolved first."""
        target = self._links[link]
        if target.startswith("/"):
            raise LeadsOut(link, target)
        here, links, there = link.split("/")[:-1], 1, True
        for word in target.split("/"):
            there = there and "/".join(here) in self._folders
            if word == ".." and not here:
                raise LeadsOut(link, target)
            if word == "..":
                here.pop()
            elif word not in {"", "."}:
                here.append(word)
            met = "/".join(here)
            if met in self._links:
                way = self._ways.get(met)
                if way is None:
                    return met
                here, links, there = list(way.words), links + way.links, there and way.there
        end = "/".join(here)
        found = end in self._folders or end in self._leaves
        self._ways[link] = _Way(tuple(here), links, there and found and links <= _MOST_FOLLOWED)
        return None


def _folders(listing: Listing) -> set[str]:
    """All folders of a tree, the tree itself among them, which has no name."""
    found = {""}
    for name in listing:
        folder = name.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found
