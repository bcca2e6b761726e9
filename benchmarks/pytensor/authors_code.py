"""The C of an Op as an author writes one."""

CODE = """
    npy_intp n = PyArray_DIM({x}, 0);
    if (!{z} || PyArray_DIM({z}, 0) != n) {{
        Py_XDECREF({z});
        {z} = (PyArrayObject *)PyArray_EMPTY(1, &n, NPY_DOUBLE, 0);
        if (!{z}) {{
            {fail}
        }}
    }}
    for (npy_intp i = 0; i < n; ++i) {{
        double value = *(double *)PyArray_GETPTR1({x}, i);
        if (value != value) {{
            PyErr_SetString(PyExc_ValueError, "an item is not a number");
            {fail}
        }}
        *(double *)PyArray_GETPTR1({z}, i) = {scale} * value + {shift};
    }}
"""
