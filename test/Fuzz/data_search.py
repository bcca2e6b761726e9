"""Random structs, unions, enumerations and signatures: each value is set in Python and
read in C, and the other way round, by value, by pointer and through callbacks, in
every tier.
"""

import random

import clinch
import data_terms
from data_terms import argument, declared, equal, literal

LIMIT = 300
TIERS = ["fast", "default", "max"]
clinch.config.cache = False


def make(seed):
    """A case: its records, and functions of (result, parameters) with their values."""
    rng = random.Random(seed)
    records = data_terms.records(rng, 5)
    functions = []
    for _ in range(8):
        types = [data_terms.any_type(rng, records) for _ in range(rng.randint(1, 9))]
        if rng.random() < 0.2:
            types += [rng.choice(["double", "long", "int"]) for _ in range(12)]
        functions.append([[t, data_terms.value(rng, t, records)] for t in types])
    values = [data_terms.value(rng, ["record", n], records) for n in range(len(records))]
    has_atomics = "_Atomic" in str(records)
    return {"language": rng.choice(["c", "c", "c", "c" if has_atomics else "c++"]),
            "records": records,
            "values": values, "functions": functions}


def source(case):
    """The text of a case."""
    records = case["records"]
    lines = ["#include <stdbool.h>", "static int bad;",
             "int first_bad(void) { int b = bad; bad = 0; return b; }"]
    lines += [data_terms.definition(n, records) for n in range(len(records))]
    for n, value in enumerate(case["values"]):
        kind = ["record", n]
        name = declared(kind, "", records)
        stores = data_terms.stores("(*p)", kind, value, records)
        lines += [f"{name} shared{n};",
                  f"void fill{n}({name} *p) {{ {stores} }}",
                  f"void check{n}(const {name} *p) {{ "
                  f"{data_terms.checks('(*p)', kind, value, records)} }}",
                  f"void check_shared{n}(void) {{ check{n}(&shared{n}); }}",
                  f"void fill_shared{n}(void) {{ fill{n}(&shared{n}); }}"]
    for n, ((result, made), *parameters) in enumerate(case["functions"]):
        listed = ", ".join(declared(t, f"a{i}", records) for i, (t, _) in
                           enumerate(parameters)) or "void"
        types = ", ".join(declared(t, "", records) for t, _ in parameters) or "void"
        checks = " ".join(data_terms.checks(f"a{i}", t, v, records)
                          for i, (t, v) in enumerate(parameters))
        result_name = f"result{n}"
        locals_of = " ".join(data_terms.local(f"a{i}", t, v, records)
                             for i, (t, v) in enumerate(parameters))
        given = ", ".join(f"a{i}" for i in range(len(parameters)))
        lines += [f"typedef {declared(result, result_name, records)};",
                  f"__attribute__((noinline)) {result_name} take{n}({listed}) {{ {checks} "
                  f"{data_terms.local('r', result, made, records)} return r; }}",
                  f"void self{n}(void) {{ {locals_of} take{n}({given}); }}",
                  f"{result_name} call{n}({result_name} (*f)({types})) {{ {locals_of} "
                  f"{declared(result, 'r', records)} = f({given}); "
                  f"{data_terms.checks('r', result, made, records)} return r; }}"]
    return "\n".join(lines)


class Wrong(Exception):
    """A value that is not as it was given."""


def _verify(what, found, expected, kind, records):
    if not equal(found, expected, kind, records):
        raise Wrong(f"{what}: {found!r}, expected {expected!r}")


def _records(text, case, counts):
    records = case["records"]
    for n, value in enumerate(case["values"]):
        kind = ["record", n]
        given = argument(text, kind, value, records)
        _verify(f"r{n} in Python", given, value, kind, records)
        getattr(text, f"check{n}")(given)
        _no_fault(text, f"check{n}")
        if not data_terms.is_flexible(kind, records):
            made = getattr(text, f"r{n}")()
            getattr(text, f"fill{n}")(made)
            _verify(f"fill{n}", made, value, kind, records)
            setattr(text, f"shared{n}", given)
            getattr(text, f"check_shared{n}")()
            _no_fault(text, f"shared{n}")
            setattr(text, f"shared{n}", getattr(text, f"r{n}")())
            getattr(text, f"fill_shared{n}")()
            _verify(f"shared{n}", getattr(text, f"shared{n}"), value, kind, records)
        counts["records"] += 1


def _no_fault(text, what):
    fault = text.first_bad()
    if fault:
        raise Wrong(f"{what}: C reads another value, line {fault}")


def _calls(text, case, counts):
    records = case["records"]
    for n, ((result, made), *parameters) in enumerate(case["functions"]):
        try:
            getattr(text, f"take{n}")
        except TypeError as error:
            if "an unnamed bit-field across eight bytes" not in str(error):
                raise
            counts["refused"] += 1
            continue
        given = [argument(text, t, v, records) for t, v in parameters]
        found = getattr(text, f"take{n}")(*given)
        fault = text.first_bad()
        text[f"self{n}"]()
        if text.first_bad():  # Clang passes it wrongly from C to C, too.
            counts["wrong in Clang alone"] += 1
            continue
        if fault:
            raise Wrong(f"take{n}: C reads another value, line {fault}")
        _verify(f"take{n}", found, made, result, records)

        def called(*arguments):
            for i, (argument_, (t, v)) in enumerate(zip(arguments, parameters)):
                _verify(f"call{n}, argument {i + 1}", argument_, v, t, records)
            return argument(text, result, made, records)

        found = getattr(text, f"call{n}")(called)
        _no_fault(text, f"call{n}")
        _verify(f"call{n}", found, made, result, records)
        counts["calls"] += 3


def run(case):
    counts = {"calls": 0, "records": 0, "refused": 0, "wrong in Clang alone": 0}
    for tier in case.get("tiers", TIERS):
        try:
            text = clinch.compile(source(case), language=case["language"], tier=tier,
                                  flags=["-w"])
            _records(text, case, counts)
            _calls(text, case, counts)
        except Exception as error:
            return {"counts": counts, "finding": {
                "kind": type(error).__name__, "way": f"{tier=}", "detail": str(error)}}
    return {"counts": counts}


def smaller(case):
    """The case with fewer functions, parameters and values."""
    for n in range(len(case["functions"])):
        yield {**case, "functions": case["functions"][:n] + case["functions"][n + 1:]}
    for n, function in enumerate(case["functions"]):
        for i in range(1, len(function)):
            yield {**case, "functions": [*case["functions"][:n],
                                         function[:i] + function[i + 1:],
                                         *case["functions"][n + 1:]]}


def script(case, finding):
    return (f"# {finding['kind']}: {finding['way']}: {finding['detail']}\n"
            f"# {source(case)!r}\n"
            "import sys; sys.path.insert(0, 'test/Fuzz')\n"
            f"import data_search\nprint(data_search.run({case!r}))\n")
