"""The name that was probably meant."""


def nearest(name, names):
    """The name that is much like this one, or None."""
    import difflib  # Only where something is wrong: it takes 2 ms.
    return next(iter(difflib.get_close_matches(name, names, 1)), None)


def did_you_mean(name, names):
    """"; did you mean `x`?" or what there is, for the end of a message."""
    names = list(names)
    close = nearest(name, names)
    if close:
        return f"; did you mean `{close}`?"
    return f"; there are {', '.join(f'`{n}`' for n in names)}"
