"""Holds --stats=json against its documentation: keys, types, meanings."""

import json
import sys

tier, cache = sys.argv[1:]
stats = json.loads(sys.stdin.read())
assert list(stats) == ["version", "functions", "session"], stats
assert stats["version"] == 1
(f,) = stats["functions"]
assert list(f) == [
    "name", "tier", "language", "form", "linker", "cache", "cache_from",
    "stages", "total_ms", "source_bytes", "object_bytes", "code_bytes",
    "code", "code_error"], f
assert (f["code"], f["code_error"]) == (tier, None), f
assert (f["name"], f["tier"]) == ("f", tier), f
assert f["language"] == "c" and f["form"] == "struct" and f["linker"] == "graph"
if cache == "miss":
    assert (f["cache"], f["cache_from"]) == ("miss", None), f
else:
    assert (f["cache"], f["cache_from"]) == ("hit", cache), f
names = [stage["name"] for stage in f["stages"]]
expected = {"miss": ["assemble", "parse", "irgen", "opt", "codegen", "store",
                     "load"],
            "disk": ["assemble", "read", "load"], "memory": ["assemble", "find"]}
assert names == expected[cache], names
assert all(list(s) == ["name", "ms"] and s["ms"] >= 0 for s in f["stages"])
assert abs(f["total_ms"] - sum(s["ms"] for s in f["stages"])) < 0.01
for size in ("source_bytes", "object_bytes", "code_bytes"):
    assert isinstance(f[size], int) and f[size] > 0, f
session = stats["session"]
assert list(session) == ["dir", "compiles", "memory_hits", "disk_hits",
                         "live_modules", "live_bytes"], session
counts = {"miss": (1, 0, 0), "disk": (0, 0, 1), "memory": (1, 1, 0)}[cache]
assert (session["compiles"], session["memory_hits"],
        session["disk_hits"]) == counts, session
assert session["live_modules"] == 1 and session["live_bytes"] > 0
