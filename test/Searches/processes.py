# What processes live through: texts with mistakes, damaged pickles and caches, forks, Ctrl-C,
# sessions of arbitrary bytes; the seed is always the same. `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 --cases 1 --seed 1 \
# RUN:   text_search pickle_search life_search cache_search fork_search prompt_search \
# RUN:   | FileCheck %s
# CHECK: 25 texts
# CHECK: 40 pickles
# CHECK: {{[1-9][0-9]*}} call
# CHECK: {{[1-9][0-9]*}} loads
# CHECK: 20 forks
# CHECK: 40 sessions
# CHECK: seed 1: 0 findings
