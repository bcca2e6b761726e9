"""Ops on arrays in a text of a graph: what they were made of, not only their
class."""


def labelled(text, order):
    """The text of the stage "graph" with the labels of these applies, whose
    lines come in this order."""
    lines = text.splitlines()
    at = 0
    for node in order:
        said = f" = {type(node.op).__name__}("
        at = next((k for k in range(at, len(lines)) if said in lines[k]), None)
        if at is None:
            break
        label = getattr(node.op, "graph_label", None)
        if isinstance(label, str):
            lines[at] = lines[at].replace(said, f" = {label}(", 1)
        at += 1
    return "\n".join(lines) + "\n"
