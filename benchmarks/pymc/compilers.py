"""The compilers that are measured, as modes of PyTensor's."""


def mode_of(compiler):
    """The mode; imports what the compiler needs, so call it before PyMC is imported."""
    if compiler == "clinch":
        import clinch.pytensor

        clinch.pytensor.use()
        return "CLINCH"
    if compiler == "numba":
        return "NUMBA"
    from pytensor.compile.mode import Mode

    return Mode("cvm", "fast_run")
