"""From a case that fails to a small one that fails in the same way. A case is plain
data, as JSON has it."""


def shrink(search, worker, case, finding, limit=600):
    """(the smallest case found, its finding), after at most `limit` tries."""
    simpler = getattr(search, "smaller", smaller)
    tries = 0
    while tries < limit:
        for made in simpler(case):
            tries += 1
            answer = worker.ask({"case": made}, search.LIMIT)
            found = answer.get("finding")
            if found and found["kind"] == finding["kind"]:
                case, finding = made, found
                break
            if tries >= limit:
                break
        else:
            break
    return case, finding


#: Under these keys anything plainer than this is not needed.
PLAIN = dict(rows=1, step=1, form="up", index="i64", indices="i64", strides="i64",
             restrict=False, walk="index", stride=1, row=0, shift=0, values="small",
             edge="middle", moved=0, repeated=False)


def smaller(value):
    """Yields what is like it with one thing less: an item, a part in place of the
    whole, what is plain. Not all of it is a case; who runs it says so."""
    if isinstance(value, dict):
        for key, part in value.items():
            if isinstance(part, dict):
                yield from _without_a_name(value, key)
            if key in PLAIN and part != PLAIN[key] and not isinstance(part, (dict, list)):
                yield {**value, key: PLAIN[key]}
            for made in smaller(part):
                yield {**value, key: made}
    elif isinstance(value, list):
        for n, part in enumerate(value):
            yield [*value[:n], *value[n + 1:]]
            inner = [item for item in part if isinstance(item, list)] \
                if isinstance(part, list) else []
            for item in inner:
                block = bool(item) and isinstance(item[0], list)
                yield [*value[:n], *(item if block else [item]), *value[n + 1:]]
            for made in smaller(part):
                yield [*value[:n], made, *value[n + 1:]]


def _without_a_name(case, group):
    """The named things of a group, without one of them."""
    for name, thing in case[group].items():
        if isinstance(thing, dict):
            yield {**case, group: {k: v for k, v in case[group].items() if k != name}}
