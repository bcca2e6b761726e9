"""What is printed and kept of comparisons."""

import json


class Table:
    """Prints a line for each comparison and keeps it."""

    def __init__(self):
        self.results = []

    def note(self, name, ours, unit):
        """A figure without a target."""
        print(f"{name:46} {ours:10.4g} {unit}", flush=True)

    def markdown(self):
        """The rows as a page of documentation has them."""
        rows = [
            "| what | Clinch | beside | times | target | |",
            "|---|---|---|---|---|---|",
        ]
        for r in self.results:
            beside = f"{r['rival']:.4g} {r['rival_name']}" if r["rival"] else ""
            times = f"{r['ratio']:.2f}" if r["ratio"] else ""
            met = "met" if r["met"] else "**missed**"
            rows.append(
                f"| {r['name']} | {r['ours']:.4g} {r['unit']} | {beside} | {times} "
                f"| {r['target']:.4g} | {met} |"
            )
        return "\n".join(rows)

    def show(self, path):
        """Prints all, and writes it to `path`, if there is one."""
        print("\n" + self.markdown())
        if path:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(self.results, file, indent=1)

    def add(self, name, ours, rival, rival_name, target, unit="ms", at_most=None):
        """`target` is how often ours must fit into the rival's; or `at_most`."""
        ratio = rival / ours if rival is not None else None
        met = ours <= at_most if at_most is not None else ratio >= target
        self.results.append(
            {
                "name": name,
                "ours": ours,
                "rival": rival,
                "rival_name": rival_name,
                "unit": unit,
                "ratio": ratio,
                "target": at_most if at_most is not None else target,
                "met": met,
            }
        )
        wanted = f"<= {at_most:g} {unit}" if at_most is not None else f">= {target:g}x"
        beside = f"{rival:12.4g} {rival_name}" if rival is not None else ""
        times = f"{ratio:8.2f}x" if ratio is not None else ""
        print(
            f"{name:46} {ours:10.4g} {unit} {beside:22} {times:9} {wanted:12} "
            f"{'met' if met else 'NOT met'}",
            flush=True,
        )
