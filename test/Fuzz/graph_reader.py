"""The other process: a function from the disk cache, or from a pickle."""

import graph_ways

LIMIT = 60


def run(case):
    way = case["way"]
    if way["via"] == "pickle":
        return {"seen": graph_ways.observe(
            case, lambda: graph_ways.unpickled(case["pickle"]))}
    read = []

    def make():
        called = graph_ways.through_program(case, way, cache=True)
        read.append(called.program.stats["cache_from"])
        return called
    seen = graph_ways.observe(case, make)
    return {"seen": seen, "cache_from": read and read[0]}
