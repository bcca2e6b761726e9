"""The files that CONTRIBUTING.md names for whoever adds a part are there."""
# RUN: %python %s %source

import os
import re
import subprocess
import sys

os.chdir(sys.argv[1])
files = subprocess.check_output(["git", "ls-files"], text=True).split()
names = {os.path.basename(path) for path in files}
with open("CONTRIBUTING.md", encoding="utf-8") as page:
    said = re.findall(r"`([\w./-]+\.(?:cpp|h|py|c|def|test|md|txt|sh))`", page.read())
known = [path for path in said if "Your" not in path]
lost = [path for path in known if path not in (files if "/" in path else names)]
assert len(known) > 60, known
assert not lost, f"CONTRIBUTING.md names what there is not: {lost}"
