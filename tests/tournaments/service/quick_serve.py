"""`referee serve`, with the workbench of `quick_bench`."""

from referee.cli.main import main
from tests.tournaments.service import quick_bench
from tournaments.service import workbench

if __name__ == "__main__":
    quick_bench.be_quick()
    workbench.__name__ = quick_bench.__name__
    main()
