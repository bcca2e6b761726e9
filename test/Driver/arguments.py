"""What a script sees: its own arguments, folder, name and errors."""
# RUN: clinch %s one -- --two | FileCheck %s
# RUN: clinch -c "import sys; print(sys.argv)" a -- -b | FileCheck %s --check-prefix=CODE
# RUN: not clinch %s fail 2>&1 | FileCheck %s --check-prefix=FAIL
# RUN: %python -m clinch %s one -- --two | FileCheck %s
import os
import pickle
import sys

if sys.argv[1] == "fail":
    raise ValueError("as asked")


class Here:
    pass


# CHECK: arguments ['one', '--two']
print("arguments", sys.argv[1:])
# CHECK-NEXT: name __main__ file arguments.py
print("name", __name__, "file", os.path.basename(__file__))
# CHECK-NEXT: folder True
print("folder", sys.path[0] == os.path.dirname(os.path.abspath(__file__)))
# CHECK-NEXT: pickled True
print("pickled", isinstance(pickle.loads(pickle.dumps(Here())), Here))
# CHECK-NEXT: in scope double True
print("in scope", double, function is clinch.function)

# CODE: ['-c', 'a', '-b']

# The driver's own frames are not shown.
# FAIL:      Traceback (most recent call last):
# FAIL-NEXT:   File "{{.*}}arguments.py", line {{[0-9]+}}, in <module>
# FAIL-NEXT:     raise ValueError("as asked")
# FAIL-NEXT: ValueError: as asked
