"""Ordinary NumPy code under `jit`, each snippet compared with NumPy in type, dtype,
shape and value. What cannot be compiled says why, as docs/reference/numpy-code.md does.
"""

import numpy as np
import pytest

import clinch

ARRAYS = {
    "x": np.array([0.5, -1.25, 3.0, 0.0, 2.5, -0.75, 1.0]),
    "y": np.array([1.0, 2.0, -0.5, 4.0, 0.25, 3.0, 1.5]),
    "m": np.arange(12.0).reshape(3, 4) - 4.5,
    "s": np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]),
    "t": np.arange(24.0).reshape(2, 3, 4) / 7,
    "k": np.array([3, 0, 2, 5, 2, 1, 4]),
    "b": np.array([True, False, True, True, False, False, True]),
    "z": np.array([1 + 2j, -0.5j, 3.0, -1 - 1j]),
    "w": np.array([1.0, np.nan, -2.0, np.inf, 0.5, np.nan, 3.0]),
}

SNIPPETS = """
x.copy() * 2
np.zeros(x.shape) + x
np.zeros(len(x)) + y
np.diff(x)
np.diff(m, axis=0, n=2)
np.cumsum(x)
np.cumsum(m, axis=1)
np.cumprod(1 + x / 10)
m[:, :1].squeeze()
np.squeeze(m[None], axis=0)
np.expand_dims(x, 0) * np.expand_dims(y, 1)
np.outer(x, y)
np.inner(x, y)
np.vdot(z, z * 2)
np.linalg.norm(x)
np.linalg.norm(m, axis=1, keepdims=True)
np.linalg.norm(m, 'fro')
np.trace(s)
np.diag(s) + np.diagonal(m[:, :3])
np.flip(m, axis=1) + m[::-1]
np.fliplr(np.flipud(m))
np.roll(x, 2)
np.roll(m, -1, axis=1)
np.tile(x, 2)
np.tile(m, (2, 1))
np.repeat(x, 3)
np.repeat(m, 2, axis=0)
np.hstack([x, y])
np.vstack([x, y])
np.column_stack((x, y))
np.concatenate([m, m * 2], axis=1)
np.stack([x, y], axis=-1).mean(axis=1)
np.round(x * 1.2345, 2)
np.isclose(x, x + 1e-9)
np.allclose(m, m * (1 + 1e-12))
np.array_equal(x, y)
np.nansum(w[:3]) + np.nanmean(w[4:])
np.nanmax(w[:3]) - np.nanmin(w)
np.nanstd(w[4:])
np.nan_to_num(w, nan=0.0)
np.heaviside(x, 0.5)
np.logaddexp(x, y)
np.select([x > 1, x < 0], [x, -x], default=9.0)
np.where(x > 0, np.log(np.abs(x) + 1), 0)
np.einsum('ij,jk->ik', s, m)
np.einsum('ij,ij->i', m, m)
np.einsum('i,j', x, y)
np.einsum('ijk->k', t)
np.sort(x)[::-1]
y[np.argsort(x)]
np.searchsorted(np.sort(x), y)
np.nonzero(x)
x[np.nonzero(b)[0]]
np.median(m, axis=0)
np.percentile(x, 75)
np.interp(y, np.arange(7.0), x)
np.exp(x - x.max()) / np.exp(x - x.max()).sum()
(x - x.mean()) / x.std()
np.log(np.sum(np.exp(m), axis=1))
1 / (1 + np.exp(-m @ np.ones(4)))
np.maximum(0, m @ m.T)
np.sqrt(((x[:, None] - y[None, :]) ** 2))
x[1:-1] - 0.5 * (x[2:] + x[:-2])
x[b].sum() / b.sum()
np.clip(x, -1, 1).round(1)
np.polyval([1.0, -2.0, 0.5], x)
np.ptp(m, axis=0)
np.average(x, weights=y)
np.count_nonzero(x > 0)
np.argmax(m, axis=1) + np.argmin(m)
np.moveaxis(t, 0, -1).reshape(3, 8)
np.broadcast_to(x, (3, 7)) + 1
np.meshgrid(x, y)
np.triu(s) + np.tril(s, -1)
np.cross(s[0], s[1])
np.kron(s, np.ones((1, 2)))
np.take(x, k)
np.append(x, [1.0, 2.0])
np.split(m, 2, axis=1)
np.gradient(x)
np.convolve(x, [0.25, 0.5, 0.25], 'same')
np.cov(m)
np.unique(k)
np.bincount(k)
np.add.accumulate(x)
np.linspace(0, 1, 7) * x
x.astype('float32').mean(dtype='float64')
np.angle(z) + np.abs(z) + z.real
np.linalg.inv(s) @ s
np.linalg.det(s)
np.fft.fft(x)
np.sum(x, where=b)
""".strip().splitlines()

