#!/usr/bin/env bash
# clang-format and clang-tidy over our own C++, mypy over the package; a warning is an
# error.
set -uo pipefail
build=${1:-build}
status=0

mapfile -t files < <(git ls-files '*.cpp' '*.h' 'python/*.c' | grep -v '/Inputs/')
clang-format-22 --dry-run --Werror "${files[@]}" || status=1

# Only what the build compiles: clang-tidy needs its flags.
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'jit/*.cpp' 'tools/*.cpp' \
                                    'python/*.cpp')
found=$(run-clang-tidy-22 -quiet -p "$build" -j "$(nproc)" \
  "${sources[@]/#/^$PWD/}" 2>/dev/null) || status=1
grep -vE '^(\[|$|Running clang-tidy)' <<<"$found" && status=1

found=$(mypy --no-incremental) || { status=1; echo "$found"; }

[ $status -eq 0 ] && echo "lint: ${#files[@]} files are clean"
exit $status
