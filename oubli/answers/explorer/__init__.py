"""The explorable diagram: one HTML page that needs nothing else, with the calculator in JavaScript."""
