"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.address import (
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
from tournaments.store.authors import Author, Authors, AuthorThere, NoSuchAuthor
from tournaments.store.counts import Counting, Faulty
from tournaments.store.damaged_sqlite import Piece, Wreck
from tournaments.store.match_search import Matches, Place, Search
from tournaments.store.prune_rows import Smaller
from tournaments.store.rows import Kept, Row, transcript_of
from tournaments.store.scrimmages import Scrimmages
from tournaments.store.store import Store
from tournaments.store.submissions import Audited, LogPart, Overtaken, Submissions, TreeGone
from tournaments.store.table_cache import Shelf
from tournaments.store.transcript_packing import SAMPLES, Damaged
from tournaments.store.trees import LONGEST, StoredTree, Trees

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
