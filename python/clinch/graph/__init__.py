"""Variables, constants and the applies between them."""

from .variables import (Apply, Constant, Creation, DtypeName, Variable,  # noqa: F401
                        _rebuild_variable, register_transfer, transfer)
