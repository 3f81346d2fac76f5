"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.counting import Counting
from tournaments.store.place import StoreError, WrongAddress, lock_path, shown, store_file, whereabouts
from tournaments.store.pruning import Smaller
from tournaments.store.rows import Kept, Row
from tournaments.store.store import Store

__all__ = [
    "Counting",
    "Kept",
    "Row",
    "Smaller",
    "Store",
    "StoreError",
    "WrongAddress",
    "lock_path",
    "shown",
    "store_file",
    "whereabouts",
]
