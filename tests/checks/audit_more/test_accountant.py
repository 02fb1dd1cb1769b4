"""The accountant: against closed forms and samples, and the errors that it must not make."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom, norm

from oubli.checks.audit import Judgement, Settings, quick_audit
from oubli.checks.audit.accountant import certify, check
from oubli.checks.audit.accountant_check import NEEDED, schedule_findings
from oubli.checks.audit.accountant_steps import ClippedStep, Contraction, GradientStep, SmoothStep, as_steps
from oubli.checks.audit.declared import noise_p_value
from oubli.checks.audit.samples import audit_samples
from oubli.checks.audit.subject import subject_of
from oubli.errors import InputError
from oubli.sim.geometry import project

SIGMA = 3.73063163481594183  # the least noise of (1, 1e-5) at unit sensitivity, 40 digits


@pytest.mark.parametrize(
    ("c", "T", "sigma"), [(0.9, 50, 0.3), (0.5, 3, 1.0), (1.0, 10, 2.0), (0.99, 200, 0.1)]
)
def test_linear_contractions_are_judged_exactly(c, T, sigma):
    """X_T is Gaussian: its mean moves by c^T, its variance is the geometric sum."""
    exact = c**T / math.sqrt(sum((sigma * c**k) ** 2 for k in range(T)))
    assert certify([Contraction(sigma, c)] * T, 1.0, math.inf).mu == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_changing_schedules_are_judged_exactly_and_the_law_agrees(seed):
    """phi_t(x) = c_t·x with noise sigma_t: the mean, the variance and delta of X_T in closed form."""
    rng = np.random.default_rng(seed)
    c, sigma = rng.uniform(0.3, 1.0, 12), rng.uniform(0.05, 2.0, 12)
    found = certify([Contraction(s, k) for s, k in zip(sigma, c, strict=True)], 1.0, math.inf)
    variance = 0.0
    for s, k in zip(sigma, c, strict=True):
        variance = k**2 * variance + s**2
    m = float(np.prod(c)) / math.sqrt(variance)
    assert found.mu == pytest.approx(m, rel=1e-8)
    exact = norm.cdf(m / 2 - 1 / m) - math.e * norm.cdf(-m / 2 - 1 / m)
    assert found.delta(1.0) >= exact * (1 - 1e-9)


@pytest.mark.parametrize(("sigma", "T"), [(0.2, 1), (0.15, 3), (0.3, 5)])
def test_projected_steps_stay_below_their_certificate_on_a_grid(sigma, T):
    """The law of noisy projected gradient descent on theta²/2 in [−1/2, 1/2], by quadrature, no sampling."""
    edges = np.linspace(-0.5, 0.5, 1202)
    middle = (edges[1:] + edges[:-1]) / 2
    steps = ndtr((edges[None, :] - 0.8 * middle[:, None]) / sigma)
    move = np.diff(steps, axis=1)
    move[:, 0] += steps[:, 0]
    move[:, -1] += 1 - steps[:, -1]
    laws = []
    for start in (0.2, -0.2):
        law = np.eye(len(middle))[np.argmin(np.abs(middle - start))]
        for _ in range(T):
            law = law @ move
        laws.append(law)
    found = certify([SmoothStep(sigma, 0.2, 1.0, 1.0)] * T, 0.4, 1.0)
    for eps in (0.1, 1.0, 3.0):
        true = float(np.maximum(laws[0] - math.exp(eps) * laws[1], 0).sum())
        # The grid moves the starts by at most its width.
        assert true <= found.delta(eps) * 1.02 + 1e-12
        if eps == 0.1:
            # Neither is the certificate empty.
            assert found.delta(eps) <= 3 * true


def test_a_single_step_is_the_gaussian_mechanism_to_the_digit():
    below, above = (certify([Contraction(SIGMA * k)], 1.0, math.inf) for k in (1 - 1e-9, 1 + 1e-9))
    assert not below.attains(1.0, 1e-5)
    assert above.attains(1.0, 1e-5)
    assert above.delta(1.0) == pytest.approx(1e-5, rel=1e-6)


@pytest.mark.parametrize("displacement", [0.0, 0.5])
def test_a_forgotten_displacement_would_be_seen_in_samples(displacement):
    """The map x + sign(x)/4 expands by 1/2 around 0; without that, samples contradict the certificate."""
    rng, sigma, n = np.random.default_rng(0), 0.5, 40_000
    found = certify([Contraction(sigma, 1.0, displacement)], 0.5, math.inf)
    P, Q = (x + np.sign(x) / 4 + sigma * rng.standard_normal(n) for x in (0.25, -0.25))
    verdict = audit_samples(P, Q, 1.0, found.delta(1.0)).verdict
    assert verdict is (Judgement.CONSISTENT if displacement else Judgement.VIOLATED)


def test_projected_subgradient_steps_stay_below_their_certificate():
    """Noisy projected steps on |theta| + theta²/2: the samples never exceed what is proved."""
    rng, T, length, sigma, n = np.random.default_rng(1), 6, 0.1, 0.15, 40_000
    found = certify([GradientStep(sigma, length, 1.0, 1.0)] * T, 0.4, 1.0)
    sides = []
    for start in (0.2, -0.2):
        theta = np.full((n, 1), start)
        for _ in range(T):
            grad = theta + 0.5 * np.sign(theta)
            theta = project(theta - length * grad + sigma * rng.standard_normal((n, 1)), 0.5)
        sides.append(theta)
    assert audit_samples(*sides, 1.0, found.delta(1.0)).verdict is Judgement.CONSISTENT
    # The certificate is not empty: some delta below one is proved.
    assert found.delta(1.0) < 0.9


def test_reach_of_subgradient_steps_is_not_exceeded_and_nearly_attained():
    step = GradientStep(1.0, 0.2, 1.0, 1.0)
    distance = 0.3
    # Across the kink of |theta|/2 + theta²/2.
    moved = abs((0.15 - 0.2 * (0.15 + 0.5)) - (-0.15 - 0.2 * (-0.15 - 0.5)))
    assert moved <= float(step.reach(Fraction(distance)))
    assert float(step.reach(Fraction(distance))) ** 2 == pytest.approx(0.6 * 0.09 + 0.16)


def test_shifts_that_leave_a_distance_are_refused():
    steps = [Contraction(1.0, 0.5), Contraction(1.0, 0.5, 0.1)]
    assert check(steps, [0.2, 0.24], 1.0, math.inf) is None
    assert check(steps, [0.2, 0.26], 1.0, math.inf).mu == pytest.approx(math.hypot(0.2, 0.25))
    # Without noise no shift is hidden.
    assert check([Contraction(0.0)], [1.0], 1.0, math.inf) is None
    assert certify([Contraction(0.0)] * 3, 1.0, 1.0) is None
    assert certify([], 1.0, 1.0) is None


def test_clipped_steps_move_points_no_further_than_their_reach():
    """Gradients beyond the clip, of opposite directions: the distance grows by 2·length·clip, and no more."""
    step, rng = ClippedStep(1.0, 0.3, 0.2, 0.5), np.random.default_rng(0)
    x, y, g, h = rng.normal(size=(4, 500, 2))
    clip = [v * np.minimum(1, 0.2 / np.linalg.norm(v, axis=1, keepdims=True)) for v in (g, h)]
    apart = np.linalg.norm((x - y) * (1 - 0.15) - 0.3 * (clip[0] - clip[1]), axis=1)
    most = [float(step.reach(Fraction(d))) for d in np.linalg.norm(x - y, axis=1)]
    assert np.all(apart <= np.array(most) * (1 + 1e-12))
    assert float(step.reach(Fraction(1))) == pytest.approx(0.85 + 0.12)


def test_the_ball_bounds_the_distance():
    steps = [Contraction(0.0, 1.0, 5.0), Contraction(2.0, 0.5)]
    assert certify(steps, 1.0, 1.0).mu == pytest.approx(0.25)
    assert certify(steps, 1.0, math.inf).mu == pytest.approx(1.5)


def test_smooth_steps_contract_by_their_worst_eigenvalue():
    assert SmoothStep(1.0, 0.5, 3.0, 1.0).linear == (0.5, 0.0)
    assert SmoothStep(1.0, 1.0, 3.0, 1.0).linear == (2.0, 0.0)


@pytest.mark.parametrize(
    "declared",
    [None, "x", {"sigma": 1}, [1.0], [{}], [{"sigma": 1.0}], [{"length": 1.0}],
     [{"sigma": -1, "length": 0.1}], [{"sigma": math.nan, "length": 0.1}], [{"sigma": "1", "length": 0.1}],
     [{"sigma": 1, "length": 0.1, "clip": 1}]],
)  # fmt: skip
def test_schedules_that_cannot_be_used(declared):
    with pytest.raises(InputError) as why:
        as_steps(declared, 1.0, 1.0)
    assert "\n" not in str(why.value)


class Noisy:
    """Noise in every step, declared as it is."""

    sigma, declared_sigma, entry = 1.0, 1.0, {"length": 0.1}

    def noise_schedule(self, setup):
        return [{"sigma": self.declared_sigma, **self.entry} for _ in range(setup.T)]

    def noise(self, rng, shape):
        return self.sigma * rng.standard_normal(shape)

    def step(self, t, theta, grad, memory, setup, rng):
        return project(theta - 0.1 * grad + self.noise(rng, theta.shape), setup.R), memory


class MoreDeclared(Noisy):
    """The planted error: twice the noise is declared."""

    sigma, declared_sigma = 0.5, 1.0


class NotGaussian(Noisy):
    """The planted error: uniform noise of the declared variance."""

    def noise(self, rng, shape):
        return self.sigma * math.sqrt(3) * rng.uniform(-1, 1, shape)


class LongerStep(Noisy):
    """The planted error: a longer step than declared."""

    entry = {"length": 0.05}  # noqa: RUF012


class SmoothOnly(Noisy):
    """The planted error: a contraction that only smooth losses have, declared for the class."""

    entry = {"contraction": 0.9, "displacement": 0.0}  # noqa: RUF012


class AssumedSmooth(Noisy):
    """The same with its assumption."""

    entry = {"length": 0.1, "smoothness": 2.0}  # noqa: RUF012


class Remembers(Noisy):
    """The planted error: theta* takes another way to the release."""

    def start(self, theta_star, setup, rng):
        self.kept = theta_star
        return theta_star, None

    def release(self, theta, memory, setup, rng):
        return theta + 1e-3 * self.kept[: len(theta)]


class LittleNoise(Noisy):
    sigma = declared_sigma = 0.01


class Unprojected(Noisy):
    """The planted error: outside the ball no gradient is bounded, and two points may lie further apart."""

    def step(self, t, theta, grad, memory, setup, rng):
        return theta - 0.1 * grad + self.noise(rng, theta.shape), memory


class QuietFarOut(Noisy):
    """The planted error: the noise is a hundredth away from the origin, where it is not drawn by the test."""

    def step(self, t, theta, grad, memory, setup, rng):
        size = np.where(np.linalg.norm(theta, axis=1, keepdims=True) > 0.2, 0.01, 1.0)
        return project(theta - 0.1 * grad + size * self.noise(rng, theta.shape), setup.R), memory


class QuietForSteep(Noisy):
    """The planted error: the noise is a hundredth where the gradient is large."""

    def step(self, t, theta, grad, memory, setup, rng):
        size = np.where(np.linalg.norm(grad, axis=1, keepdims=True) > 0.3, 0.01, 1.0)
        return project(theta - 0.1 * grad + size * self.noise(rng, theta.shape), setup.R), memory


class Clipped(Noisy):
    """Gradients clipped to 0.05, a regulariser added after that."""

    regularised_first = False

    def noise_schedule(self, setup):
        return [{"sigma": 1.0, "length": 0.2, "clip": 0.05, "decay": 1.0} for _ in range(setup.T)]

    def step(self, t, theta, grad, memory, setup, rng):
        given = grad + theta if self.regularised_first else grad
        size = np.maximum(np.linalg.norm(given, axis=1, keepdims=True), 1e-300)
        clipped = given * np.minimum(1, 0.05 / size) + (0 if self.regularised_first else theta)
        return project(theta - 0.2 * clipped + rng.standard_normal(theta.shape), setup.R), memory


class ClippedAfter(Clipped):
    """The planted error: clipping after adding the regulariser clips the contraction away."""

    regularised_first = True


class FarStart(Noisy):
    """The planted error: two starts are further apart than the ball is wide."""

    def start(self, theta_star, setup, rng):
        return 1e6 * theta_star, None


@pytest.mark.parametrize(
    ("rule", "declaration", "privacy"),
    [
        (Noisy, "CONSISTENT", "CONSISTENT"),
        (AssumedSmooth, "CONSISTENT", "CONSISTENT"),
        (MoreDeclared, "VIOLATED", None),
        (NotGaussian, "VIOLATED", None),
        (LongerStep, "VIOLATED", None),
        (SmoothOnly, "VIOLATED", None),
        (Remembers, "CONSISTENT", "UNDECIDED"),
        (LittleNoise, "CONSISTENT", "VIOLATED"),
        (Unprojected, "CONSISTENT", "UNDECIDED"),
        (QuietFarOut, "VIOLATED", None),
        (QuietForSteep, "VIOLATED", None),
        (FarStart, "CONSISTENT", "UNDECIDED"),
        (Clipped, "CONSISTENT", "CONSISTENT"),
        (ClippedAfter, "VIOLATED", None),
    ],
)
def test_declared_schedules_are_held_against_the_code(rule, declaration, privacy):
    settings = Settings(eps=1.0, delta=1e-5, dim=2, runs=200, steps=5)
    follows = dict.fromkeys(NEEDED, Judgement.CONSISTENT)
    verdicts = {f.check: str(f.verdict) for f in schedule_findings(subject_of(rule), settings, follows)}
    assert verdicts.get("declaration schedule") == declaration
    assert verdicts.get("privacy schedule") == privacy


def test_an_audit_hands_the_schedule_to_the_accountant():
    found = quick_audit(Noisy, Settings(eps=1.0, delta=1e-5, runs=200, steps=3))
    verdicts = {f.check: f.verdict for f in found.findings}
    assert verdicts["privacy schedule"] is Judgement.CONSISTENT


@pytest.mark.parametrize(("d", "scale"), [(1, 0.1), (1, 1.5), (5, 1.5)])
def test_noise_as_declared_is_doubted_no_more_often_than_its_level(d, scale):
    """Projected draws of the declared law; in five dimensions hardly any of them stays inside the ball."""
    rng, level, tries = np.random.default_rng(d), 0.02, 400
    drawn = (project(scale * rng.standard_normal((1000, d)), 0.5) for _ in range(tries))
    doubted = sum(noise_p_value(moved, np.zeros(d), scale, 0.5) < level for moved in drawn)
    assert binom.sf(doubted - 1, tries, level) > 1e-4
    half = project(0.5 * scale * rng.standard_normal((4000, d)), 0.5)
    assert noise_p_value(half, np.zeros(d), scale, 0.5) < level
