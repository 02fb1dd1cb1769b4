"""Engines: they search, untrusted; the checker accepts or rejects what they bring."""
