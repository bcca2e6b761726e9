"""`Solve` by what is assumed of the matrix: symmetric, tridiagonal or banded, too."""

from clinch.pytensor.native.lapack import DTYPES, dtype_of
from clinch.pytensor.native.solving import OF_ONE_HALF, General, Positive, Solution


class Symmetric(Solution):
    """A symmetric matrix, of which one half counts."""

    item_of_norm = OF_ONE_HALF
    routine = "sytrf"
    parameters = "char *, int *, T *, int *, int *, T *, int *, int *"
    more = {
        "sycon": "char *, int *, T *, int *, int *, T *, T *, T *, int *, int *",
        "sytrs": "char *, int *, int *, T *, int *, int *, T *, int *, int *",
    }
    measure = """{item} wanted = 0;
    int ask = -1;
    lapack_{name}(&which, &size, items, &size, nullptr, &wanted, &ask, &status);
    room = (int)wanted > 4 * size ? (int)wanted : 4 * size;
    int length_of_work = (int)room;"""
    calls = {
        "factors": "lapack_{name}(&which, &size, items, &size, places, work, "
        "&length_of_work, &status);",
        "condition": "sycon_{name}(&which, &size, items, &size, places, &length, "
        "&inverse, work, places + size, &status);",
        "solution": "sytrs_{name}(&which, &size, &count, items, &size, places, "
        "({item} *)PyArray_DATA(right), &size, &status);",
    }


class Tridiagonal(Solution):
    """A matrix of three diagonals; what else is in it does not count."""

    item_of_norm = "(i <= j + 1 && j <= i + 1 ? items[i + j * size] : 0)"
    doubtful = 2
    routine = "gttrf"
    parameters = "int *, T *, T *, T *, T *, int *, int *"
    more = {
        "gtcon": "char *, int *, T *, T *, T *, T *, int *, T *, T *, T *, int *, int *",
        "gttrs": "char *, int *, int *, T *, T *, T *, T *, int *, T *, int *, int *",
    }
    measure = "room = 6 * (npy_intp)size;"
    calls = {
        "factors": """for (npy_intp i = 0; i != size; ++i) {{
        work[size + i] = items[i + i * size];
        if (i + 1 != size) {{
          work[i] = items[i + 1 + i * size];
          work[2 * size + i] = items[i + (i + 1) * size];
        }}
      }}
      {item} *below = work, *middle = work + size, *above = work + 2 * size;
      {item} *second = work + 3 * size, *free_work = work + 4 * size;
      lapack_{name}(&size, below, middle, above, second, places, &status);""",
        "condition": "gtcon_{name}(&norm, &size, below, middle, above, second, places, "
        "&length, &inverse, free_work, places + size, &status);",
        "solution": "gttrs_{name}(&turned, &size, &count, below, middle, above, second, "
        "places, ({item} *)PyArray_DATA(right), &size, &status);",
    }


class Banded(Solution):
    """A matrix with zeros beside a band, which is found here."""

    doubtful = 2
    routine = "gbtrf"
    parameters = "int *, int *, int *, int *, T *, int *, int *, int *"
    more = {
        "gbcon": "char *, int *, int *, int *, T *, int *, int *, T *, T *, T *, int *, "
        "int *",
        "gbtrs": "char *, int *, int *, int *, int *, T *, int *, int *, T *, int *, "
        "int *",
    }
    measure = """int under = 0, over = 0;
    for (int j = 0; j != size; ++j)
      for (int i = 0; i != size; ++i)
        if (items[i + (npy_intp)j * size] != 0) {{
          under = i - j > under ? i - j : under;
          over = j - i > over ? j - i : over;
        }}
    int high = 2 * under + over + 1;
    room = (high + 3) * (npy_intp)size;"""
    calls = {
        "factors": """{item} *band = work + 3 * (npy_intp)size;
      for (npy_intp j = 0; j != size; ++j)
        for (npy_intp k = 0; k != high; ++k) {{
          npy_intp i = j + k - under - over;
          bool inside = k >= under && i >= 0 && i < size;
          band[k + j * high] = inside ? items[i + j * size] : 0;
        }}
      lapack_{name}(&size, &size, &under, &over, band, &high, places, &status);""",
        "condition": "gbcon_{name}(&norm, &size, &under, &over, band, &high, places, "
        "&length, &inverse, work, places + size, &status);",
        "solution": "gbtrs_{name}(&turned, &size, &under, &over, &count, band, &high, "
        "places, ({item} *)PyArray_DATA(right), &size, &status);",
    }


_SOLUTIONS = {
    "gen": General,
    "pos": Positive,
    "sym": Symmetric,
    "her": Symmetric,
    "tridiagonal": Tridiagonal,
    "banded": Banded,
}


def for_solve(node):
    op, dtype = node.op, dtype_of((*node.inputs, *node.outputs))
    known = {"assume_a", "lower", "b_ndim", "overwrite_a", "overwrite_b"}
    if dtype not in DTYPES or set(op.__props__) != known:
        return None
    make = _SOLUTIONS.get(op.assume_a)
    return make(op, dtype) if make else None
