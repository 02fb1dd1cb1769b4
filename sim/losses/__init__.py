"""Losses of the class, and the test that a loss is in it."""
