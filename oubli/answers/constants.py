"""L, mu and R of a regularised model from its data, and whether the class's ball R = L/(2 mu) fits it.

With b = |x| and the regulariser (lambda/2) |theta|^2, every loss is lambda-strongly convex, so mu = lambda.
On the ball |theta| <= R the gradient of a loss has a norm of at most

* logistic: s b + lambda R, s = 1 for two classes (the sigmoid is below 1) and sqrt(2) for more (the length of
  a probability vector minus a unit vector). With R = L/(2 lambda) this is at most L from L = 2 s b on.
* ridge, (x theta - y)^2/2: b (b R + |y|) + lambda R, attained. With R = L/(2 lambda) this is at most L only
  where lambda > b^2, from L = 2 lambda b |y|/(lambda - b^2) on.

In both cases the unconstrained optimum lies in the ball: |theta*| <= |gradient at 0|/lambda <= L/(2 lambda).
"""

from __future__ import annotations

import textwrap
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oubli.display import html_table, to_frame
from oubli.errors import InputError
from oubli.words import member

Floats = NDArray[np.float64]
WIDTH = 100


class Model(StrEnum):
    """The models whose constants are known."""

    LOGISTIC = "logistic"
    RIDGE = "ridge"


@dataclass(frozen=True, repr=False)
class ModelConstants:
    """The constants of a model; L, R and e0 are None where the class's ball does not fit.

    Examples:
        >>> import oubli
        >>> found = oubli.constants([[3.0, 4.0], [0.0, 1.0]], [0, 1], model="logistic", lam=0.1)
        >>> found.in_class, found.n, found.dim
        (True, 2, 2)
    """

    model: str
    n: int
    dim: int
    classes: int | None
    mu: float
    bound: float
    L: float | None
    R: float | None
    e0: float | None
    words: tuple[str, ...]

    @property
    def in_class(self) -> bool:
        """Whether every loss is L-Lipschitz and mu-strongly convex on |theta| <= L/(2 mu)."""
        return self.L is not None

    @property
    def data(self) -> dict[str, Any]:
        """The JSON object."""
        return {**asdict(self), "words": list(self.words), "in_class": self.in_class}

    def to_frame(self) -> Any:
        """One row of a pandas DataFrame (the extra `frames`)."""
        return to_frame([self.data])

    def __repr__(self) -> str:
        fits = f"L = {self.L:.6g}, R = {self.R:.6g}" if self.in_class else "outside the class"
        return f"<{self.model}: mu = {self.mu:.6g}, {fits}, d = {self.dim}>"

    def __str__(self) -> str:
        rows = [("model", f"{self.model}, n = {self.n:,}, d = {self.dim:,}"), ("mu", f"{self.mu!r}")]
        rows += [(name, repr(getattr(self, name))) for name in ("L", "R", "e0") if self.in_class]
        words = (line for word in self.words for line in textwrap.wrap(word, WIDTH, subsequent_indent="  "))
        return "\n".join([*(f"{name:<9}  {text}" for name, text in rows), "", *words])

    def _repr_html_(self) -> str:
        return html_table(repr(self)[1:-1], [{"": word} for word in self.words])


def constants(
    X: ArrayLike,
    y: ArrayLike | None = None,
    *,
    model: Model | str,
    lam: float,
    bound: float | None = None,
    intercept: bool = False,
) -> ModelConstants:
    """L, mu and R = L/(2 mu) of a regularised model on some data, for `oubli.regime`.

    Args:
        X: The features, one row for each sample.
        y: The labels; for a logistic model they count the classes (two, if they are not given).
        model: "logistic" (softmax for more than two classes) or "ridge".
        lam: The weight λ of the regulariser (λ/2) ‖θ‖².
        bound: A bound on the norms of the features, fixed in advance; their largest, if none is given.
        intercept: Whether a constant 1 is a further feature, regularised like the others.

    Returns:
        The constants, rounded to the safe side, with words on what is certified; InputError for data
        that are no table of finite numbers.

    Examples:
        >>> import oubli
        >>> found = oubli.constants([[3.0, 4.0], [0.0, 1.0]], [0, 1], model="logistic", lam=0.1)
        >>> found.mu, round(found.L, 6), round(found.R, 6)
        (0.1, 10.0, 50.0)
    """
    kind = member(Model, model, "model")
    if not (np.isfinite(lam) and lam > 0):
        raise InputError(f"lambda = {lam:g}: lambda must be positive; without it no loss is strongly convex")
    table = _table(X, "X")
    if table.ndim != 2 or 0 in table.shape:
        raise InputError(f"X has the shape {table.shape}: a table of samples and features is needed")
    labels = None if y is None else _table(y, "y")
    if labels is not None and labels.shape != (len(table),):
        raise InputError(f"y has the shape {labels.shape}: {len(table)} labels are needed")
    b = _norms(table, intercept)
    B = float(b.max()) if bound is None else _bounded(bound, b)
    features = table.shape[1] + intercept
    if kind is Model.LOGISTIC:
        return _logistic(len(table), features, _classes(labels), lam, B, bound is not None)
    return _ridge(len(table), features, labels, lam, np.full_like(b, B) if bound is not None else b, B)


