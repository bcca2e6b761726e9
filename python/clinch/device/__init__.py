"""CUDA's driver: memory on a device, and launches of kernels."""
