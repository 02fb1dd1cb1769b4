"""Runs of algorithms: chains, expected risks, times."""
