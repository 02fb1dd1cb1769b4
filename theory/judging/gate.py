"""No record lets its proof assume anything of its letters: no slope, no mean, no value, nothing constant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def beyond(takes: Mapping[str, Any]) -> list[Any]:
    """What a certificate assumes of letters beyond where they range.

    >>> beyond({"letters": {}, "slopes": {}, "means": {}, "at": {}, "constant": [["y", "x"]]})
    [['constant', 'y', 'x']]
    """
    stated = [[part, name, of] for part in ("slopes", "means", "at") for name, of in takes[part].items()]
    return [*(["constant", *held] for held in takes["constant"]), *stated]
