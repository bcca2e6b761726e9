"""What a host includes: few headers and types, that include nothing private, and of
which only Clinch::Orc's needs LLVM."""
# RUN: %python %s %source

import glob
import os
import re
import sys

os.chdir(os.path.join(sys.argv[1], "include"))
INCLUDE = re.compile(r'^\s*#\s*include\s+(["<][^">]+[">])', re.MULTILINE)
# What is defined, and how deep: only types that stand in others are indented.
TYPE = re.compile(r"^( *)(?:template <.*> )?(?:class|struct|union|enum class|enum)"
                  r" (?:\[\[nodiscard\]\] )?(\w+)[^;(){]*\{", re.MULTILINE)

problems, headers = [], glob.glob("**/*.h", recursive=True)
lines, types, nested = 0, set(), []
for path in headers:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not path.startswith("clinch-c/"):
        lines += text.count("\n")
        for margin, name in TYPE.findall(text):
            nested.append(name) if margin else types.add(name)
    for name in INCLUDE.findall(text):
        bare = name[1:-1]
        if bare.startswith(("llvm/", "clang/")):
            if path != "clinch/Orc/Orc.h":
                problems.append(f"{path} includes {bare}: a host would need LLVM")
        elif name[0] == '"' and not os.path.exists(bare):
            problems.append(f"{path} includes {bare}, which is not public")
if not 10 <= len(headers) <= 15:
    problems.append(f"{len(headers)} public headers; at most 15 are wanted")
if not 500 <= lines <= 1200:
    problems.append(f"{lines} lines of C++ headers; at most 1,200 are wanted")
if not 20 <= len(types) <= 30:
    problems.append(f"{len(types)} types; at most 30 are wanted: {sorted(types)}")
if not 10 <= len(nested) <= 18:
    problems.append(f"{len(nested)} types in others; at most 18 are wanted: {nested}")
print("\n".join(problems))
sys.exit(1 if problems else 0)
