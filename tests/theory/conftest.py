"""What the tests of the kernel share."""

from time import process_time

import pytest

from oubli.theory.kernel.poly import BUDGET, SECONDS, WORK


@pytest.fixture(autouse=True)
def fresh_budget() -> None:
    """Each test may cost what one certificate may: what is called by hand does not start it."""
    WORK[:] = [BUDGET, process_time() + SECONDS]
