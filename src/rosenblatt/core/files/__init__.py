"""Kernels that read the bytes of files."""
