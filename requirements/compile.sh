#!/usr/bin/env bash
# Pins and hashes every requirement anew. Needs pip-tools. Addresses of registries are left out on purpose.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(--quiet --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe
         --strip-extras --no-header --resolver=backtracking)
named() { # what pyproject.toml lists under these keys
	python -c 'import functools, sys, tomllib
with open("pyproject.toml", "rb") as file:
    print(*functools.reduce(dict.__getitem__, sys.argv[1:], tomllib.load(file)), sep="\n")' "$@"
}
pip-compile "${options[@]}" --extra dev --extra metrics --extra service --extra site --output-file requirements/dev.txt pyproject.toml
# What dev.txt has too is of the version that dev.txt has. Of the extra no more than it adds.
options+=(--constraint requirements/dev.txt)
pip-compile "${options[@]}" --output-file requirements/runtime.txt pyproject.toml
named build-system requires | pip-compile "${options[@]}" --output-file requirements/build.txt requirements/build.in -
for extra in machines mcp metrics openspiel pettingzoo postgresql service site; do
	named project optional-dependencies "$extra" | pip-compile "${options[@]}" --output-file "requirements/$extra.txt" -
done
pip-compile "${options[@]}" --output-file requirements/peers.txt requirements/peers.in
pip-compile "${options[@]}" --output-file requirements/parquet.txt requirements/parquet.in
pip-compile "${options[@]}" --output-file requirements/web.txt requirements/web.in
pip-compile "${options[@]}" --constraint requirements/machines.txt --output-file requirements/deploy.txt requirements/deploy.in
