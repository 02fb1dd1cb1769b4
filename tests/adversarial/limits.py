"""A limit on what the checker may take, for tests of certificates that want more."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

# Processor time, with room for a slow machine: each takes about 4 s at most on the one it was written on.
SECONDS = 30


@contextmanager
def limited() -> Iterator[None]:
    """AssertionError, not a test that hangs, if something takes much longer than it may."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt("it computes for ever")

    before, start = signal.signal(signal.SIGALRM, stop), time.process_time()
    signal.alarm(4 * SECONDS)
    try:
        yield
    except KeyboardInterrupt as why:
        raise AssertionError(str(why)) from None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert time.process_time() - start < SECONDS
