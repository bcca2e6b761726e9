"""`make uninstall` removes what was installed, and nothing else."""
# RUN: rm -rf %t && mkdir -p %t && %python %s %t %source

import os
import subprocess
import sys

root, source = sys.argv[1:]
prefix = os.path.join(root, "prefix")
names = ["bin/clinch", "lib/clinch/python/clinch/a.py", "include/clinch/b.h"]
others = ["lib/other.so", "lib/clinch/python/clinch/__pycache__/mine.pyc"]
for name in names + others + ["lib/clinch/python/clinch/__pycache__/a.x.pyc"]:
    path = os.path.join(prefix, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w"):
        pass
with open(os.path.join(root, "install_manifest.txt"), "w") as file:
    file.write("\n".join(os.path.join(prefix, name) for name in names))

script = os.path.join(source, "cmake", "uninstall.py")
said = subprocess.run([sys.executable, script, root], text=True,
                      capture_output=True)
assert (said.returncode, said.stdout) == (0, "uninstall: removed 3 files\n"), said
left = [os.path.relpath(os.path.join(folder, name), prefix)
        for folder, _, files in os.walk(prefix) for name in files]
assert sorted(left) == sorted(others), left
assert sorted(os.listdir(prefix)) == ["lib"]

again = subprocess.run([sys.executable, script, root], text=True,
                       capture_output=True)
assert again.returncode == 1 and "nothing was installed from here" in again.stderr
