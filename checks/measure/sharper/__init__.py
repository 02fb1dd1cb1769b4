"""How the letters of our own, sharper claims are measured."""
