"""`referee serve`, with the submission worker of `quick_bench`."""

from referee.cli.main import main
from tests.tournaments.web.service import quick_bench
from tournaments.web.service import submission_worker

if __name__ == "__main__":
    quick_bench.be_quick()
    submission_worker.__name__ = quick_bench.__name__
    main()
