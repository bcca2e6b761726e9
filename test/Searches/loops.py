# Random loops in all tiers, for the processors whose code runs here; the seed is
# always the same. `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 60 --seed 300 loop_search | FileCheck %s
# CHECK: 60 cases
# CHECK: {{[1-9],[0-9]+}} compared with Python
# CHECK: {{[1-9][0-9,]+}} compared with another tier
# CHECK: 180 compiled default
# CHECK: 180 compiled fast
# CHECK: 180 compiled max
# CHECK: 0 found
