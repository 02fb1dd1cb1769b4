"""oubli."""
