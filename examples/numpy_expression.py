"""Compile a function of NumPy arrays into one vectorised loop."""

import numpy as np

import clinch


@clinch.jit
def distances(points, centre):
    away = points - centre
    return np.sqrt((away * away).sum(axis=1))


points = np.array([[3.0, 4.0], [6.0, 8.0]])
print(distances(points, np.zeros(2)))  # prints: [ 5. 10.]
