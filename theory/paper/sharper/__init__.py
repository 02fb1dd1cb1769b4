"""Our own theorems, beyond what is printed."""

from oubli.theory.paper.sharper import (
    bayes_kink,
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
    sensitivity,
    lower,
    cube,
    two_point,
    kink,
    bayes_kink,
    exact,
)
