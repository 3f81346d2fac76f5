"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.place import StoreError, lock_path
from tournaments.store.store import Store

__all__ = ["Store", "StoreError", "lock_path"]
