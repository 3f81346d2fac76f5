"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.counting import Counting, Faulty
from tournaments.store.packing import SAMPLES, Damaged
from tournaments.store.place import StoreError, WrongAddress, lock_path, logs_folder, shown, store_file, whereabouts
from tournaments.store.pruning import Smaller
from tournaments.store.remains import Beside, LeagueRow, Piece, Remains
from tournaments.store.rows import Kept, Row, transcript_of
from tournaments.store.store import Store
from tournaments.store.tree_remains import TreeFound, TreeRemains
from tournaments.store.trees import LONGEST, StoredTree, Trees
from tournaments.store.wreck import Wreck

__all__ = [
    "LONGEST",
    "SAMPLES",
    "Beside",
    "Counting",
    "Damaged",
    "Faulty",
    "Kept",
    "LeagueRow",
    "Piece",
    "Remains",
    "Row",
    "Smaller",
    "Store",
    "StoreError",
    "StoredTree",
    "TreeFound",
    "TreeRemains",
    "Trees",
    "Wreck",
    "WrongAddress",
    "lock_path",
    "logs_folder",
    "shown",
    "store_file",
    "transcript_of",
    "whereabouts",
]
