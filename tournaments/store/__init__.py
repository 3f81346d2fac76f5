"""Where results are kept. Nothing else knows SQL."""

from tournaments.store.accounts import NoSuchPerson, NoSuchSecret, People, StoredSecret, sha256_of
from tournaments.store.address import (
    WrongAddress,
    address_without_password,
    is_missing,
    lock_path,
    logs_folder,
    service_lock,
    store_file,
    trees_folder,
    whereabouts,
)
from tournaments.store.copying import copy_store
from tournaments.store.counts import SeatFault, StoreCounts
from tournaments.store.damaged_sqlite import DamagedStore, SavedTranscript
from tournaments.store.league_calendar import LeagueCalendar, LeagueMarks, Pause
from tournaments.store.match_search import HiddenResults, ListCursor, Matches, MatchResult, MatchSearch
from tournaments.store.prune_rows import PrunedRow
from tournaments.store.rows import FixtureRows, Row, transcript_of
from tournaments.store.scrimmages import Scrimmages
from tournaments.store.side_tables import TableCache
from tournaments.store.store import Store
from tournaments.store.store_errors import StoreAway, StoreError
from tournaments.store.submissions import Audited, LogPart, Overtaken, Submissions, TreeGone
from tournaments.store.transcript_packing import SAMPLES, Damaged
from tournaments.store.trees import LONGEST, StoredTree, Trees
