"""The name that was probably meant."""


def distance(left, right):
    """Letters to insert, delete, replace or swap with their neighbour."""
    before, row = None, list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            swapped = (i > 1 and j > 1 and a == right[j - 2]
                       and left[i - 2] == b)
            row.append(min(cost, last[j - 2] + 1) if swapped else cost)
    return row[-1]


def nearest(name, names):
    """The name at most a third of its letters away, or None."""
    ranked = sorted((distance(name, other), other) for other in names)
    if ranked and ranked[0][0] <= max(1, len(ranked[0][1]) // 3):
        return ranked[0][1]
    return None


def did_you_mean(name, names):
    """"; did you mean `x`?" or what there is, for the end of a message."""
    names = list(names)
    close = nearest(name, names)
    if close:
        return f"; did you mean `{close}`?"
    return f"; there are {', '.join(f'`{n}`' for n in names)}"
