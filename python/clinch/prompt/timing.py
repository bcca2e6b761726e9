"""`:time f(...)`: times calls and shows their distribution, without the compile."""

from __future__ import annotations

import ast
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..annotations import Any, Callable

_SECONDS = 0.3
_FEWEST, _MOST = 5, 200_000
_BAR = 40


def time_call(session: Any, text: str) -> None:
    """Repeats the call in `text` and prints its times."""
    function, call = _prepare(session, text)
    compiled = getattr(function, "stats", None)
    if isinstance(compiled, dict) and "stages" in compiled:
        print(_describe_compile(compiled))
    samples, each = measure(call)
    print(describe(samples, each))


def _prepare(session: Any, text: str) -> tuple[Any, Callable[[], Any]]:
    """Returns the called function (or None) and a callable without arguments."""
    tree = compile(text, "<time>", "eval", ast.PyCF_ONLY_AST)
    if not isinstance(tree.body, ast.Call):
        code = compile(tree, "<time>", "eval")
        return None, lambda: eval(code, session.namespace)
    # The function and its arguments are evaluated once; only the call is timed.
    inner = tree.body
    probe = ast.Expression(ast.Call(
        ast.Name("__clinch_keep__", ast.Load()),
        [inner.func, *inner.args], inner.keywords))
    names = dict(session.namespace,
                 __clinch_keep__=lambda f, *a, **k: (f, a, k))
    function, args, keywords = eval(
        compile(ast.fix_missing_locations(probe), "<time>", "eval"), names)
    if keywords:
        return function, lambda: function(*args, **keywords)
    return function, lambda: function(*args)


def measure(call: Callable[[], Any]) -> tuple[list[float], int]:
    """Returns the seconds per call of each sample, and the calls per sample."""
    clock = time.perf_counter
    call()
    begin = clock()
    call()
    # A call shorter than the clock's own cost is measured in batches.
    each = max(1, min(1000, int(20e-6 / max(clock() - begin, 1e-9))))
    samples: list[float] = []
    turns = range(each)
    deadline = clock() + _SECONDS
    while len(samples) < _FEWEST or (clock() < deadline
                                     and len(samples) < _MOST):
        begin = clock()
        for _ in turns:
            call()
        samples.append((clock() - begin) / each)
    return samples, each


def describe(samples: list[float], each: int) -> str:
    """Returns quantiles and a histogram as text."""
    ordered = sorted(samples)

    def quantile(part: float) -> float:
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
    batches = f" in batches of {each}" if each > 1 else ""
    lines = [f"call     {len(samples) * each} calls{batches}"]
    lines += [f"  {name:<8}{human(value)}" for name, value in (
        ("least", ordered[0]), ("median", quantile(.5)),
        ("90 %", quantile(.9)), ("99 %", quantile(.99)),
        ("most", ordered[-1]))]
    return "\n".join(lines + _histogram(ordered[0], quantile(.99), ordered))


def _histogram(low: float, high: float, ordered: list[float],
               rows: int = 8) -> list[str]:
    width = (high - low) / rows
    if width <= 0:
        return []
    counts = [0] * rows
    for value in ordered:
        if value <= high:
            counts[min(rows - 1, int((value - low) / width))] += 1
    top = max(counts)
    return [f"  {human(low + i * width):>10} {'#' * (_BAR * n // top)}".rstrip()
            for i, n in enumerate(counts)]


def human(seconds: float) -> str:
    """Formats seconds with three digits and a unit."""
    if seconds >= 999.5:
        return f"{seconds:.0f} s"
    for unit, factor in (("s", 1), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 0.9995:  # It would be rounded to 1.
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def _describe_compile(stats: dict[str, Any]) -> str:
    total = sum(stage["ms"] for stage in stats["stages"])
    parts = ", ".join(f"{s['name']} {s['ms']:.3g}" for s in stats["stages"])
    found = stats.get("cache_from")
    return (f"compile  {total:.3g} ms once"
            + (f", found in the cache ({found})" if found else "")
            + (f": {parts}" if parts else ""))
