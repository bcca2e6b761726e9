"""PyTensor's DebugMode with Clinch as the C compiler."""

from pytensor.compile.debug.debugmode import DebugMode

from clinch.pytensor.config import compiling


class ClinchDebugMode(DebugMode):
    """Runs each apply in Python and in C, and compares."""

    def __init__(self, *args, check_c_code=True, **kwargs):
        super().__init__(*args, check_c_code=check_c_code, **kwargs)

    @property
    def function_maker(self):
        original = super().function_maker

        class Maker(original):
            """DebugMode's maker; all its C comes from Clinch."""

            def __init__(self, *args, **kwargs):
                with compiling():
                    super().__init__(*args, **kwargs)

            def create(self, *args, **kwargs):
                with compiling():
                    return super().create(*args, **kwargs)

        return Maker
