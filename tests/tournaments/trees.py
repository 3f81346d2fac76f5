"""Trees of bots that are kept in stores, and read from them."""

from collections.abc import Mapping
from hashlib import sha256

from referee.core.tree_listing import File, Listing, Symlink
from tournaments.store import LONGEST, Store


def listing_of(files: Mapping[str, bytes]) -> Listing:
    return {
        **{name: File(sha256(content).hexdigest(), len(content), name == "run") for name, content in files.items()},
        "link": Symlink("src"),
    }


def chunks(content: bytes) -> list[bytes]:
    return [content[start : start + LONGEST] for start in range(0, len(content), LONGEST)]


def keep(store: Store, files: Mapping[str, bytes]) -> str:
    return store.trees.keep(listing_of(files), lambda name: chunks(files[name]), now_ms=7)


def read(store: Store, key: str) -> dict[str, bytes]:
    tree = store.trees.find(key)
    assert tree is not None
    return {name: b"".join(content) for name, _, content in store.trees.files(tree)}
