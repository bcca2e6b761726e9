"""The kernels of a text in CUDA, as the engine describes them."""

from __future__ import annotations

from ..base.suggestions import did_you_mean


class Kernels:
    """Code of kernels for a device."""

    def __init__(self, device: str, described: str) -> None:
        self.device = device
        lines = [line.split("\t") for line in described.splitlines()]
        #: The kernels: what the code calls each, and what the text calls it.
        self.kernels: dict[str, str] = {line[0]: line[1] for line in lines}
        #: Bytes of the shared variables that each kernel uses.
        self.shared_bytes: dict[str, int] = {line[0]: int(line[2]) for line in lines}
        #: The size and the alignment of each kernel's parameters.
        self.parameters: dict[str, list[tuple[int, int]]] = {
            line[0]: [(int(size), int(align)) for size, align in
                      (field.split(":") for field in line[3:])] for line in lines}

    def symbol(self, name: str) -> str:
        """Returns what the code calls the kernel that the text calls `name`."""
        found = [symbol for symbol, written in self.kernels.items()
                 if name in (symbol, written)]
        if not found:
            raise KeyError(f"the text has no kernel `{name}`"
                           + did_you_mean(name, self.kernels.values()))
        if len(found) > 1:
            raise KeyError(f"the text has {len(found)} kernels `{name}`: "
                           + ", ".join(f"`{one}`" for one in found))
        return found[0]

    def __repr__(self) -> str:
        return (f"<{type(self).__name__} for {self.device}: "
                f"{', '.join(self.kernels.values()) or 'no kernels'}>")
