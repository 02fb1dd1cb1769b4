"""Shapes of JSON values, and the first place at which a value has another one.

A shape is a type, a tuple of types, `[shape]` for a list, `{name: shape}` for an object (a name that
ends in "?" may be absent), or `Maybe(shape)` where null is accepted too.
"""

from dataclasses import dataclass
from typing import Any

Number = (int, float)
_NAMES = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}


class MalformedError(ValueError):
    """A value that nothing can be made from; the message says where and what is accepted."""


@dataclass(frozen=True)
class Maybe:
    """The shape, or null."""

    shape: Any


def fit(value: Any, shape: Any, where: str) -> None:
    """Nothing, if the value has the shape; MalformedError with the place, if not.

    >>> fit({"a": [1]}, {"a": [int], "b?": str}, "it")
    >>> fit({"a": ["x"]}, {"a": [int]}, "it")
    Traceback (most recent call last):
      ...
    oubli.checks.report.shape.MalformedError: it.a[0] should be a whole number, not 'x'
    """
    match shape:
        case Maybe():
            if value is not None:
                fit(value, shape.shape, where)
        case dict():
            _fit_object(value, shape, where)
        case [inner] if isinstance(shape, list):
            _require(isinstance(value, list), "a list", value, where)
            for number, item in enumerate(value):
                fit(item, inner, f"{where}[{number}]")
        case _:
            kinds = shape if isinstance(shape, tuple) else (shape,)
            # In Python a bool is an int; in JSON it is not.
            right = isinstance(value, kinds) and isinstance(value, bool) <= (bool in kinds)
            _require(right, _NAMES[kinds[-1]], value, where)


def _fit_object(value: Any, shape: dict[str, Any], where: str) -> None:
    _require(isinstance(value, dict), "an object", value, where)
    for name, inner in shape.items():
        bare = name.removesuffix("?")
        if bare in value:
            fit(value[bare], inner, f"{where}.{bare}")
        elif bare == name:
            raise MalformedError(f"{where} has no field {name}")


def _require(right: bool, wanted: str, value: Any, where: str) -> None:
    if not right:
        raise MalformedError(f"{where} should be {wanted}, not {value!r:.40}")
