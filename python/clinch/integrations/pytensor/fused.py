"""One loop for an Elemwise of vectors, the gathers in front of it, and the scatters and
sums behind it.

Models with groups have them: `a[group]` in the log-density, and `zeros[group] += g` and
sums in its gradient. Apart, each gather and each Elemwise writes a vector that the next
one reads, and each sum and each scatter waits for its last addition before the next.
"""

from pytensor.graph.basic import Apply

from clinch.integrations.pytensor.fused_text import is_scatter, text
from clinch.integrations.pytensor.joined import JoinedOp


class FusedLoop(JoinedOp):
    """An Elemwise of vectors with what was in front of it and behind it.

    Its inputs are those of the Elemwise, but a vector and its indices for what is
    gathered; then a vector and its indices for each scatter. Its outputs are those of
    the Elemwise that others read, then those of `behind`.
    """

    __props__ = ("elemwise", "gathers", "kept", "behind")

    def __init__(self, elemwise, gathers, kept, behind):
        #: For each input of the Elemwise the Op that gathers it, or None.
        self.gathers = gathers
        self.elemwise = elemwise
        #: Where among the Elemwise's outputs those are that others read.
        self.kept = kept
        #: Pairs: where the output is that is summed or scattered, and the Op.
        self.behind = behind
        # What a pickle changes is this one: see `pickling.as_it_arrives`.
        self.scalar_op = elemwise.scalar_op

    def made(self, inputs):
        return self.parts(inputs)[1]

    def parts(self, inputs):
        """Returns the apply of the Elemwise, and the outputs."""
        rest = iter(inputs)
        taken = []
        for gather in self.gathers:
            vector = next(rest)
            taken.append(vector if gather is None else gather(vector, next(rest)))
        middle = self.elemwise.make_node(*taken)
        outputs = [middle.outputs[i] for i in self.kept]
        for place, op in self.behind:
            made = middle.outputs[place]
            given = (next(rest), made, next(rest)) if is_scatter(op) else (made,)
            outputs += op.make_node(*given).outputs
        return middle, outputs

    def applies(self, middle, outputs):
        """Returns the applies that it stands for: gathers, the Elemwise, those behind."""
        gathers = zip(self.gathers, middle.inputs, strict=True)
        taken = [v.owner for gather, v in gathers if gather is not None]
        return [*taken, middle, *(v.owner for v in outputs[len(self.kept) :])]

    def as_written(self, node):
        middle, outputs = self.parts(node.inputs)
        for apply, trace in zip(self.applies(middle, outputs), node.tag.traces, strict=True):
            for v in apply.outputs:
                v.tag.trace = trace
        return outputs

    def make_node(self, *inputs):
        return Apply(self, list(inputs), [v.type() for v in self.made(inputs)])

    def scalars(self):
        return [self.scalar_op]

    def c_support_code_apply(self, node, name):
        return self.scalar_op.c_support_code_apply(node, f"{name}_scalar_")

    def c_code(self, node, name, inputs, outputs, sub):
        return text(self, node, name, inputs, outputs, sub)

    def __str__(self):
        return f"FusedLoop{{{self.elemwise}}}"
