"""What has to wait until somebody imports a module."""

import importlib.abc
import importlib.util
import sys


class _Loader(importlib.abc.Loader):
    """A module's own loader, and then what waited for the module."""

    def __init__(self, own, then):
        self.own = own
        self.then = then

    def create_module(self, spec):
        return self.own.create_module(spec)

    def exec_module(self, module):
        module.__spec__.loader = module.__loader__ = self.own
        self.own.exec_module(module)
        self.then()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules as all others do, and remembers who waits for them."""

    def __init__(self):
        self.waiting = {}

    def find_spec(self, name, path=None, target=None):
        then = self.waiting.pop(name, None)
        if then is None:
            return None
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            self.waiting[name] = then
            return spec
        spec.loader = _Loader(spec.loader, then)
        return spec


_finder = _Finder()


def when_imported(name, then):
    """Calls `then()` once the module is there: at once, if it is there already."""
    if name in sys.modules:
        then()
        return
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _finder.waiting[name] = then
