# Sourced by the other scripts: words for the person who watches, and how to find a Python.

say() { printf '%s\n' "$*"; }
step() { printf '\n== %s\n' "$*"; }
fail() {
  printf '\nSet-up stopped: %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  exit 1
}

# Runs a command as root: directly, or through sudo.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null 2>&1; then
    sudo -E "$@"
  else
    fail "this step needs root, and there is no sudo: $*" \
      "Run the command above as root once, then run make again."
  fi
}

# The real interpreter behind a name (a version manager's shim answers with the file it starts), if it is
# Python 3.10 or newer and can make virtual environments; nothing otherwise.
usable_python() {
  "$1" -c '
import sys
import ensurepip
import venv
print(sys.executable) if sys.version_info >= (3, 10) else sys.exit(1)
' 2>/dev/null
}

# The first usable Python of: $PYTHON, python3 on the path, Debian's own, and versioned names.
find_python() {
  for candidate in "${PYTHON:-}" python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.10; do
    [ -n "$candidate" ] || continue
    found=$(usable_python "$candidate") || continue
    if [ -n "$found" ]; then
      printf '%s\n' "$found"
      return 0
    fi
  done
  return 1
}
