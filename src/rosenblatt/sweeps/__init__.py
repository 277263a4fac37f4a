"""Many experiments as one."""
