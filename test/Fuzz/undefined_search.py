"""Texts that ISO C gives no meaning and Clinch gives one: they read null, overflow
`int`, see an `int` as a `float`, shift too far, wait for ever, read what nobody set.
Every tier, in C and in C++, computes what Python computes, or ends by the same signal.
"""

import os
import random
import signal

import clinch
from apart import in_turn

LIMIT = 120
TIERS, LANGUAGES = ["fast", "default", "max"], ["c", "c++"]
#: Seconds of a processor after which a loop counts as one without end.
FOREVER = 0.1
clinch.config.cache = False


def _int(value):
    return (value + 2**31) % 2**32 - 2**31


#: Of a piece: C over `x`, an int, and the constants A and B, which adds to `z`; what it
#: adds in Python, or the signal that ends the process; flags without which ISO holds.
PIECES = {
    "null": ("const double *p = x > A ? NULL : &one; z += *p;",
             lambda x, a, b: "SIGSEGV" if x > a else 1),
    "null then asked": ("const double *p = x > A ? NULL : &one; z += *p;"
                        "if (!p) z += 5;",
                        lambda x, a, b: "SIGSEGV" if x > a else 1),
    "member of null": ("struct pair *p = x > A ? NULL : &two; z += p->second;"
                       "if (p == NULL) z += 5;",
                       lambda x, a, b: "SIGSEGV" if x > a else 2),
    "overflow": ("int i = 2147483647 - A; if (i + x > i) z += B; z += (int)(i + x);",
                 lambda x, a, b: (b if _int(2**31 - 1 - a + x) > 2**31 - 1 - a else 0)
                 + _int(2**31 - 1 - a + x)),
    "product": ("int i = 46341 * (A + 1); z += i * x * 46341 < 0 ? B : 1;",
                lambda x, a, b: b if _int(46341 * (a + 1) * x * 46341) < 0 else 1),
    "negation": ("int i = -2147483647 - 1; if (x > A) i = -i; z += i < 0 ? B : 1;",
                 lambda x, a, b: b),
    "counter": ("int i, n = 0; for (i = 2147483600 + A; i > 0; i += x) ++n; z += n;",
                lambda x, a, b: -(-(48 - a) // x)),
    "pointer": ("const char *p = (const char *)&one;"
                "if (p + (size_t)-x < p) z += B; else z += 1;",
                lambda x, a, b: b),
    # What volatile pointers lead to, nobody knows.
    "alias": ("int is = 0; int *volatile at = &is; float *volatile seen = (float *)&is;"
              "int *i = at; float *f = seen; *i = x; *f = A; z += *i == x ? 0 : B;",
              lambda x, a, b: b, "-fno-strict-aliasing"),
    # The value is any, but nothing else happens.
    "shift": ("volatile int i = B, by = 31 + x; i = i << by; i = i << (31 + x);"
              "i >>= 33; z += 1;", lambda x, a, b: 1),
    "for ever": ("int i = A; while (x > B) i ^= 1; z += i;",
                 lambda x, a, b: "SIGPROF" if x > b else a),
    "for ever, unseen": ("unsigned i; for (i = 1; i != 0 || x <= B; i += 2) { }"
                         "z += 1;", lambda x, a, b: "SIGPROF"),
    "unset": ("int i; double d[4]; if (x > A) { i = B; d[2] = B; }"
              "z += i + d[2];", lambda x, a, b: 2 * b if x > a else 0),
    "divided by zero": ("int by = A + 1, i = x - x / by * by; z += 12 / i;",
                        lambda x, a, b: 12 // (x % (a + 1)) if x % (a + 1)
                        else "SIGFPE"),
}
HEAD = """#include <stddef.h>
struct pair { int first, second; };
static const double one = 1; static struct pair two = {1, 2};
#ifdef __cplusplus
extern "C"
#endif
double f(int x) { double z = 0;
"""


def make(seed):
    draw = random.Random(seed)
    pieces = [dict(kind=draw.choice(sorted(PIECES)), a=draw.randint(1, 6),
                   b=draw.randint(1, 6)) for _ in range(draw.randint(1, 3))]
    return dict(pieces=pieces, x=draw.randint(1, 8), flags=[])


def text_of(case):
    lines = []
    for piece in case["pieces"]:
        text = PIECES[piece["kind"]][0]
        text = text.replace("A", str(piece["a"])).replace("B", str(piece["b"]))
        lines.append("{ " + text + " }")
    return HEAD + "\n".join(lines) + "\nreturn z; }\n"


def expected(case):
    """The value; or the signals of which one ends it: what is read may be read
    before or behind something else."""
    each = [PIECES[piece["kind"]][1](case["x"], piece["a"], piece["b"])
            for piece in case["pieces"]]
    return [more for more in each if isinstance(more, str)] or [float(sum(each))]


def flags_of(case):
    return case["flags"] + [flag for piece in case["pieces"]
                            for flag in PIECES[piece["kind"]][2:]]


def outcomes(case):
    """Yields each way, and the value there or the signal that ended it."""
    ways = [(tier, language) for tier in TIERS for language in LANGUAGES]
    calls = []
    for tier, language in ways:
        code = clinch.compile(text_of(case), "text", tier=tier, language=language,
                              flags=flags_of(case))
        function = code["double f(int)"]
        calls.append(lambda function=function: function(case["x"]))
    for way, (value, status) in zip(ways, in_turn(calls, FOREVER)):
        yield way, (value if value is not None else
                    signal.Signals(os.WTERMSIG(status)).name)


def run(case):
    wanted = expected(case)
    counts = {"texts": 1, "runs": 0}
    for way, found in outcomes(case):
        counts["runs"] += 1
        if found not in wanted:
            return {"counts": counts, "finding": dict(
                kind="other meaning", way=f"{way}\n{text_of(case)}",
                detail=f"{found}, expected {wanted}")}
    return {"counts": counts}


def script(case, finding):
    return f'''"""{finding["kind"]}: {finding["detail"]}, {finding["way"]!r}"""
import sys
sys.path.insert(0, {os.path.dirname(os.path.abspath(__file__))!r})
import undefined_search
case = {case!r}
print(undefined_search.text_of(case), undefined_search.expected(case))
for outcome in undefined_search.outcomes(case):
    print(*outcome)
'''
