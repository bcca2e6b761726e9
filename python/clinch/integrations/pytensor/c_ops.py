"""The classes of Ops with C of their own, which PyTensor plans to do without."""

try:
    from pytensor.link.c.op import COp, OpenMPOp
except ImportError:
    from pytensor.graph.op import Op
    from pytensor.link.c.interface import CLinkerOp

    class COp(Op, CLinkerOp):
        """Ours only: PyTensor's Ops have no C that we know how to ask for."""

    class OpenMPOp(COp):
        """No Op is one."""
