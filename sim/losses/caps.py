"""Caps of the ball: how far a point of B(0, R) with <n, theta> >= c can be from a given centre.

A piece of a maximum of affine functions is active inside such caps only, one per competitor; the farthest
point of the cap from −slope/mu bounds the gradient mu·theta + slope there. A convex function on a cap is
largest on the sphere, and there either opposite the centre or on the rim, so the value is closed form.
"""

import numpy as np

from oubli.sim.geometry import norms
from oubli.sim.require import Array


def farthest_in_cap(slopes: Array, offsets: Array, R: float, mu: float) -> Array:
    """Entry (i, j): the largest ‖theta + slopes_i/mu‖ over theta in B(0,R) where piece i beats piece j.

    Empty caps give −inf, identical pieces give the value on the whole ball.

    >>> farthest_in_cap(np.array([[1.0], [-1.0]]), np.zeros(2), 1.0, 1.0).tolist()
    [[2.0, 2.0], [2.0, 2.0]]
    """
    centres = -slopes / mu
    whole = R + norms(centres)
    normals = slopes[:, None, :] - slopes[None, :, :]
    size = norms(normals)
    safe = np.where(size > 0, size, 1.0)
    level = (offsets[None, :] - offsets[:, None]) / safe
    along = np.einsum("id,ijd->ij", centres, normals) / safe
    across = np.sqrt(np.maximum(norms(centres)[:, None] ** 2 - along**2, 0.0))
    rim = np.hypot(level - along, np.sqrt(np.maximum(R**2 - level**2, 0.0)) + across)
    # The point of the ball opposite the centre has height −R·along/‖centre‖ over the cap's plane.
    length = np.maximum(norms(centres), np.finfo(float).tiny)[:, None]
    opposite_inside = (-R * along / length >= level) | (norms(centres)[:, None] == 0)
    value = np.where(opposite_inside, whole[:, None], np.minimum(rim, whole[:, None]))
    value = np.where(level > R, -np.inf, np.where(level <= -R, whole[:, None], value))
    never = (size == 0) & (offsets[None, :] > offsets[:, None])
    return np.asarray(np.where(size > 0, value, np.where(never, -np.inf, whole[:, None])))


def piece_witnesses(slopes: Array, offsets: Array, R: float, mu: float) -> Array:
    """Points of the sphere where a piece's gradient is large: opposite its centre, and on the pairwise rims.

    >>> piece_witnesses(np.array([[1.0], [-1.0]]), np.zeros(2), 1.0, 1.0).shape[1]
    1
    """
    lengths = np.maximum(norms(slopes), np.finfo(float).tiny)
    opposite = R * slopes / lengths[:, None]
    normals = slopes[:, None, :] - slopes[None, :, :]
    size = np.maximum(norms(normals), np.finfo(float).tiny)
    units = normals / size[..., None]
    level = np.clip((offsets[None, :] - offsets[:, None]) / size, -R, R)
    flat = slopes[:, None, :] - np.einsum("id,ijd->ij", slopes, units)[..., None] * units
    flat_size = np.maximum(norms(flat), np.finfo(float).tiny)[..., None]
    rim = level[..., None] * units + np.sqrt(R**2 - level**2)[..., None] * flat / flat_size
    # A nudge into the piece's own side, so that rounding does not hand the rim to the competitor.
    rim = rim + 1e-9 * R * units
    points = np.concatenate([opposite, rim.reshape(-1, slopes.shape[1])])
    return np.asarray(points * (R / np.maximum(norms(points), R))[:, None])
