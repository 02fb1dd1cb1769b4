"""The only outside results that a proof may use, and the facts that define the class.

A hypothesis of a statement names one of these as its reason. `CLASS` facts hold for every member of
F_sc(mu, L) by definition (or by a claim of the ledger); `TEXTBOOK` facts are theorems found in any
book. A test pins both lists: growing them is a decision, not an accident.
"""

GIVEN = "given"

CLASS = {
    "strong convexity": "l(y) >= l(x) + <l'(x), y - x> + mu/2 |y - x|^2 on the ball (l.233)",
    "Lipschitz": "every (sub)gradient on the ball has norm at most L (l.228)",
    "stationarity": "the gradient of a risk vanishes at its minimiser (setup.stationary)",
    "line": "on the line l'(x) lies in mu x + [-L/2, L/2] (setup.gradient_at_zero.line)",
    "ball": "a point of the ball B(0, R)",
    "definition": "what a letter of the statement stands for",
    "privacy": "the (epsilon, delta) inequality of a definition, at one event",
}

TEXTBOOK = {
    "Cauchy-Schwarz": "<u, v> <= |u| |v|",
    "Jensen": "a convex function of a mean is at most the mean of the function; (E|Y|)^2 <= E Y^2",
    "coupling": "TV(P, Q) is the least probability that two coupled draws differ (Villani 2009)",
    "triangle": "TV is a metric",
    "data processing": "TV and (epsilon, delta)-closeness do not grow under a map",
    "projection": "the projection on a convex set does not increase distances to its points",
    "normal cone": "at a minimiser on the sphere of a ball the gradient is -lambda u, lambda >= 0",
    "Gaussian privacy": "noise sigma, unit sensitivity: delta = Phi(1/(2 sigma) - eps sigma) "
    "- e^eps Phi(-1/(2 sigma) - eps sigma) (Balle and Wang 2018, Theorem 8)",
    "Mills": "x (1 - Phi(x)) < phi(x) for x > 0 (Gordon 1941)",
    "exponential": "e^x >= 1 for x >= 0 and ln x >= 0 for x >= 1; e^x = 1 + x phi1(x), "
    "phi1(x) = 1 + x phi2(x), with phi1, phi2 the power series that these name",
    "moments": "mean and variance of a binomial, normal, beta or gamma law, and of conditional means",
    "Hoeffding": "E e^(sY) <= e^(s E Y + s^2 c^2/8) for Y in an interval of length c, and "
    "P(Y > a) <= E e^(s(Y - a)) for s >= 0",
    "function": "equal arguments give equal values",
}

REASONS = {GIVEN, *CLASS, *TEXTBOOK}
