# A slice of the search of edits of headers, libraries and options between compiles,
# whose results must be those of compiles with empty caches.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 2 --seed 1 input_search | FileCheck %s
# CHECK: input_search: seeds 1 to 2
# CHECK: 2 cases
# CHECK: 120 comparisons
# CHECK: 0 found
