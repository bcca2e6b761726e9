# Random texts that ISO C leaves without a meaning, in each tier and language; the seed is
# always the same. `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 20 --seed 1 undefined_search | FileCheck %s
# CHECK: 20 cases
# CHECK: 120 runs
# CHECK: 20 texts
# CHECK: 0 found