#: What later snippets of that kind asked for.
SNIPPETS += """
x.mean(where=b) + np.prod(y, where=b, initial=2.0)
m.mean(axis=0, where=m > 0)
x.max(initial=10.0) + np.min(x, initial=-9.0, where=b)
x[:0].max(initial=3.0)
k.sum(initial=3) + k.max(initial=9)
np.any(x > 2, where=b) | (x > -9).all(where=b)
np.rot90(m) @ np.rot90(m, -1).T[:3] + np.rot90(m, 2)[0]
np.rot90(m, 4)
np.tensordot(m, m, axes=([1], [1])) + np.tensordot(s, s, 1)
np.tensordot(m, m, ([1, 0], [1, 0])) + np.tensordot(m, m)
np.tensordot(x, y, 0)
np.block([[s, s * 2], [s * 3, s]])
np.block([x, 2.0])
np.array([x.sum(), x.max()])
np.linspace(x.min(), x.max(), 5)
np.linspace(k[0], k[1], 4, endpoint=False)
np.modf(w)
np.modf(k)
np.sinc(x)
np.sinc(k)
np.hsplit(m, 2) + np.vsplit(m, 3) + np.dsplit(t, 2)
np.empty_like(m).shape
np.subtract.outer(m, x)
np.multiply.outer(x, 2.0)
np.ediff1d(x)
np.unwrap(x * 3)
np.vander(x, 3)
np.polyfit(x, y, 1)
np.compress(b, x)
np.extract(x > 0, x)
np.resize(x, (2, 3))
np.nanargmax(w[:3])
np.spacing(x)
np.i0(x)
np.apply_along_axis(np.sum, 0, m)
""".strip().splitlines() + [f"np.{name}({given})" for name in ("trapezoid", "trapz")
                           for given in ("y, x", "m, axis=0, dx=2", "m, m * m, axis=1")
                           if hasattr(np, name)]

#: Snippet -> why it is not compiled.
NOT_HERE = {
    "np.linalg.svd(m)": "numpy.linalg.svd has no Op that computes it in a graph",
    "np.histogram(x)": "numpy.histogram has no Op that computes it in a graph",
    "np.broadcast_arrays(x, x[:, None])":
        "the result is a view at a place that only a call knows",
}


def run(snippet, jitted):
    used = compile(snippet, "<snippet>", "eval").co_names
    names = [name for name in ARRAYS if name in used]
    function = eval(f"lambda {', '.join(names)}: {snippet}", {"np": np})
    if jitted:
        function = clinch.jit(function, strict=True)
    with np.errstate(all="ignore"):
        return function(*[ARRAYS[name].copy() for name in names])


def same(got, want):
    """Equal in type, dtype and shape, and in value but for the last bits."""
    assert type(got) is type(want), (got, want)
    if isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for one, other in zip(got, want):
            same(one, other)
    elif isinstance(want, (np.ndarray, np.generic)):
        assert got.dtype == want.dtype and got.shape == want.shape
        np.testing.assert_allclose(got, want, 1e-12, 1e-15)
    else:
        assert got == want


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_it_is_what_numpy_says(snippet):
    same(run(snippet, True), run(snippet, False))


@pytest.mark.parametrize("snippet", NOT_HERE)
def test_what_is_not_here_says_so(snippet):
    with pytest.raises(TypeError) as error:
        run(snippet, True)
    assert str(error.value) == NOT_HERE[snippet]
