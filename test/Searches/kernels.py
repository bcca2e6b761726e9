# Random kernels in the simulator, right ones and with a mistake each; the seed is always
# the same. `make soak` goes on from there.
# RUN: %python %source/test/Fuzz/fuzz.py --build %build --out %t --jobs 1 \
# RUN:   --cases 6 --seed 1 kernel_search | FileCheck %s
# CHECK: 6 cases
# CHECK: 6 kernels
# CHECK: 30 launches
# CHECK: {{[1-9][0-9]*}} mistakes: branch
# CHECK: {{[1-9][0-9]*}} mistakes: no barrier
# CHECK: {{[1-9][0-9]*}} mistakes: no warp barrier
# CHECK: {{[1-9][0-9]*}} mistakes: race
# CHECK: {{[1-9][0-9]*}} mistakes: shifted
# CHECK: {{[0-9]+}} ptxas
# CHECK: 0 found
