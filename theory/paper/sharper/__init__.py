"""Our own theorems, beyond what is printed."""

from oubli.theory.paper.sharper import (
    cube,
    exact,
    kink,
    linear,
    lower,
    noise,
    privacy,
    release,
    scratch,
    sensitivity,
    sgd,
    staircase,
    sums,
    two_point,
)

SHARPER = (
    noise,
    release,
    sgd,
    sums,
    linear,
    scratch,
    privacy,
    staircase,
    sensitivity,
    lower,
    cube,
    two_point,
    kink,
    exact,
)
