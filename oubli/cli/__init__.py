"""One file per command of `oubli`."""
