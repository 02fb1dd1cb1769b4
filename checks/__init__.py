"""Theory against simulation: the only package that sees both."""
