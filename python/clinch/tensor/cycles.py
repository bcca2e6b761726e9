"""Selects groups of applies that can each run as a whole."""


def without_cycles(groups, order, made):
    """Removes groups until none wait for one another: a path from a group back to
    itself may lead through several members of another."""
    while True:
        stuck = _stuck(groups, order, made)
        if not stuck:
            return groups
        least = min(stuck, key=len)
        groups = [group for group in groups if group is not least]


def _stuck(groups, order, made):
    """Returns the groups that cannot run as wholes, in any order."""
    units = [group for group in groups if len(group) > 1]
    grouped = set().union(*units)
    units += [{node} for node in order if node not in grouped]
    unit_of = {node: n for n, unit in enumerate(units) for node in unit}
    needs = [{unit_of[made[v]] for node in unit for v in node.inputs
              if v in made} - {n} for n, unit in enumerate(units)]
    needed_by = [[] for _ in units]
    for n, others in enumerate(needs):
        for other in others:
            needed_by[other].append(n)
    ready = [n for n, others in enumerate(needs) if not others]
    while ready:
        done = ready.pop()
        for n in needed_by[done]:
            needs[n].discard(done)
            if not needs[n]:
                ready.append(n)
    return [unit for n, unit in enumerate(units) if needs[n] and len(unit) > 1]
