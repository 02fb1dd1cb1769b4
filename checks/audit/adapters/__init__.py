"""Rules written elsewhere: for one model at a time, in PyTorch, or in JAX."""
