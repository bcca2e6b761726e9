"""Reports for `--stats` and `:stats`. The JSON is documented in
docs/guide/the-prompt.md and stable: keys are added, never renamed."""

from __future__ import annotations

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any

VERSION = 1


def report(session: Any, as_json: bool = False, functions: Any = None) -> str:
    """Returns the figures of the given functions, or of all named ones."""
    functions = session.functions() if functions is None else functions
    records = [dict(name=name, **_record(f.stats))
               for name, f in functions.items()]
    cache = session.package.cache_info()
    if as_json:
        return json.dumps({"version": VERSION, "functions": records,
                           "session": cache}) + "\n"
    return "".join(_describe(r) for r in records) + _describe_cache(cache)


def _record(stats: dict[str, Any]) -> dict[str, Any]:
    """Returns the documented keys in the documented order."""
    return {
        "tier": stats["tier"], "language": stats["language"],
        "form": stats["form"], "linker": stats["linker"],
        "cache": stats["cache"], "cache_from": stats.get("cache_from"),
        "stages": [{"name": s["name"], "ms": round(s["ms"], 4)}
                   for s in stats["stages"]],
        "total_ms": round(sum(s["ms"] for s in stats["stages"]), 4),
        "source_bytes": stats["source_bytes"],
        "object_bytes": stats["object_bytes"],
        "code_bytes": stats["code_bytes"],
        "code": stats["code"], "code_error": stats["code_error"],
    }


def _describe(r: dict[str, Any]) -> str:
    found = f" ({r['cache_from']})" if r["cache_from"] else ""
    lines = [f"{r['name']}: {r['language']}, tier {r['tier']}, "
             f"{r['form']} form, linker {r['linker']}",
             f"  cache   {r['cache']}{found}"]
    if r["code"] != r["tier"]:
        lines.append(f"  code    {r['code']}")
    if r["code_error"]:
        lines.append(f"          {r['code_error']}")
    lines += [f"  {s['name']:<8}{s['ms']:9.3f} ms" for s in r["stages"]]
    lines.append(f"  {'total':<8}{r['total_ms']:9.3f} ms")
    lines.append(f"  {r['source_bytes']} bytes of source, "
                 f"{r['object_bytes']} of object, {r['code_bytes']} of code")
    return "\n".join(lines) + "\n"


def _describe_cache(c: dict[str, Any]) -> str:
    return (f"session: {c['compiles']} compiled, {c['memory_hits']} found in "
            f"memory, {c['disk_hits']} on disk; {c['live_modules']} alive in "
            f"{c['live_bytes']} bytes\n")
