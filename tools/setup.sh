#!/bin/sh
# Sets up all that both faces need, and says so before it does: R and its packages (from Debian), this package,
# and the Python environment `r-eagercore` that the package finds by itself. Safe to run again.
#   setup.sh           everything
#   setup.sh install   only this package and its Python environment
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh

R_PACKAGES="reticulate testthat purrr magrittr rlang cli zeallot knitr rmarkdown roxygen2 png jpeg ggplot2 lintr R6"

deb_installed() {
  [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Debian's names for what is needed, one a line.
wanted_debs() {
  echo r-base-core
  for package in $R_PACKAGES; do
    echo "r-cran-$(printf '%s' "$package" | tr '[:upper:]' '[:lower:]')"
  done
  echo pandoc
  echo python3
  echo python3-venv
  # The interpreter alone is not enough for R: it embeds Python through its shared library.
  version=$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
  if [ -n "$version" ]; then echo "libpython$version"; fi
}

r_is_complete() {
  command -v Rscript >/dev/null 2>&1 || return 1
  Rscript --vanilla -e 'args <- commandArgs(TRUE)
    ok <- all(vapply(args, requireNamespace, NA, quietly = TRUE)) && getRversion() >= "4.2.0"
    quit(status = !ok)' $R_PACKAGES >/dev/null 2>&1
}

install_debs() {
  missing=
  for deb in $(wanted_debs); do
    deb_installed "$deb" || missing="$missing $deb"
  done
  if [ -z "$missing" ]; then
    say "Debian packages: all there."
    return 0
  fi
  say "This installs with apt-get:$missing"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q ||
    fail "apt-get update did not work." "Is the network there, and are the package sources reachable?"
  # shellcheck disable=SC2086  (a list of words)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing ||
    fail "apt-get could not install:$missing" \
      "See its message above. When the system is right, run make again: it goes on where it stopped."
  # Python may have come just now, and with it the name of its shared library.
  for deb in $(wanted_debs); do
    deb_installed "$deb" || as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends "$deb" ||
      fail "apt-get could not install $deb." "See its message above."
  done
}

install_r() {
  step "R and its packages"
  if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then
    install_debs
  fi
  if ! r_is_complete; then
    fail "R 4.2 or newer with its packages is not there." \
      "On Debian or Ubuntu this script installs it; elsewhere install R and then, in R, the packages:" \
      "$R_PACKAGES"
  fi
  say "R: $(Rscript --vanilla -e 'cat(R.version.string)')"
}

# A folder that this user may write packages into; R takes it as its first library from then on.
ensure_library() {
  Rscript --vanilla -e '
    if (file.access(.libPaths()[1], 2) != 0) {
      own <- path.expand(strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep)[[1]][1])
      cat("This makes the folder", own, "for your own R packages.\n")
      ok <- dir.create(own, recursive = TRUE, showWarnings = FALSE) || dir.exists(own)
      quit(status = !ok)
    }' || fail "there is no folder that R packages can be installed into."
}

install_package() {
  step "The R package eagercore (R CMD INSTALL .)"
  ensure_library
  log=$(mktemp)
  if R CMD INSTALL --no-test-load . >"$log" 2>&1; then
    rm -f "$log"
    say "Installed into $(Rscript --vanilla -e 'cat(dirname(find.package("eagercore")))')"
  else
    cat "$log" >&2
    rm -f "$log"
    fail "R CMD INSTALL did not work." "Its output is above."
  fi
}

install_python() {
  step "The Python environment r-eagercore"
  Rscript --vanilla -e 'eagercore::install_eagercore()' ||
    fail "the Python environment r-eagercore could not be made." "The message above says why."
  Rscript --vanilla -e 'library(eagercore); cat("Python:", eagercore:::python_path(), "\nEngine: ");
    cat(as.numeric(tf$reduce_sum(tf$ones(c(2, 3)))) == 6, "(a sum came out right)\n")' ||
    fail "the package does not find its engine." "Run this to see what is wrong: Rscript -e 'eagercore::eagercore_sitrep()'"
}

if [ "${1:-all}" = all ]; then install_r; fi
install_package
install_python
step "Set-up done"
