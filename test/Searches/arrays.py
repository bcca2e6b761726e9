# Random expressions over arrays beside NumPy; the seed is always the same.
# `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 40 --seed 100 array_search | FileCheck %s
# CHECK: 40 cases
# CHECK: {{[1-9][0-9]+}} compared
# CHECK: {{[1-9][0-9]+}} expressions
# CHECK: {{[1-9][0-9]+}} numbers
# CHECK: 0 found
