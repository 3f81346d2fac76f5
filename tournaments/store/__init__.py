"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.counting import Counting, Faulty
from tournaments.store.packing import SAMPLES
from tournaments.store.place import StoreError, WrongAddress, lock_path, logs_folder, shown, store_file, whereabouts
from tournaments.store.pruning import Smaller
from tournaments.store.remains import Beside, LeagueRow, Piece, Remains
from tournaments.store.rows import Kept, Row, transcript_of
from tournaments.store.store import Store
from tournaments.store.wreck import Wreck

__all__ = [
    "SAMPLES",
    "Beside",
    "Counting",
    "Faulty",
    "Kept",
    "LeagueRow",
    "Piece",
    "Remains",
    "Row",
    "Smaller",
    "Store",
    "StoreError",
    "Wreck",
    "WrongAddress",
    "lock_path",
    "logs_folder",
    "shown",
    "store_file",
    "transcript_of",
    "whereabouts",
]
