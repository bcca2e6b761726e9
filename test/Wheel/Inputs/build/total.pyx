def total(double[:] values):
    cdef double result = 0
    cdef Py_ssize_t i
    for i in range(values.shape[0]):
        result += values[i]
    return result
