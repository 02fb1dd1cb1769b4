"""Untrusted search for proofs and witnesses: engines, the elaborator, models, balls."""
