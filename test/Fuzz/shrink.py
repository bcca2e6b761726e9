"""From a case that fails to a small one that fails in the same way."""


def shrink(search, worker, case, finding, limit=400):
    """(the smallest case found, its finding), after at most `limit` tries."""
    smaller = getattr(search, "smaller", lambda case: ())
    tries = 0
    while tries < limit:
        for simpler in smaller(case):
            tries += 1
            answer = worker.ask({"case": simpler}, search.LIMIT)
            found = answer.get("finding")
            if found and found["kind"] == finding["kind"]:
                case, finding = simpler, found
                break
            if tries >= limit:
                break
        else:
            break
    return case, finding
