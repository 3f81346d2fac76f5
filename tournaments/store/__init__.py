"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.authors import Author, Authors, AuthorThere, NoSuchAuthor
from tournaments.store.counting import Counting, Faulty
from tournaments.store.packing import SAMPLES, Damaged
from tournaments.store.place import (
    StoreError,
    WrongAddress,
    is_missing,
    lock_path,
    logs_folder,
    shown,
    store_file,
    trees_folder,
    whereabouts,
)
from tournaments.store.pruning import Smaller
from tournaments.store.rows import Kept, Row, transcript_of
from tournaments.store.scrimmages import Scrimmages
from tournaments.store.searching import Matches, Place, Search
from tournaments.store.shelf import Shelf
from tournaments.store.store import Store
from tournaments.store.submissions import Audited, LogPart, Overtaken, Submissions, TreeGone
from tournaments.store.trees import LONGEST, StoredTree, Trees
from tournaments.store.wreck import Piece, Wreck

__all__ = [
    "LONGEST",
    "SAMPLES",
    "Audited",
    "Author",
    "AuthorThere",
    "Authors",
    "Counting",
    "Damaged",
    "Faulty",
    "Kept",
    "LogPart",
    "Matches",
    "NoSuchAuthor",
    "Overtaken",
    "Piece",
    "Place",
    "Row",
    "Scrimmages",
    "Search",
    "Shelf",
    "Smaller",
    "Store",
    "StoreError",
    "StoredTree",
    "Submissions",
    "TreeGone",
    "Trees",
    "Wreck",
    "WrongAddress",
    "is_missing",
    "lock_path",
    "logs_folder",
    "shown",
    "store_file",
    "transcript_of",
    "trees_folder",
    "whereabouts",
]
