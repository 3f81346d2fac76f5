#!/usr/bin/env bash
# Pins and hashes every requirement anew. Needs pip-tools. Addresses of registries are left out on purpose.
set -euo pipefail
cd "$(dirname "$0")/.."
options=(--quiet --generate-hashes --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --allow-unsafe
         --strip-extras --no-header --resolver=backtracking)
pip-compile "${options[@]}" --output-file requirements/build.txt requirements/build.in
pip-compile "${options[@]}" --extra dev --output-file requirements/dev.txt pyproject.toml
# Of the extra no more than it adds; what dev.txt has too is of the version that dev.txt has.
python -c 'import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["project"]["optional-dependencies"]["postgresql"], sep="\n")' |
	pip-compile "${options[@]}" --constraint requirements/dev.txt --output-file requirements/postgresql.txt -
