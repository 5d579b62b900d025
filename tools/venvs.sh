#!/bin/sh
# The Python environments of the tests, under .venv/: NumPy 2 with the linters, and NumPy 1, or where this Python has
# none the first NumPy 2 that it has. Safe to run again: an environment is made anew only when pyproject.toml has changed.
set -eu
cd "$(dirname "$0")/.."
. tools/common.sh

python=$(find_python) || fail "no Python 3.10 or newer that can make virtual environments was found." \
  "On Debian: apt-get install python3-venv"

make_venv() { # name, extra, further requirement
  venv=.venv/$1
  stamp=$venv/made-from
  wanted=$(cat pyproject.toml tools/venvs.sh | cksum)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then return 0; fi
  step "Python environment $venv (from $python)"
  say "This installs with pip: eagercore[$2] and $3"
  rm -rf "$venv"
  "$python" -m venv "$venv" || fail "$python could not make a virtual environment." \
    "On Debian: apt-get install python3-venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e ".[$2]" "$3" ||
    fail "pip could not install the test environment $venv." "Its message is above; is the package index reachable?"
  printf '%s' "$wanted" > "$stamp"
}

case $("$python" -c 'import sys; print(sys.version_info.minor)') in
  10 | 11 | 12) oldest="numpy<2" ;;
  13) oldest="numpy<2.2" ;;
  *) oldest="numpy<2.4" ;;
esac

make_venv numpy2 dev "numpy>=2"
make_venv numpy1 test "$oldest"
