#!/bin/sh
# Every test of both faces, with one table at the end.
#   test.sh         pytest on the newest NumPy and the oldest, a clean pip install, testthat on the installed package,
#                   R CMD check
#   test.sh check   only R CMD build and R CMD check
set -u
cd "$(dirname "$0")/.."
. tools/common.sh
unset RETICULATE_PYTHON 2>/dev/null || true
results=
failed=no

stage() { # name, command...
  name=$1
  shift
  step "$name"
  begin=$(date +%s)
  if "$@"; then verdict=passed; else verdict=FAILED; failed=yes; fi
  results="$results$(printf '%-44s %s (%d s)' "$name" "$verdict" $(($(date +%s) - begin)))
"
}

run_pytest() {
  # BLAS threads of two workers would fight over two cores.
  OPENBLAS_NUM_THREADS=1 "$1/bin/python" -m pytest -q -n 2
}

clean_install() {
  rm -rf .venv/clean
  python=$(find_python) && "$python" -m venv .venv/clean &&
    .venv/clean/bin/python -m pip install --quiet --disable-pip-version-check . &&
    (cd / && "$OLDPWD/.venv/clean/bin/python" -c '
import importlib.metadata as metadata
import eagercore as tf
assert tf.matmul([[2.0]], [[2.0]]).numpy() == 4.0
names = {d.metadata["Name"].lower() for d in metadata.distributions()} - {"pip", "setuptools", "wheel"}
assert names == {"eagercore", "numpy"}, names
print("pip install . gives", sorted(names))')
}

build_tarball() {
  rm -rf check && mkdir -p check/library
  (cd check && R CMD build .. ) && R CMD INSTALL --library=check/library check/eagercore_*.tar.gz
}

run_testthat() {
  R_LIBS="$PWD/check/library" NOT_CRAN=true Rscript --vanilla -e '
    library(testthat)
    library(eagercore)
    stopifnot(startsWith(find.package("eagercore"), normalizePath("check/library")))
    test_dir("tests/testthat", package = "eagercore", load_package = "installed", reporter = "summary",
             stop_on_failure = TRUE, stop_on_warning = TRUE)'
}

# The tests ran just now on this very tarball, and the vignettes were built into it: the check does neither again. It
# is told of no repository, so that it asks none.
run_check() {
  echo 'options(repos = character())' > check/Rprofile
  (cd check && R_PROFILE_USER="$PWD/Rprofile" _R_CHECK_FORCE_SUGGESTS_=false \
    R CMD check --no-manual --no-tests --no-build-vignettes eagercore_*.tar.gz) || return 1
  log=check/eagercore.Rcheck/00check.log
  if grep -E '(WARNING|ERROR)$' "$log"; then
    return 1
  fi
  tail -n 3 "$log"
}

if [ "${1:-all}" = all ]; then
  stage "pytest on the newest NumPy" run_pytest .venv/numpy2
  stage "pytest on the oldest NumPy" run_pytest .venv/numpy1
  stage "pip install . in a clean environment" clean_install
fi
stage "R CMD build and install" build_tarball
if [ "${1:-all}" = all ]; then
  stage "testthat on the installed package" run_testthat
fi
stage "R CMD check on the tarball" run_check

step "Summary"
printf '%s' "$results"
if [ "$failed" = yes ]; then
  say "Some tests FAILED: their output is above."
  exit 1
fi
say "All tests passed."
