#!/bin/sh
# All linters; each runs even when one before it has failed, so that one look shows everything.
set -u
cd "$(dirname "$0")/.."
. tools/common.sh
bin=.venv/numpy2/bin
failed=

lint() { # name, command...
  name=$1
  shift
  step "$name"
  "$@" || failed="$failed $name"
}

lint ruff "$bin/ruff" check python tests/python tools benchmarks
lint mypy "$bin/mypy"
lint import-linter env PYTHONPATH=python "$bin/lint-imports" --no-cache
lint lintr Rscript --vanilla tools/lint.R
lint man Rscript --vanilla tools/document.R --check

step "Lint"
if [ -n "$failed" ]; then
  say "FAILED:$failed"
  exit 1
fi
say "All clean: ruff, mypy, import-linter, lintr, man pages."
