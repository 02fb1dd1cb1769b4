"""Instances of the named algorithms, as the tests go through them."""

from oubli.sim.algorithms.registry import closed_forms, named_algorithms

# Those with a recipe: closed forms and kernels.
AVERAGED = [rule() for rule in closed_forms().values()]
IN_CLASS = [rule() for rule in named_algorithms().values() if not hasattr(rule, "outside_class")]


def name(rule):
    """For test ids."""
    return type(rule).__name__
