# Random graphs of Ops in every way; the seed is always the same. `make soak` goes
# on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 24 --seed 500 graph_search | FileCheck %s
# CHECK: {{[0-9]+}} calls that failed
# CHECK: {{[0-9]+}} calls with a value
# CHECK: 24 cases
# CHECK: {{[1-9][0-9]*,[0-9]+}} compared
# CHECK: {{[1-9][0-9]+}} compared with Python
# CHECK: {{[1-9][0-9]*}} from disk
# CHECK: {{[1-9][0-9]*}} from memory
# CHECK: {{[1-9][0-9]+}} ways run
# CHECK: {{[1-9][0-9]*}} went over to better code
# CHECK: 0 found
