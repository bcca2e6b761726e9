# csmith's programs in all tiers, and by gcc; the seed is always the same. `make soak`
# goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 4 --seed 1 csmith_search | FileCheck %s
# CHECK: 4 cases
# CHECK: 4 programs
# CHECK: 12 runs
# CHECK: 0 without end
# CHECK: 0 found
