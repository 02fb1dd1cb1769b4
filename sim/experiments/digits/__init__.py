"""The experiment on handwritten digits."""
