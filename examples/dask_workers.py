"""Send a compiled function to Dask's workers, which compile nothing."""

import dask.bag

import clinch

x = clinch.double("x")
half = clinch.function([x], x / 2)
if __name__ == "__main__":
    bag = dask.bag.from_sequence([1.0, 2.0, 3.0])
    print(bag.map(half).compute(scheduler="processes"))  # prints: [0.5, 1.0, 1.5]
