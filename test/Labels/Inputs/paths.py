"""Walks the control flow of unoptimised IR from every failure to the return.

For each `store i32 N, ptr %failure` all ways from there are followed, knowing
that `failure` is not 0; what comes by is printed in order: labels, calls that
were asked for, `ret`. Several ways that differ are printed each.

usage: paths.py [CALL=SHOWN]... < IR
"""

import re
import sys

SHOWN = dict(argument.split("=") for argument in sys.argv[1:])


def functions(text):
    """Name -> {block: lines} of each function that has a failure."""
    found = {}
    for match in re.finditer(r"^define .*?@([\w$.]+)\(.*?^}", text,
                             re.M | re.S):
        if not re.search(r"^  %failure = alloca", match.group(), re.M):
            continue
        blocks, name = {}, None
        for line in match.group().splitlines()[1:-1]:
            head = re.match(r"([\w.$]+):", line)
            if head:
                name = head.group(1)
                blocks[name] = []
            elif line.strip():
                blocks[name].append(line.strip())
        found[match.group(1)] = blocks
    return found


def event(line):
    """What a line is shown as, or None."""
    call = re.search(r"(?:call|invoke) .*?@([\w$.]+)\((.*)\)", line)
    if not call:
        return None
    for name, shown in SHOWN.items():
        if re.search(rf"(?<![A-Za-z]){name}", call.group(1)):
            return shown
    return None


def successors(lines, failed):
    """Where a block goes on; the branch on `failure` is decided."""
    last = " ".join(lines[-3:])
    targets = re.findall(r"label %([\w.$]+)", last)
    value = re.search(r"(%\w+) = load i32, ptr %failure", " ".join(lines))
    test = value and re.search(
        rf"(%\w+) = icmp (ne|eq) i32 {value.group(1)}, 0", " ".join(lines))
    if failed and test and f"br i1 {test.group(1)}," in lines[-1]:
        return targets[:1] if test.group(2) == "ne" else targets[1:]
    if "unwind label" in last:  # An exception is another test's matter.
        return targets[:1]
    return targets


def ways(blocks, name, lines, seen):
    """Each way from here to a return, as a tuple of what comes by."""
    here = [f"label {name[6:]}"] if re.fullmatch(r"label_\d+", name) \
        and lines is blocks[name] else []
    here += [shown for shown in map(event, lines) if shown]
    if lines[-1].startswith("ret "):
        return {tuple(here + ["ret"])}
    found = set()
    for target in successors(lines, True):
        if target not in seen:
            found |= {tuple(here) + way for way in
                      ways(blocks, target, blocks[target], seen | {target})}
    return found


def main():
    """Prints `fail N: what comes by`."""
    said = set()
    for blocks in functions(sys.stdin.read()).values():
        for block, lines in blocks.items():
            for at, line in enumerate(lines):
                store = re.match(r"store i32 (\d+), ptr %failure\b", line)
                if not store or store.group(1) == "0":
                    continue
                for way in sorted(ways(blocks, block, lines[at + 1:],
                                       {block})):
                    text = " ".join([f"fail {store.group(1)}:", *way])
                    if text not in said:  # As for what is thrown in C++.
                        print(text)
                    said.add(text)


main()