def _table(values: ArrayLike, name: str) -> Floats:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is no table of numbers") from None
    if not np.isfinite(found).all():
        raise InputError(f"{name} has values that are not finite")
    return found


def _norms(table: Floats, intercept: bool) -> Floats:
    """|x| of every row, rounded up: a sum of d squares is off by at most d + 2 roundings."""
    with np.errstate(over="ignore"):
        norms = np.sqrt((table**2).sum(axis=1) + intercept) * (1 + (table.shape[1] + 4) * 2.0**-52)
    if not np.isfinite(norms).all() or norms.max() > 1e50:
        raise InputError("X has rows longer than 1e50: scale the features")
    return np.asarray(norms)


def _bounded(bound: float, b: Floats) -> float:
    over = int((b > bound * (1 + 1e-12)).sum())
    if not bound > 0 or over:
        raise InputError(
            f"bound = {bound:g}: {over} rows of X are longer; clip them first, or raise the bound"
        )
    return float(bound)


def _classes(labels: Floats | None) -> int:
    return 2 if labels is None else max(2, len(np.unique(labels)))


def _logistic(n: int, features: int, classes: int, lam: float, B: float, fixed: bool) -> ModelConstants:
    s = 1.0 if classes == 2 else 2**0.5
    L = 2 * s * B * (1 + 2.0**-50)
    if L == 0:
        raise InputError("X is 0 everywhere: there is nothing to learn")
    dim = features if classes == 2 else features * classes
    about = f"L = 2 {'' if classes == 2 else 'sqrt(2) '}max|x| = {L:.6g}: on |theta| <= R each gradient has "
    words = (
        f"mu = lambda = {lam:g}: certified, the regulariser alone makes every loss strongly convex.",
        about + "a norm of at most L/2 from the loss and mu R = L/2 from the regulariser.",
        f"R = L/(2 mu) = {L / (2 * lam):.6g}: the class's ball fits for every lambda and has the optimum.",
        *_limits(fixed),
    )
    return ModelConstants("logistic", n, dim, classes, lam, B, L, L / (2 * lam), L * L / (8 * lam), words)


def _ridge(n: int, dim: int, labels: Floats | None, lam: float, b: Floats, B: float) -> ModelConstants:
    if labels is None:
        raise InputError("ridge: the labels y are needed, L depends on them")
    strong = f"mu = lambda = {lam:g}: certified, the regulariser alone makes every loss strongly convex."
    if not lam > B**2 * (1 + 2.0**-50):
        need = (
            f"No L fits: a squared loss is L-Lipschitz on |theta| <= L/(2 mu) only where lambda > max|x|^2 = "
            f"{B**2:.6g}. Scale the features to |x| <= {lam**0.5 * 0.7:.3g}, or raise lambda; until then "
            "nothing that `oubli regime` says is certified for this model."
        )
        return ModelConstants("ridge", n, dim, None, lam, B, None, None, None, (strong, need))
    L = float((2 * lam * b * np.abs(labels) / (lam - b**2 * (1 + 2.0**-50))).max()) * (1 + 2.0**-48)
    if L == 0:
        raise InputError("y or X is 0 everywhere: there is nothing to learn")
    words = (
        strong,
        f"L = max 2 lambda |x| |y|/(lambda - |x|^2) = {L:.6g}: the least L for which every loss is "
        "L-Lipschitz on |theta| <= L/(2 mu).",
        f"R = L/(2 mu) = {L / (2 * lam):.6g}: the class's ball fits, because lambda > max|x|^2 = {B**2:.6g}, "
        "and holds the optimum.",
        *_limits(False),
    )
    return ModelConstants("ridge", n, dim, None, lam, B, L, L / (2 * lam), L * L / (8 * lam), words)


def _limits(fixed: bool) -> tuple[str, ...]:
    """What no computation on the data can certify."""
    known = (
        "The bound on |x| was fixed in advance and holds for all rows given.",
        "The largest |x| (and |y|) is read off these data: the guarantee is for data that keep within it. "
        "Fix a bound in advance (clip, and give --bound) if forgotten or future samples may be larger.",
    )
    return (
        known[0] if fixed else known[1],
        "Not looked at: whether the model that you unlearn from is the exact minimiser of its risk.",
    )
