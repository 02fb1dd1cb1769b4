"""Our own theorems, beyond what is printed."""

from oubli.theory.paper.sharper import (
    cube,
    exact,
    kink,
    linear,
    lower,
    near_sphere,
    noise,
    privacy,
    radial,
    release,
    scratch,
    sensitivity,
    sgd,
    staircase,
    sums,
    two_point,
)

SHARPER = (
    near_sphere,
    noise,
    release,
    sgd,
    sums,
    linear,
    scratch,
    privacy,
    radial,
    staircase,
    sensitivity,
    lower,
    cube,
    two_point,
    kink,
    exact,
)
