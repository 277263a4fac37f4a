"""Teachers that drift: stationary states and the best constants of learning."""
