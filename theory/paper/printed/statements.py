"""Errata of statements: theorems, lemmas, corollaries, algorithms, definitions and sentences that do not stand."""

from __future__ import annotations

from oubli.theory.records.printed import Erratum, Severity

FALLS, CONSTANT, PROOF, SLIP = Severity.FALLS, Severity.CONSTANT, Severity.PROOF, Severity.SLIP

STATEMENTS: dict[str, Erratum] = {
    "trivial": Erratum(
        FALLS,
        "Theorem 1 promises too much: at large budgets (ε of about 2.48 at the least, 18 at δ = 1e-5) no rule whatsoever "
        "that uses no gradient reaches the promised risk just above the threshold; for ε ≤ 1 the noise of the printed proof "
        "misses it as well (3.6 times at r = 1/100, κ = 10), and whether some other gradient-free rule meets it for ε below "
        "2.48 is not known.",
        "Raise the threshold: for ε ≤ 1, noise of scale 2κrL/((1+r)μ), projected on the ball, unlearns without a gradient "
        "as soon as e is at least (4r²/(1−r²) + 16√d κ r/(1+r)) e0; for d = 1, (4r² + 8κr) e0 is enough (trivial.repaired.line). "
        "For ε > 1 the same holds with the exact σ(ε, δ) of the Gaussian mechanism in place of κ (sharp.exact.trivial and "
        "sharp.noise.gaussian; `oubli gauss` computes it).",
        r"e \in \left[\rho\,(\rho + \sqrt{d}\,\kappa)\, e_0,\; e_0\right) \implies \frac{T^U_e}{T^S_e} = 0",
        r"\epsilon \leq 1,\; e \geq \left(\frac{4 r^2}{1-r^2} + \frac{16 \sqrt{d}\,\kappa\, r}{1+r}\right) e_0 \implies T^U_e = 0",
    ),
    "trivial.beyond": Erratum(
        FALLS,
        "The sentence repeats Theorem 1 with r in place of ρ = r/(1−r), an even lower threshold, and falls with it.",
        "Cite the repaired Theorem 1: trivial beyond (4r²/(1−r²) + 16√d κ r/(1+r)) e0, for ε ≤ 1.",
        r"e \geq r\,(r + \sqrt{d}\,\kappa)\, e_0",
        r"e \geq \left(\frac{4 r^2}{1-r^2} + \frac{16 \sqrt{d}\,\kappa\, r}{1+r}\right) e_0",
    ),
    "def.to_reference": Erratum(
        FALLS,
        "Lemma 3.1, first half: an unlearning algorithm need not have a reference algorithm of the class, because a member "
        "of the class starts at 0 and the reference that the proof builds starts at the trained model.",
        "Let the reference be any function of the loss and of the retain data, not only a rule of the class 𝔸 started at 0.",
        r"(\epsilon,\delta)\text{-Unlearning} \implies (\epsilon,\delta)\text{-Reference Unlearning},\; \mathcal{A} \in \mathbb{A}",
        r"P[U \in S] \leq e^{\epsilon} P[A_0 \in S] + \delta, \quad A_0 \text{ any function of } (\ell, D_r)",
    ),
    "two_point": Erratum(
        FALLS,
        "Lemma B.1 compares runs that start at two different points with risks of runs that start at one point; a rule that "
        "looks at where it starts makes the left side 0 and the right side positive.",
        "Start the run on g' at θ0' on the left side as well; the lemma is then true, and sharp.",
        r"\sup_{g'' \in \{g, g'\}} E[\mathcal{L}^{g''}_r(\theta_T(\theta_0)) - \ldots] \geq \frac{L^2 (E g - E g')^2}{32 \mu} (1 - TV(P_g, P_{g'}))",
        r"\max\{E[\ldots g \text{ from } \theta_0],\, E[\ldots g' \text{ from } \theta_0']\} \geq \frac{L^2 (E g - E g')^2}{32 \mu} (1 - TV(P_g, P_{g'}))",
    ),
    "tv_bound": Erratum(
        FALLS,
        "Lemma B.2 drops a ceiling that its proof has: a private rule can move its output by one whole step of the argument "
        "while the printed bound charges a twentieth of one.",
        "Keep the ceiling: the number of steps is K = ⌈((1−r)γ − r)_+/(2r)⌉.",
        r"TV \leq \frac{\pi \gamma \sqrt{T}}{4} + \frac{((1-r)\gamma - r)_+}{2r} (e^{\epsilon} - 1 + \delta)",
        r"TV \leq \frac{\pi \gamma \sqrt{T}}{4} + \left\lceil \frac{((1-r)\gamma - r)_+}{2r} \right\rceil (e^{\epsilon} - 1 + \delta)",
    ),
    "inefficient": Erratum(
        CONSTANT,
        "Theorem 2 says that some constant c works. With the c that its proof gives (c = c3²/3) it is false near e0: a rule "
        "that answers 0 and only rarely releases the trained model needs no gradient at all. For a far smaller c the bare "
        "existence claim can still hold; the printed proof does not show it.",
        "Ask for e at most e0/3 and take the smaller constant c' = c3²/27; then T^U ≥ e0/(27π²e).",
        r"e < \min\{1,\, c\,\rho^2 (1 + \kappa^2)\}\, e_0 \implies \frac{T^U_e}{T^S_e} = \Omega(1), \quad c = c_3^2/3",
        r"e \leq \min\{\tfrac{1}{3},\, c'\rho^2 (1 + \kappa^2)\}\, e_0 \implies T^U_e \geq \frac{e_0}{27 \pi^2 e}, \quad c' = c_3^2/27",
    ),
    "efficient": Erratum(
        PROOF,
        "Theorem 3 holds as a rate for ε ≤ 4 ln(1.25/δ), or in few dimensions, and beyond that it is open: its printed proof "
        "uses noise that is not private for large ε, loses a factor of 64, and is about a constant-step method, not about "
        "Algorithm 2.",
        "State it for the projected constant-step method with the explicit constant and, for large ε, with κ + 1/√(2ε) in the "
        "place of κ.",
        r"\frac{T^U_e}{T^S_e} = O\left(\rho^2 (1 + d \kappa^2) \frac{e_0}{e}\right)",
        r"T^U_e \leq \frac{25600}{3}\, \rho^2 (1 + d \kappa^2) \frac{e_0}{e}\, T^S_e \quad (\epsilon \leq 1,\; e < e_0)",
    ),
    "efficient.corollary": Erratum(
        CONSTANT,
        "Corollary 2 forgets to ask for e < e0: at e = e0 both times are 0 and the strict inequality fails, whatever the "
        "constant c.",
        "Add e < e0 (and ε ≤ 1); it then holds with c = 51200/3.",
        r"e \geq \frac{c}{\gamma}\, \rho^2 (1 + d \kappa^2)\, e_0 \implies \frac{T^U_e}{T^S_e} < \gamma",
        r"e_0 > e \geq \frac{51200}{3 \gamma}\, \rho^2 (1 + d \kappa^2)\, e_0,\; \epsilon \leq 1 \implies T^U_e < \gamma\, T^S_e",
    ),
    "gauss.kappa": Erratum(
        CONSTANT,
        "The noise scale κ of the Gaussian mechanism is claimed for every ε; beyond ε of about 6 to 10, depending on δ, it is "
        "not private any more.",
        "Restrict to ε ≤ 1, or use the exact Gaussian scale instead of κ.",
        r"\text{noise } \kappa\, \Delta \text{ gives } (\epsilon, \delta) \text{ for every } \epsilon > 0",
        r"\text{noise } \kappa\, \Delta \text{ gives } (\epsilon, \delta) \text{ for every } \epsilon \leq 1,\; \delta \in (0, 1)",
    ),
    "gauss.sensitivity": Erratum(
        CONSTANT,
        "The noise is scaled by a distance that itself depends on the secret: when the two optima coincide it is zero, and "
        "the output gives everything away.",
        "Scale the noise by a bound that no data enter: 2rL/((1+r)μ) in every dimension, rL/μ on the line.",
        r"\sigma = \kappa\, \|\theta^* - \theta_r^*\|",
        r"\sigma = \kappa\, \frac{2 r L}{(1+r) \mu}",
    ),
    "gauss.sensitivity.scale": Erratum(
        CONSTANT,
        "In two or more dimensions two models trained with different forget data can lie farther apart than the printed "
        "scale ρL/μ (by 2.6 % at r = 1/20), so noise of that scale does not hide which data were used.",
        "Use 2rL/((1+r)μ), which bounds that distance in every dimension.",
        r"\sigma = \kappa\, \rho\, \frac{L}{\mu}",
        r"\sigma = \kappa\, \frac{2 r L}{(1+r) \mu}",
    ),
    "experiment.sensitivity": Erratum(
        CONSTANT,
        "The experiments scale their noise by the true distance of the two optima, which depends on the data to hide; what "
        "they plot as κ certifies no privacy.",
        "Scale by 2rL/((1+r)μ), and say what is measured.",
        r"\sigma = \kappa\, \|\theta^* - \theta_r^*\|",
        r"\sigma = \kappa\, \frac{2 r L}{(1+r) \mu}",
    ),
    "experiment.time": Erratum(
        CONSTANT,
        "The experiments average the first times at which single runs pass the target; the paper defines T_e by the first "
        "time at which the average risk passes it. The two differ.",
        "Report the first T at which the mean risk is at most e.",
        r"\text{mean of first-passage times} = T_e",
        r"T_e = \min\{T : E[\text{risk at } T] \leq e\}",
    ),
    "setup.synthetic": Erratum(
        CONSTANT,
        "The loss of the synthetic experiment is steeper than the assumption allows as soon as there are more than four "
        "parameters.",
        "Divide the loss by 1/2 + √d/4, or state its Lipschitz constant L(1/2 + √d/4).",
        r"\|\nabla \mathcal{L}\| \leq L \text{ on } B(0, R)",
        r"\|\nabla \mathcal{L}\| \leq L \left(\tfrac{1}{2} + \tfrac{\sqrt{d}}{4}\right) \text{ on } B(0, R)",
    ),
    "phase.slopes": Erratum(
        CONSTANT,
        "The border of the trivial regime is affine, so in a log-log plot it has slope 1 only far out, where √d κ is much "
        "larger than ρ.",
        "Say that the slope is at least 1 − η once √d κ ≥ (1−η)ρ/η; slope 1/2 at l.775 belongs to Theorem 2.",
        r"\frac{d \log e}{d \log \kappa} = 1",
        r"\frac{d \log e}{d \log \kappa} = \frac{\sqrt{d}\,\kappa}{\rho + \sqrt{d}\,\kappa}",
    ),
    "nft.warm_start": Erratum(
        CONSTANT,
        "The first step of Algorithm 2 has length 1/μ, which on a quadratic loss forgets the trained model altogether: as "
        "printed the algorithm is retraining, not fine-tuning, and Theorem 3 is proved for another algorithm.",
        "Use a constant step of at most 1/(2μ), as the proof of Theorem 3 does.",
        r"\theta_{t+1} = \theta_t - \frac{2}{\mu (t+1)} \nabla \ell(\theta_t, \xi_t)",
        r"\theta_{t+1} = \theta_t - \gamma\, \nabla \ell(\theta_t, \xi_t), \quad \gamma \leq \frac{1}{2 \mu}",
    ),
    "nft.noise": Erratum(
        CONSTANT,
        "Algorithm 2 and the proofs use two different noise scales, and in two or more dimensions neither is proved to be "
        "large enough.",
        "Use one scale everywhere: κ · 2rL/((1+r)μ).",
        r"\kappa\, r\, \frac{L}{\mu} \;\text{(Algorithm 2)} = \kappa\, \rho\, \frac{L}{\mu} \;\text{(proofs)}",
        r"\sigma = \kappa\, \frac{2 r L}{(1+r) \mu}",
    ),
    "nft.average": Erratum(
        SLIP,
        "What Algorithm 2 returns is not an average of its models: the weights add up to T/(T+2), and two of its starting "
        "values are never set.",
        "Set θ_1 = m_1 = θ_0 and return 2m_{T+1}/((T+1)(T+2)).",
        r"\hat\theta = \frac{2 m_T}{(T+1)(T+2)}",
        r"\hat\theta = \frac{2 m_{T+1}}{(T+1)(T+2)}, \quad \theta_1 = m_1 = \theta_0",
    ),
    "sgd.average": Erratum(
        SLIP,
        "The average of the SGD iterates stops one term early: its weights add up to T/(T+2) instead of 1.",
        "Sum from t = 0 to T.",
        r"\tilde\theta_T = \sum_{t=0}^{T-1} \frac{2(1+t)}{(T+1)(T+2)} \theta_t",
        r"\tilde\theta_T = \sum_{t=0}^{T} \frac{2(1+t)}{(T+1)(T+2)} \theta_t",
    ),
    "sgd.rate": Erratum(
        CONSTANT,
        "The convergence rate is claimed for steps of which nobody has shown that they stay in the ball on which the loss is "
        "assumed to be well behaved.",
        "Project each step on the ball and sum the weights to T; the rate then holds with the printed constant.",
        r"E[\mathcal{L}(\tilde\theta_T) - \mathcal{L}^*] \leq \frac{2 L^2}{\mu (T+2)}",
        r"E[\mathcal{L}(\tilde\theta_T) - \mathcal{L}^*] \leq \frac{2 L^2}{\mu (T+2)}, \quad \theta_{t+1} = \Pi_{B(0,R)}(\theta_t - \eta_t \nabla \ell)",
    ),
    "sgd.rate.start": Erratum(
        CONSTANT,
        "From a start other than 0 the second step may leave the ball, beyond which nothing is assumed of the loss: it may be "
        "as steep as one likes there, and the run ends as far away as one likes.",
        "Project each step on the ball and sum the weights to T; the rate then holds with the printed constant.",
        r"E[\mathcal{L}(\tilde\theta_T) - \mathcal{L}^*] \leq \frac{2 L^2}{\mu (T+2)}",
        r"E[\mathcal{L}(\tilde\theta_T) - \mathcal{L}^*] \leq \frac{2 L^2}{\mu (T+2)}, \quad \theta_{t+1} = \Pi_{B(0,R)}(\theta_t - \eta_t \nabla \ell)",
    ),
    "sgd.constant_step": Erratum(
        SLIP,
        "The run starts at a point with Gaussian noise added, which may lie outside the ball, where nothing is assumed of "
        "the loss.",
        "Project the start and each step on the ball.",
        r"E[\mathcal{L}_r - \mathcal{L}_r^*] \leq E\left[\frac{\|\tilde\theta - \theta_r^*\|^2}{2 \gamma T} + \frac{\gamma L^2}{2}\right]",
        r"E[\mathcal{L}_r - \mathcal{L}_r^*] \leq \frac{E \|\Pi\tilde\theta - \theta_r^*\|^2}{2 \gamma T} + \frac{\gamma L^2}{2}",
    ),
    "phase.threshold": Erratum(
        FALLS,
        "In high dimension the sentence is false, whatever constant stands before the threshold: Theorem 2, which it cites, "
        "does not know the dimension d, and close to e0 a private rule that uses no gradient reaches targets far below "
        "r²(1 + dκ²)e0.",
        "Name two borders: below a constant times ρ²(1 + κ²)e0 (and e0/3) unlearning is not efficient, above a constant times "
        "ρ²(1 + dκ²)e0 it is; between them, up to a factor d, nothing is shown.",
        r"e < r^2 (1 + d \kappa^2)\, e_0 \implies \text{efficient unlearning is impossible}",
        r"\rho^2 (1 + \kappa^2)\, e_0 \;\leq\; \rho^2 (1 + d \kappa^2)\, e_0 \;\leq\; d\, \rho^2 (1 + \kappa^2)\, e_0",
    ),
    "inefficient.exact": Erratum(
        CONSTANT,
        "Theorem 2 cannot be applied to exact unlearning: it asks for δ of at least 1e-8, and exact unlearning has δ = 0.",
        "Say that exact unlearning satisfies every budget, in particular ε = δ = 1e-8: the repaired Theorem 2 then covers every "
        "e up to e0/3, as soon as r/(1−r) is at least 1/8000000.",
        r"\epsilon = \delta = 0 \text{ (“}\kappa = +\infty\text{”)}, \quad \delta \in [10^{-8}, \epsilon]",
        r"\epsilon = \delta = 10^{-8},\; \frac{r}{1-r} \geq \frac{1}{8000000},\; e \leq \frac{e_0}{3} \implies T^U_e \geq \frac{e_0}{27 \pi^2 e}",
    ),
    "experiment.grid": Erratum(
        SLIP,
        "Sixty values spaced evenly on a linear scale between 0.000005 and 10 leave four of the decades of the log-log figure "
        "empty: the second value is already 0.17.",
        "Write logarithmic scale, as for the synthetic data at l.749, or say how the figure was drawn.",
        r"5 \cdot 10^{-6},\; 0.17,\; 0.34,\; \ldots,\; 10",
        r"5 \cdot 10^{-6} \cdot q^{j},\; j = 0, \ldots, 59, \quad q^{59} = 2 \cdot 10^{6}",
    ),
    "def.time.order": Erratum(
        SLIP,
        "T_e as printed lets each loss be reached at its own time, and for that order the lower-bound argument does not "
        "work: a walk that ignores all data is within e of the one of its two problems at one time and of the other at "
        "another, and so of every hard problem, within √(e0/e) steps, rounded up. Every lower bound of the paper needs one "
        "time for all losses.",
        "Take the minimum over T outside: T_e = min{T : inf over algorithms of sup over losses of E risk ≤ e}.",
        r"T^S_e = \inf_{\mathcal{A}} \sup_{\ell} \min\{T : E[\ldots] \leq e\}",
        r"T^S_e = \min\{T : \inf_{\mathcal{A}} \sup_{\ell} E[\ldots] \leq e\}",
    ),
}
