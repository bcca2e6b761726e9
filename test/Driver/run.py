"""--run: arguments as Python expressions, lists as arrays."""
# RUN: clinch --run %s 1.5 2 | FileCheck %s --check-prefix=WORDS
# RUN: clinch --run="1.5, 2" %s | FileCheck %s --check-prefix=WORDS
# RUN: clinch --run %s -1.5 -- -.5 | FileCheck %s --check-prefix=NEGATIVE
# RUN: clinch --run --function=f %s "max(3.0, 4.0)" "base" | FileCheck %s --check-prefix=NAMES
# RUN: not clinch --run %s 1.0 "'two'" 2>&1 | FileCheck %s --check-prefix=FAILS
# RUN: not clinch --run %s 1.0 2>&1 | FileCheck %s --check-prefix=FEW
# RUN: not clinch --run %s "1 +" 2.0 2>&1 | FileCheck %s --check-prefix=SYNTAX
x, y = double("x"), double("y")
f = function([x, y], add(x, y))
base = 10.0

# WORDS: 3.5
# NEGATIVE: -2.0
# NAMES: 14.0
# FAILS: ValueError: could not convert string to float: 'two'
# FAILS-NEXT: Clinch was filtering argument 2 (`y`)
# FEW: TypeError: {{.*}}
# SYNTAX: SyntaxError: invalid syntax
