#!/usr/bin/env bash
# clang-format and clang-tidy over our own C++, mypy and ruff over the package, language.py
# over the pages; a warning is an error. Ruff is PyPI's: where pip cannot install it, that is said.
#
#   scripts/lint.sh [BUILD]         all of it, which takes long
#   scripts/lint.sh BUILD changed   clang-tidy only over the sources that differ from
#                                   origin/main, if they are few: before `make check`
set -uo pipefail
build=${1:-build}; which=${2:-all}
few=6
status=0

mapfile -t files < <(git ls-files '*.cpp' '*.h' 'python/*.c' 'clients/*.c' | grep -v '/Inputs/')
clang-format-22 --dry-run --Werror "${files[@]}" || status=1

found=$(mypy $([ "$which" = all ] && echo --no-incremental)) || { status=1; echo "$found"; }

if ! ruff=$(command -v ruff) && [ "$which" = all ]; then
  source=$PWD; . scripts/environments.sh
  mkdir -p "$build"
  python=$(python_env lint "${PYTHON:-/usr/bin/python3}" ruff 2>/dev/null) &&
    ruff=${python%/*}/ruff || echo "lint: SKIPPED: pip cannot install ruff"
fi
if [ -n "$ruff" ]; then
  found=$("$ruff" check --quiet --no-cache python) || { status=1; echo "$found"; }
fi

found=$("${PYTHON:-/usr/bin/python3}" "$(dirname "$0")/language.py") ||
  { status=1; echo "$found"; }

# Only what the build compiles: clang-tidy needs its flags.
ours=('lib/*.cpp' 'jit/*.cpp' 'tools/*.cpp' 'python/*.cpp')
mapfile -t sources < <(git ls-files "${ours[@]}")
if [ "$which" = changed ]; then
  base=$(git merge-base HEAD origin/main 2>/dev/null) || base=HEAD
  mapfile -t sources < <(git diff --name-only --diff-filter=d "$base" -- "${ours[@]}")
  if [ ${#sources[@]} -gt $few ]; then
    echo "lint: ${#sources[@]} sources differ from origin/main; \`make lint\` reads them"
    sources=()
  fi
fi
if [ ${#sources[@]} -gt 0 ]; then
  found=$(run-clang-tidy-22 -quiet -p "$build" -j "$(nproc)" \
    "${sources[@]/#/^$PWD/}" 2>/dev/null) || status=1
  grep -vE '^(\[|$|Running clang-tidy)' <<<"$found" && status=1
fi

[ $status -eq 0 ] && echo "lint: ${#files[@]} files are clean"
exit $status
