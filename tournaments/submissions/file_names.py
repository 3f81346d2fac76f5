"""The paths that a submitted bot may have. Each means the same to every system, and no two mean the same. Pure."""

import unicodedata
from collections.abc import Callable
from typing import Final, Literal

from referee.core.bot_limits import FolderLimits
from referee.core.tree_listing import LeadsOut, Listing, destinations
from tournaments.league.submissions import device_in

LONGEST_WORD = 255
"""Bytes of the name of a file or folder, the limit of most file systems."""

LONGEST_PATH = 1024
"""Bytes of a path, and of a link's target. Linux allows four times as many, and the path gets a prefix."""

_EXCERPT = 80
"""Characters of a name in a sentence."""


class UnfitFile(Exception):
    """Something in a bot's folder, or in an archive, cannot be submitted; the text is a sentence."""


def shortened(text: str) -> str:
    """A name that a stranger gave, short enough for a sentence."""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


class TreeNames:
    """The paths of one tree, added one after the other. Each is checked against the limits and all earlier paths."""

    def __init__(self, limits: FolderLimits) -> None:
        self._limits = limits
        self._kinds: dict[str, Literal["folder", "file"]] = {}
        self._meant: dict[str, str] = {}  # the paths, by the name that some system could see in each

    def take_folder(self, path: str) -> None:
        """Add a folder and its parents. The folder may already be there.

        Raises:
            UnfitFile:the path is not allowed.
        """
        if self._kinds.get(path) == "folder":
            return
        _check_length(path)
        words = path.split("/")
        if len(words) > self._limits.depth:
            raise UnfitFile(
                f"{shortened(path)}: is more than {self._limits.depth} folders deep; no bot's folder may be"
            )
        for number, word in enumerate(words, start=1):
            folder = "/".join(words[:number])
            if self._kinds.get(folder) != "folder":
                self._take(folder, word, "folder")

    def take_file(self, path: str) -> None:
        """Add a file or a link, and its parent folders.

        Raises:
            UnfitFile:the path is not allowed, or is there already.
        """
        _check_length(path)
        outer, inside, word = path.rpartition("/")
        if inside:
            self.take_folder(outer)
        self._take(path, word, "file")

    def _take(self, path: str, word: str, kind: Literal["folder", "file"]) -> None:
        _check_word(path, word)
        before = self._kinds.setdefault(path, kind)
        if before != kind:
            raise UnfitFile(f"{shortened(path)}: is there as a file and as a folder")
        meant = path.removesuffix(word) + _meant(word)
        other = self._meant.get(meant)
        if other == path:
            raise UnfitFile(f"{shortened(path)}: is there twice")
        if other is not None:
            raise UnfitFile(
                f"{shortened(path)}: some systems take this name and {shortened(other)} for one; rename one of them"
            )
        self._meant[meant] = path
        if len(self._meant) > self._limits.files:
            raise UnfitFile(
                f"has more than {self._limits.files:,} files, folders and links; no submitted bot may have more"
            )


def check_links_stay_inside(listing: Listing) -> None:
    """Check that no link leads out of its tree.

    Raises:
        UnfitFile:one does.
    """
    try:
        destinations(listing)
    except LeadsOut as link:
        raise UnfitFile(
            f"{shortened(link.name)}: this link leads out of the bot's folder, to {shortened(link.target)};"
            " put a copy of what is there into the folder"
        ) from link


def _meant(word: str) -> str:
    """A word that is the same for all names that some system does not distinguish.

    Some ignore case, or the way in which a letter with an accent is composed. Windows drops dots and spaces at
    the end.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).casefold()).rstrip(". ")
    return device_in(folded) or folded


def _check_length(path: str) -> None:
    if path.startswith("/"):
        raise UnfitFile(f"{shortened(path)}: is an absolute path; all paths start in the bot's folder")
    if len(_bytes(path)) > LONGEST_PATH:
        raise UnfitFile(f"{shortened(path)}: its path is longer than {LONGEST_PATH:,} bytes")


def _check_word(path: str, word: str) -> None:
    for is_wrong, sentence in _WRONG:
        if is_wrong(word):
            raise UnfitFile(f"{shortened(path) or 'a file without a name'}: {sentence}")


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogateescape")  # Python represents bytes that are not UTF-8 as surrogates


_WRONG: Final[tuple[tuple[Callable[[str], bool], str], ...]] = (
    (lambda word: not word, "has an empty name in its path"),
    (lambda word: word in {".", ".."}, "has . or .. in its path"),
    (lambda word: not word.strip(". "), "has a name in its path that consists of dots and spaces"),
    (lambda word: _bytes(word).decode(errors="replace") != word, "its name is not UTF-8"),
    (lambda word: not word.isprintable(), "has a character in its name that cannot be printed"),
    (lambda word: "\\" in word, "has a backslash in its name, which some systems take for a slash"),
    (lambda word: len(_bytes(word)) > LONGEST_WORD, f"has a name of more than {LONGEST_WORD} bytes in its path"),
)
"""The faults that the name of a file or folder can have, each with its message."""
