"""C text to functions, without graphs."""

from . import generic_ops


def compile(text):
    raise NotImplementedError


#: Theano's pages call the registries by this path.
compile.ops = generic_ops
