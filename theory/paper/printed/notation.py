"""The letters that every page uses, and what holds of a whole kind of claims."""

from __future__ import annotations

from oubli.theory.records.printed import Letter, Remark

NOTATION: tuple[Letter, ...] = (
    Letter("r", "r = r_f", "fraction of the data to forget, between 0 and 1"),
    Letter(
        "ρ",
        r"\rho = \frac{r}{1-r}",
        "r/(1−r), data to forget over data to retain, where r is the fraction to forget",
    ),
    Letter("L, μ", r"L,\ \mu", "Lipschitz constant and strong convexity of the losses on the ball B(0, R)"),
    Letter("R", r"R = \frac{L}{2\mu}", "radius of that ball; every optimum lies in it"),
    Letter("e", "e", "target: the excess risk on the retain data that has to be reached, in expectation"),
    Letter(
        "e0",
        r"e_0 = \frac{L^2}{8\mu}",
        "L²/(8μ), the excess risk of the start 0 in the worst case: for e ≥ e0 nothing is to do",
    ),
    Letter("ε, δ", r"\epsilon,\ \delta", "unlearning budget of Definition 2; smaller is more private"),
    Letter(
        "κ",
        r"\kappa = \frac{\sqrt{2 \ln(1.25/\delta)}}{\epsilon}",
        "√(2 ln(1.25/δ))/ε, noise per unit of sensitivity: the strength of the privacy constraint (κ_{ε,δ} in the paper)",
    ),
    Letter("d", "d", "number of parameters of the model"),
    Letter(
        "θ*, θ_r*",
        r"\theta^*,\ \theta_r^*",
        "optimum for all data (where unlearning starts) and for the retain data",
    ),
    Letter("T^S", "T^S_e", "gradients that retraining from scratch needs for e, best algorithm, worst loss"),
    Letter(
        "T^U",
        "T^U_e",
        "gradients that (ε, δ)-unlearning needs for e, started at θ*, best algorithm, worst loss",
    ),
)

# Named in every claim that uses it: what T_e means here, where the printed definition is another.
REMARKS = (
    Remark(
        "T_e is judged as the least T that serves all losses at once; the printed definition, Eq. (8) and (9), lets T "
        "depend on the loss, which the lower bounds do not bear: see def.time.order.",
        uses="def.time",
        words=("T^S", "T^U", "T_e"),
    ),
)
