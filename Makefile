# The front door. `make help` lists what it can do.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
UV := $(shell command -v uv)
BIN := .venv/bin
PROTOS := $(wildcard proto/referee_bot/v1/*.proto)
GENERATED := sample_bots/python/library/referee_bot/v1/__init__.py
MCP := build/mcp/.venv
PEERS := build/peers/.venv
LEAGUE := tournaments/leagues/quickstart.toml

PROVE_S ?= 7200

SUITES := ci-bare ci-busy ci-deploy ci-languages ci-leagues ci-leaks ci-machines ci-mcp ci-nights ci-peers ci-postgresql ci-rogues ci-semester ci-slow ci-soak ci-submissions ci-web ci-wheel

.PHONY: help setup league test check proved prove picture site format bench golden golden-tell publish-protos requirements clean $(SUITES) $(SUITES:%=announce-%)

help: ## say what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

setup: .venv/installed $(GENERATED) ## prepare .venv, after which .venv/bin/referee works

league: setup ## play the quickstart league and print its standings
	$(BIN)/referee league run $(LEAGUE)
	$(BIN)/referee league standings $(LEAGUE)

# More workers than cores: some tests wait for bots that keep them waiting. Without cached bytecode, each of these
# processes and each process of a test would compile everything anew. The log stays in build/suites. TESTS are more
# arguments of pytest.
test: export PYTHONDONTWRITEBYTECODE =
test: setup ## run the test suite
	$(BIN)/python -m tests.run_log build/suites/test.log $(BIN)/pytest -n 3 --dist worksteal $(TESTS)

check: setup ## lint, types, import contracts, names and words (tests.lints), protos
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@for bot in $(dir $(wildcard sample_bots/python/*/player.py)); do \
		echo "mypy $$bot"; MYPYPATH=sample_bots/python/library $(BIN)/mypy --strict --no-explicit-package-bases $$bot || exit 1; \
	done
	MYPYPATH=sample_bots/python/library:sample_bots/python/network:sample_bots/python/solver $(BIN)/mypy --strict --no-explicit-package-bases sample_bots/python/*.py
	$(BIN)/lint-imports
	$(BIN)/python -m tests.lints
	$(BIN)/buf lint proto
	$(BIN)/buf breaking proto --against proto/published.binpb

format: setup ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The peers from the package index get an environment of their own at the first time. What is missing is said in its row.
# Commands are measured as they are for users, with cached bytecode.
bench: export PYTHONDONTWRITEBYTECODE =
bench: setup ## measure against floors and peers, print the table, write benchmarks/results.json
	$(BIN)/python -m benchmarks

proved: setup ## say which long suites passed on the files of now, and which files made the others stale
	@$(BIN)/python -m tests.proved

prove: setup ## run the stale long suites, the shortest first, for at most PROVE_S seconds, and record what passed
	@$(BIN)/python -m tests.proved $(PROVE_S)

# Each long suite says first what it will do (tests/suites.py), and its name to pytest, which says at the end what was covered.
$(SUITES): export REFEREE_TEST_SUITE = $@

# Their bots and leagues are processes, which would compile everything anew, too.
$(SUITES): export PYTHONDONTWRITEBYTECODE =

$(SUITES:%=announce-%): announce-%:
	@$(PYTHON) -m tests.suites $*

# Tries what is committed, in clones. It installs nothing and prepares no .venv here.
ci-bare: announce-ci-bare ## hide all that is not needed, and run make league and make test, as root and as another at once
	$(PYTHON) -m tests.bare_machine

# The tests come one after the other, since each needs the machine for itself. The counts are printed at the end.
ci-busy: announce-ci-busy setup ## install bubblewrap, make the machine busy, and see that no bot pays for it or gains by it
	-tests/install.py tests/rogues/toolchains.toml
	$(BIN)/pytest tests/busy -m busy

# The image is built in folders, and its packages are fetched, so this needs root and the package index.
ci-deploy: announce-ci-deploy setup ## install PostgreSQL, Caddy and what reads docs/deploy, start what it describes, and kill it
	-tests/install.py tests/deploy/toolchains.toml
	$(PIP) --require-hashes -r requirements/postgresql.txt
	$(BIN)/pytest tests/deploy -m deploy -n 2 --dist worksteal

ci-slow: announce-ci-slow setup ## run the tests that take seconds and rarely break, which make test leaves out
	$(BIN)/pytest -n 4 --dist worksteal -m "slow and not postgresql"

# The small disk that runs full needs root. All comes in one call: while a disturbed league waits, other tests work.
ci-soak: announce-ci-soak setup ## disturb a league of every kind in every way, kill runners, damage a hundred stores, read hostile stores and files, try many examples
	REFEREE_TEST_KILLS=30 REFEREE_TEST_WRECKS=25 $(BIN)/pytest -n 4 --dist worksteal -m "not peers and not postgresql and not deploy" \
		-k "soak or hypothesis or killed_at or test_salvage or test_no_hostile" --hypothesis-profile=thorough --timeout 1800

ci-nights: announce-ci-nights setup ## play 4,000 leagues in virtual time while everything fails, from the seed REFEREE_NIGHTS_FROM on
	$(BIN)/python -m tests.nights

ci-submissions: announce-ci-submissions setup ## install bubblewrap and toolchains, submit real bots, kill submissions at every point, and play leagues of a store
	-tests/install.py tests/rogues/toolchains.toml
	-tests/install.py tests/languages/toolchains.toml
	$(BIN)/pytest -n 4 --dist worksteal -m submissions tests/tournaments

# Of the longest leagues the first twentieth; with REFEREE_TEST_LEAGUES=all the whole.
ci-leagues: announce-ci-leagues setup ## play the leagues that come with the project, compare their digests, and train the bots that learn again
	$(BIN)/pytest -n 2 --dist worksteal tests/tournaments/test_our_leagues.py tests/sample_bots/test_network.py tests/sample_bots/test_sampler.py tests/sample_bots/test_solver.py -m leagues

# What cannot be installed is named, and named again by the tests that it makes impossible.
ci-languages: announce-ci-languages setup ## install bubblewrap and the toolchains of all languages, and let a bot of each play
	-tests/install.py tests/rogues/toolchains.toml
	-tests/install.py tests/languages/toolchains.toml
	-tests/install.py tests/languages/line_toolchains.toml
	$(BIN)/pytest tests/languages -m languages -n 4 --dist worksteal

# Networks and their cables are made, so this needs root. What needs no network comes first, as it would disturb the leagues.
ci-machines: announce-ci-machines setup ## play leagues on machines in networks of their own, and kill, freeze and cut them off
	-tests/install.py tests/machines/toolchains.toml
	$(PIP) --require-hashes -r requirements/machines.txt -r requirements/postgresql.txt -r requirements/deploy.txt
	$(BIN)/pytest tests/machines/test_node.py tests/machines/test_deploy.py -m machines -n 2 --dist worksteal
	$(BIN)/pytest tests/machines/test_leagues.py tests/machines/test_trust.py tests/machines/test_disturbed.py tests/machines/test_seats.py tests/machines/test_comparisons.py -m machines -v --capture=no

# What is installed here is installed nowhere else: the environment of the other tests must do without it.
ci-peers: announce-ci-peers setup $(PEERS)/installed ## run the suites of PettingZoo, Gymnasium and OpenSpiel on our games, load exports to Parquet, and look at many decisions
	$(PEERS)/bin/python -m pytest -n 4 --dist worksteal -m "peers or not slow" tests/peers tests/api tests/test_python_doc.py

ci-mcp: announce-ci-mcp setup $(MCP)/installed ## let an agent play whole leagues over MCP
	$(MCP)/bin/python -m pytest tests/mcp -m mcp

ci-postgresql: announce-ci-postgresql setup ## install PostgreSQL and its driver and keep leagues in it
	-tests/install.py tests/postgresql/toolchains.toml
	$(PIP) --require-hashes -r requirements/postgresql.txt
	$(BIN)/pytest -n 2 --dist worksteal -m postgresql
	REFEREE_BESIDE_S=60 $(BIN)/pytest -n 2 -m "" tests/tournaments/store/test_readers_and_writers.py

# The counts are printed at the end.
ci-leaks: announce-ci-leaks setup ## compare many matches of every game in two worlds, and play tiny games completely
	$(BIN)/pytest tests/leaks tests/drawing tests/tournaments/web/visitors -m leaks -n 2 --dist worksteal

# Root is told what it may do that others may not, and the other way round. So root runs the boxed part once more as nobody.
ci-rogues: announce-ci-rogues setup ## install bubblewrap and let every rogue bot loose, as this user and, if that is root, as another
	-tests/install.py tests/rogues/toolchains.toml
	$(BIN)/pytest -n 4 --dist worksteal -m "" tests/rogues
	$(BIN)/python -m tests.rogues.as_a_user -n 4 --dist worksteal -m "" tests/rogues/test_rogues.py tests/rogues/test_builds.py tests/rogues/test_kills.py tests/runtime/test_line_bots.py -k "(in_the_box or behind_landlock or test_line_bots) and not wire"

ci-semester: announce-ci-semester setup ## install PostgreSQL and its driver, and let a class of a hundred join a course and use its rights
	-tests/install.py tests/postgresql/toolchains.toml
	$(PIP) --require-hashes -r requirements/postgresql.txt
	$(BIN)/pytest tests/semester -m semester -n 2 --dist worksteal

# The browser's driver is no requirement of anything else, so it is installed here. axe-core comes when the tests ask for it.
ci-web: announce-ci-web setup ## install bubblewrap, Chromium and its driver, and look at all pages in it
	-tests/install.py tests/rogues/toolchains.toml
	-tests/install.py tests/web/toolchains.toml
	$(PIP) --require-hashes -r requirements/web.txt
	$(BIN)/pytest tests/web -m web -n 4 --dist worksteal

ci-wheel: announce-ci-wheel setup ## build wheel and sdist of a clean clone and use them in an empty folder
	$(BIN)/pytest tests/wheel -m wheel -v --capture=no

# Played in a folder of its own, a few deals of each.
site: setup ## play a few deals of the leagues that come with the project, and write their pages to build/site
	$(BIN)/python -m tests.demonstration build/site

picture: setup ## play the quickstart league and draw its standings anew, and the pictures of the games
	$(BIN)/python -m tests.standings_picture docs/standings.svg
	$(BIN)/python -m tests.replay_pictures docs/images

golden: setup ## write the golden playthroughs and the digests of sent bytes anew; read the diff before you commit it
	$(BIN)/pytest tests/golden tests/wire/test_sent_bytes.py --update-golden -q

golden-tell: setup ## tell one in full: PLAY=agonia/main-5/entrance; with SINCE=HEAD only what reads otherwise than there
	@$(BIN)/python -m tests.golden.tell $(PLAY) $(if $(SINCE),--since $(SINCE))

publish-protos: setup ## hold later changes of the protos to what they are now; breaks nothing that was published
	$(BIN)/buf breaking proto --against proto/published.binpb
	$(BIN)/buf build proto --exclude-source-info --output proto/published.binpb

requirements: setup ## pin and hash every requirement anew
	PATH="$(BIN):$$PATH" requirements/compile.sh

clean: ## remove everything that make made
	rm -rf .venv $(dir $(GENERATED)) benchmarks/peers/.venv $(MCP) $(PEERS)

ifdef UV
VENV = $(UV) venv --quiet --clear --python $(PYTHON) .venv
PIP = $(UV) pip install --quiet --python $(BIN)/python
else
VENV = $(PYTHON) -m venv --clear .venv
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif

# trueskill comes as source, so what builds it must be there first; no build may fetch anything by itself.
.venv/installed: pyproject.toml requirements/build.txt requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; $(PYTHON) is older. Try: make PYTHON=/path/to/python3.11"; exit 1; }
	$(VENV)
	$(PIP) --require-hashes -r requirements/build.txt
	$(PIP) --require-hashes --no-build-isolation -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

# Environments of their own, for suites that need what the other tests must do without.
$(MCP)/installed: requirements/dev.txt requirements/mcp.txt
$(PEERS)/installed: requirements/dev.txt requirements/pettingzoo.txt requirements/openspiel.txt requirements/parquet.txt
$(MCP)/installed $(PEERS)/installed: | .venv/installed
	$(PYTHON) -m venv --clear $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/build.txt
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-build-isolation $(^:%=-r %)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

# The same code that generates for a wheel. The editable install has run it, so here it runs when a proto has changed.
$(GENERATED): hatch_build.py $(PROTOS) | .venv/installed
	$(BIN)/python hatch_build.py
