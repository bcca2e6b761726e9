"""Cases of loops that are a little smaller than a given one."""

import copy

from kinds import KINDS
from loops import terms_of
from terms import leaves


def smaller(case):
    """Simpler cases, those that leave out most first."""
    for change in (_fewer_ways, _fewer_lengths, _fewer_statements,
                   _simpler_loops, _simpler_terms, _simpler_arrays,
                   _without_unused, _simpler_types):
        yield from change(case)


def _with(case, **changes):
    return {**case, **changes}


def _fewer_ways(case):
    ways = case["ways"]
    for n, way in enumerate(ways):
        if len(ways) > 1:
            yield _with(case, ways=ways[:n] + ways[n + 1:])
        for tier in way["tiers"]:
            if len(way["tiers"]) > 1:
                tiers = [t for t in way["tiers"] if t != tier]
                yield _with(case, ways=ways[:n] + [_with(way, tiers=tiers)] +
                            ways[n + 1:])
        for flag in way["flags"]:
            if flag != "-fwrapv":
                flags = [f for f in way["flags"] if f != flag]
                yield _with(case, ways=ways[:n] + [_with(way, flags=flags)] +
                            ways[n + 1:])


def _fewer_lengths(case):
    lengths = case["lengths"]
    if len(lengths) > 1:
        for n in lengths:
            yield _with(case, lengths=[n])
    elif lengths[0] > 1:
        for n in (lengths[0] // 2, lengths[0] * 3 // 4, lengths[0] - 1):
            yield _with(case, lengths=[n])


def _fewer_statements(case):
    for body in _bodies(case["body"]):
        yield _with(case, body=body)


def _bodies(body):
    for n, statement in enumerate(body):
        rest = body[:n], body[n + 1:]
        yield rest[0] + rest[1]
        if statement[0] == "if":
            yield rest[0] + statement[2] + rest[1]
            yield rest[0] + statement[3] + rest[1]
            for inner in _bodies(statement[2]):
                if inner:
                    made = statement[:2] + [inner, statement[3]]
                    yield rest[0] + [made] + rest[1]
        if statement[0] == "add":
            yield rest[0] + [["set", statement[1], statement[3]]] + rest[1]


def _simpler_loops(case):
    loop = case["loop"]
    for simple in (dict(rows=1), dict(step=1), dict(form="up"),
                   dict(index="i64")):
        if any(loop[key] != value for key, value in simple.items()):
            yield _with(case, loop={**loop, **simple})
    if case["restrict"]:
        yield _with(case, restrict=False)
    if case["indices"] != "i64":
        yield _with(case, indices="i64")


def _simpler_terms(case):
    for n, statement in enumerate(case["body"]):
        for made in _statement_with_simpler_terms(statement):
            body = case["body"][:n] + [made] + case["body"][n + 1:]
            yield _with(case, body=body)


def _statement_with_simpler_terms(statement):
    if statement[0] != "if":
        for term in _simpler(statement[-1]):
            yield statement[:-1] + [term]
        return
    for term in _simpler(statement[1]):
        yield [statement[0], term, *statement[2:]]
    for place in (2, 3):
        for n, inner in enumerate(statement[place]):
            for made in _statement_with_simpler_terms(inner):
                block = list(statement[place])
                block[n] = made
                copied = list(statement)
                copied[place] = block
                yield copied


def _simpler(term):
    """Parts in the place of the whole; a plain item; parts made simpler."""
    if term[0] == "at" and term[2]:
        yield [*term[:2], 0]
    if term[0] in ("at", "var", "num"):
        return
    parts = [part for part in term[1:] if isinstance(part, list)]
    yield from parts
    for place, part in enumerate(term):
        if isinstance(part, list):
            for made in _simpler(part):
                yield [*term[:place], made, *term[place + 1:]]


def _simpler_arrays(case):
    for name, a in case["arrays"].items():
        for simple in (dict(walk="index"), dict(stride=1), dict(row=0),
                       dict(shift=0), dict(walk="index", stride=1)):
            if any(a[key] != value for key, value in simple.items()):
                arrays = {**case["arrays"], name: {**a, **simple}}
                yield _with(case, arrays=arrays)
    for name, b in case["buffers"].items():
        for simple in (dict(values="small"), dict(edge="middle"),
                       dict(moved=0)):
            if any(b[key] != value for key, value in simple.items()):
                buffers = {**case["buffers"], name: {**b, **simple}}
                yield _with(case, buffers=buffers)


def _without_unused(case):
    used = {t[1] for top in _tops(case["body"]) for t in leaves(top)
            if t[0] in ("at", "var")} | set(_targets(case["body"]))
    for group in ("arrays", "locals", "parameters"):
        kept = {k: v for k, v in case[group].items() if k in used}
        if len(kept) < len(case[group]):
            made = _with(case, **{group: kept})
            if group == "arrays":
                named = {a["buffer"] for a in kept.values()}
                made["buffers"] = {k: v for k, v in case["buffers"].items()
                                   if k in named}
            yield made


def _tops(body):
    for statement in body:
        yield from terms_of(statement)


def _targets(body):
    for statement in body:
        if statement[0] == "if":
            yield from _targets(statement[2] + statement[3])
        elif statement[0] in ("store", "set", "add"):
            yield statement[1]


def _simpler_types(case):
    """Each type that is used, as one that more code uses."""
    used = sorted(set(_types(case)))
    for kind in used:
        for other in ("f64", "i32", "i64"):
            if kind != other and KINDS[kind].is_float == KINDS[other].is_float:
                yield _renamed(copy.deepcopy(case), kind, other)


def _types(case):
    for group in ("arrays", "buffers", "locals", "parameters"):
        yield from (given["kind"] for given in case[group].values())


def _renamed(case, kind, other):
    for group in ("arrays", "buffers", "locals", "parameters"):
        for given in case[group].values():
            if given["kind"] == kind:
                given["kind"] = other

    def rename(term):
        if isinstance(term, list):
            head = 2 if term and term[0] == "call" else 1
            if term and term[0] in ("num", "cast", "call") and (
                    term[head] == kind):
                term[head] = other
            for part in term:
                rename(part)
    rename(case["body"])
    rename([given["start"] for given in case["locals"].values()])
    return case
