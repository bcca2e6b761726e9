"""--stats of a function in several pieces: a miss if one was compiled, a hit on
disk if one was read, in memory only if all were there."""
# RUN: rm -rf %t
# RUN: clinch --cache-dir=%t --linker=op --stats %s | FileCheck %s --check-prefix=MISS
# RUN: clinch --cache-dir=%t --linker=op --stats %s | FileCheck %s --check-prefix=DISK
# RUN: clinch --cache-dir=%t --linker=op --stats %s more | FileCheck %s --check-prefix=PARTLY
import sys

x, y = double("x"), double("y")
f = function([x, y], add(x, mul(x, y)))
g = function([x, y], add(y, mul(y, x)))
h = function([x, y], sub(y, mul(y, x))) if len(sys.argv) > 1 else g

# MISS:      f: c, tier default, struct form, linker op
# MISS-NEXT:   cache   miss
# MISS:      g: c, tier default, struct form, linker op
# MISS-NEXT:   cache   hit (memory)
# DISK:      f: c, tier default, struct form, linker op
# DISK-NEXT:   cache   hit (disk)
# DISK:      g: c, tier default, struct form, linker op
# DISK-NEXT:   cache   hit (memory)
# PARTLY:      h: c, tier default, struct form, linker op
# PARTLY-NEXT:   cache   miss
