"""--stats: what each function cost, as text and as one line of JSON."""
# RUN: rm -rf %t
# RUN: clinch --cache-dir=%t --stats %s | FileCheck %s --check-prefixes=TEXT,MISS
# RUN: clinch --cache-dir=%t --stats %s | FileCheck %s --check-prefixes=TEXT,HIT
# RUN: clinch --no-cache --cache-dir=%t --stats %s | FileCheck %s --check-prefixes=TEXT,MISS
# RUN: clinch --cache-dir=%t --tier=fast --stats=json %s | tail -1 | %python %S/Inputs/check_stats.py fast miss | count 0
# RUN: clinch --cache-dir=%t --tier=fast --stats=json %s | tail -1 | %python %S/Inputs/check_stats.py fast disk | count 0
# RUN: clinch --cache-dir=%t --tier=max --stats=json %s again | tail -1 | %python %S/Inputs/check_stats.py max memory | count 0
import sys

x, y = double("x"), double("y")
f = function([x, y], add(x, y))
if len(sys.argv) > 1:
    f = function([x, y], add(x, y))
print(f(1.0, 2.0))

# TEXT:      3.0
# TEXT-NEXT: f: c, tier default, struct form, linker graph
# MISS-NEXT:   cache   miss
# HIT-NEXT:    cache   hit (disk)
# TEXT-NEXT:   assemble{{ +[0-9.]+}} ms
# MISS-NEXT:   parse{{ +[0-9.]+}} ms
# HIT-NEXT:    read{{ +[0-9.]+}} ms
# TEXT:        load{{ +[0-9.]+}} ms
# TEXT-NEXT:   total{{ +[0-9.]+}} ms
# TEXT-NEXT:   {{[0-9]+}} bytes of source, {{[0-9]+}} of object, {{[0-9]+}} of code
# MISS-NEXT: session: 1 compiled, 0 found in memory, 0 on disk; 1 alive in {{[0-9]+}} bytes
# HIT-NEXT:  session: 0 compiled, 0 found in memory, 1 on disk; 1 alive in {{[0-9]+}} bytes
