"""The synthetic experiment."""
