"""Every option is in --help, the man page and the three completions."""
# RUN: %python %s %source

import os
import re
import sys

from clinch.cli.options import STAGES, TABLE, usage

folder = os.path.join(sys.argv[1], "tools", "clinch")
texts = {"--help": usage()}
for name in ("clinch.1", "completions/clinch.bash", "completions/_clinch",
             "completions/clinch.fish"):
    with open(os.path.join(folder, name)) as file:
        texts[name] = file.read().replace("\\-", "-")

missing = []
for option in TABLE:
    for name in option.names:
        for where, text in texts.items():
            word = name
            if where.endswith(".fish"):
                word = f"-l {name[2:]}" if name.startswith("--") \
                    else f"-s {name[1:]}"
            if not re.search(re.escape(word) + r"(?![\w-])", text):
                missing.append((where, name))
for stage in STAGES:
    missing += [(where, stage) for where, text in texts.items()
                if not re.search(rf"(?<![\w-]){stage}(?![\w-])", text)]
assert not missing, missing
assert all(len(line) < 80 for line in usage().splitlines())
