# Random structs, unions and signatures, set in Python and read in C and the other way;
# the seed is always the same. `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 12 --seed 100 data_search | FileCheck %s
# CHECK: {{[1-9][0-9]+}} calls
# CHECK: 12 cases
# CHECK: {{[1-9][0-9]+}} records
# CHECK: 0 found
