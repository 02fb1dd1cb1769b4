"""`python -m oubli`: the command, where its script is not on the path."""

from oubli.cli.main import main

if __name__ == "__main__":
    main()
