"""Messages between the audit and the process of a rule: a head, then raw numbers.

The audit sends pickles, which the rule's process may read; it is answered in JSON and raw numbers, because
reading a pickle of a process that is not trusted would run its code here.
"""

from __future__ import annotations

import socket
import struct
import time

import numpy as np

from oubli.sim.require import Array

SIZES = struct.Struct("<QQ")
MOST_HEAD = 1 << 26


class ClosedError(Exception):
    """The other side is gone."""


def send(line: socket.socket, head: bytes, *arrays: Array, timeout: float | None = None) -> None:
    """One message; TimeoutError if the other side does not take it in time."""
    parts = [memoryview(np.ascontiguousarray(array).data).cast("B") for array in arrays if array.size]
    line.settimeout(timeout)
    try:
        line.sendall(SIZES.pack(len(head), sum(part.nbytes for part in parts)) + head)
        for part in parts:
            line.sendall(part)
    except (BrokenPipeError, ConnectionResetError):
        raise ClosedError from None


def receive(line: socket.socket, most: int, timeout: float | None = None) -> tuple[bytes, bytearray]:
    """The next message, with at most so many bytes of numbers, or ClosedError, TimeoutError, ValueError."""
    end = None if timeout is None else time.monotonic() + timeout
    head, body = SIZES.unpack(bytes(_exactly(line, SIZES.size, end)))
    if head > MOST_HEAD or body > most:
        raise ValueError(f"a message of {head} + {body} bytes")
    return bytes(_exactly(line, head, end)), _exactly(line, body, end)


def _exactly(line: socket.socket, size: int, end: float | None) -> bytearray:
    found, seen = bytearray(size), 0
    while seen < size:
        left = None if end is None else end - time.monotonic()
        if left is not None and left <= 0:
            raise TimeoutError
        line.settimeout(left)
        try:
            got = line.recv_into(memoryview(found)[seen:])
        except ConnectionResetError:
            got = 0
        if got == 0:
            raise ClosedError
        seen += got
    return found
