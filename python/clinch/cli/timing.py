"""`:time` and `:bench`: time calls and show their distribution, without the compile."""

from __future__ import annotations

import ast
import time

from . import c_timing
from .c_choice import is_of_c_alone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..base.annotations import Any, Callable

_SECONDS = 0.3
_FEWEST, _MOST = 5, 200_000
_SHORTEST, _LARGEST = 100e-6, 2**20  # Seconds and calls of a sample.
_BAR = 40


def time_call(session: Any, text: str) -> None:
    """Repeats the call in `text` and prints its times."""
    function, run = _prepared(session, text)
    compiled = getattr(function, "stats", None)
    if isinstance(compiled, dict) and "stages" in compiled:
        print(_describe_compile(compiled))
    samples, each = measure(run)
    print(describe(samples[0], each[0]))


def compare(session: Any, texts: tuple[str, str]) -> None:
    """Prints the times of two expressions that take turns."""
    samples, _ = measure(*(_prepared(session, text)[1] for text in texts))
    wide = max(map(len, texts))
    medians = []
    for text, times in zip(texts, samples):
        ordered = sorted(times)
        medians.append(quantile(ordered, .5))
        print(f"{text:<{wide}}  least {human(ordered[0]):>8}, "
              f"median {human(medians[-1]):>8}, 90 % {human(quantile(ordered, .9)):>8}")
    ratio = medians[1] / medians[0]
    print(f"`{texts[1]}` takes {ratio:.3g} times the time of `{texts[0]}`")


def _prepared(session: Any, text: str) -> tuple[Any, Callable[[int], Any]]:
    """Returns the called function (or None) and what does the call so many times."""
    if is_of_c_alone(text, session):
        return None, c_timing.runner(session.c, text)
    function, call = _prepare(session, text)

    def run(count: int) -> None:
        for _ in range(count):
            call()
    return function, run


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


def measure(*runs: Callable[[int], Any]) -> tuple[list[list[float]], list[int]]:
    """Returns the seconds per call of each sample, and the calls per sample, of each of
    the runs; they take turns."""
    clock = time.perf_counter
    counts = [_count(run) for run in runs]
    samples: list[list[float]] = [[] for _ in runs]
    deadline = clock() + _SECONDS * len(runs)
    while len(samples[0]) < _FEWEST or (clock() < deadline
                                        and len(samples[0]) < _MOST):
        for run, count, found in zip(runs, counts, samples):
            begin = clock()
            run(count)
            found.append((clock() - begin) / count)
    return samples, counts


def _count(run: Callable[[int], Any]) -> int:
    """Returns how many calls take longer than the clock's own cost."""
    clock = time.perf_counter
    run(1)
    count = 1
    while count < _LARGEST:
        begin = clock()
        run(count)
        if clock() - begin >= _SHORTEST:
            break
        count *= 2
    return count


def quantile(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def describe(samples: list[float], each: int) -> str:
    """Returns quantiles and a histogram as text."""
    ordered = sorted(samples)
    batches = f" in batches of {each}" if each > 1 else ""
    lines = [f"call     {len(samples) * each} calls{batches}"]
    lines += [f"  {name:<8}{human(value)}" for name, value in (
        ("least", ordered[0]), ("median", quantile(ordered, .5)),
        ("90 %", quantile(ordered, .9)), ("99 %", quantile(ordered, .99)),
        ("most", ordered[-1]))]
    return "\n".join(lines + _histogram(ordered[0], quantile(ordered, .99), ordered))


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
