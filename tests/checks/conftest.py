"""What the tests of the command line share."""

import pytest

from oubli.cli.main import main


@pytest.fixture
def run(capsys):
    """Call the command line in this process: exit status, what is printed, what is said of errors."""

    def call(*arguments):
        with pytest.raises(SystemExit) as leaving:
            main([str(word) for word in arguments])
        return leaving.value.code, *capsys.readouterr()

    return call
