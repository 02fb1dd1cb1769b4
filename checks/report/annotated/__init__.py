"""The user's own TeX with the verdicts in its margin: matched by digest, rendered by LaTeXML, marked."""
