#!/usr/bin/env bash
# clang-format and clang-tidy over our own C++; a warning is an error.
set -euo pipefail
build=${1:-build}
mapfile -t files < <(git ls-files '*.cpp' '*.h' | grep -v '/Inputs/')
clang-format-22 --dry-run --Werror "${files[@]}"
mapfile -t sources < <(git ls-files 'lib/*.cpp' 'jit/*.cpp' 'tools/*.cpp')
run-clang-tidy-22 -quiet -p "$build" -j "$(nproc)" "${sources[@]/#/^$PWD/}" \
  2>&1 | { grep -vE '^(\[|[0-9]+ warnings|Suppressed|Use -header|clang-tidy)' || true; }
exit "${PIPESTATUS[0]}"
