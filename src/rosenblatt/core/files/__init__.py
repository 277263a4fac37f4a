"""What takes files apart: kernels that read bytes."""
