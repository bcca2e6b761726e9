"""Builds the extension modules of this folder."""

import numpy
from setuptools import Extension, setup

setup(name="modules", ext_modules=[
    Extension("plain", ["plain.c"]), Extension("throwing", ["throwing.cpp"]),
    Extension("array_of_numpy", ["array.c"], include_dirs=[numpy.get_include()])])
