"""The compile core knows no Python: none of its names, nor of NumPy's, stand in jit/
outside of jit/Runtime, which is what knows it, be it in code, comments or the build.
Nor does it take apart the labels that lib/ makes up."""
# RUN: %python %s %source

import glob
import os
import re
import sys

os.chdir(sys.argv[1])
NAME = re.compile(r"[Pp]ython|PYTHON|[Nn]um[Pp]y|NUMPY|\b_?Py[A-Z_]\w*|\bPY_\w*|"
                  r"\b(?:npy|NPY)_|\b_import_array|\blabel_")


def names(text):
    """The names of Python's and NumPy's in a text."""
    return NAME.findall(text)


assert names("PyObject *_Py_Dealloc(NPY_MAX, numpy, label_3, _import_array)") == [
    "PyObject", "_Py_Dealloc", "NPY_", "numpy", "label_", "_import_array"]
assert names("copy_all(pyramid, happy_end) // LabelOf") == []

problems = []
files = [path for path in glob.glob("jit/**/*.*", recursive=True)
         if not path.startswith("jit/Runtime/") and os.path.isfile(path)]
for path in files:
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            problems += [f"{path}:{number} knows `{name}`" for name in names(line)]
if len(files) < 150:
    problems.append(f"only {len(files)} files were found")
print("\n".join(problems))
sys.exit(1 if problems else 0)
