"""Errata of printed proofs: true statements whose proof is broken, and single lines that are false."""

from __future__ import annotations

from oubli.theory.paper.printed.statements import CONSTANT, PROOF, SLIP
from oubli.theory.records.printed import Erratum

PROOFS: dict[str, Erratum] = {
    "e0": Erratum(
        PROOF,
        "The risk of the start 0 is at most e0, as printed, but two lines of its proof are false: a sign, and a maximum that "
        "lies inside the interval.",
        "Use the gradient at the opposite boundary point −Rθ_r*/‖θ_r*‖; it gives Lx/2 − μx²/2 ≤ L²/(8μ).",
        r"\mathcal{L}_r(0) - \mathcal{L}_r^* \leq \frac{L^2}{8 \mu}",
        r"\mathcal{L}_r(0) - \mathcal{L}_r^* \leq \frac{L}{2} x - \frac{\mu}{2} x^2 \leq \frac{L^2}{8 \mu}, \quad x = \|\theta_r^*\|",
    ),
    "scratch.upper": Erratum(
        PROOF,
        "The upper bound on the retraining time is right, but it rests on an average whose weights do not add up to 1 and on "
        "steps that may leave the ball.",
        "Cite projected SGD with the weights summed from 0 to T.",
        r"T^S_e \leq \frac{2 L^2}{\mu e}",
        r"T^S_e \leq \frac{2 L^2}{\mu e} \quad \text{(projected steps)}",
    ),
    "scratch.lower": Erratum(
        PROOF,
        "The lower bound on the retraining time is right, but it is derived from Theorem 2 'with κ = 0', while absolute "
        "privacy is κ = +∞, and Theorem 2 is itself false near e0.",
        "Prove it directly by the two-point argument from the common start 0.",
        r"T^S_e \geq \frac{L^2 c_1^2}{8 \mu e} \left(1 - \frac{\pi c_1}{2}\right)",
        r"T^S_e \geq c_1^2 \left(1 - \frac{\pi c_1}{2}\right) \frac{e_0}{e}",
    ),
    "scratch.theta": Erratum(
        PROOF,
        "Lemma 4.2 is right, with T^S between 0.06 e0/e and 16 e0/e; three lines of its printed proof are false.",
        "Repair the steps listed for l.1268, l.1272 and l.1279, and define T_e with one time for all losses.",
        r"T^S_e = \Theta\left(\frac{e_0}{e}\right)",
        r"\frac{3}{50} \cdot \frac{e_0}{e} \leq T^S_e \leq 16\, \frac{e_0}{e} \quad (e < e_0)",
    ),
    "opt_dist": Erratum(
        PROOF,
        "Lemma C.1 is right, but not sharp; in its proof the data to forget are written as the data to retain.",
        "Write ξ_f in the second expectation; the same argument at θ_r* gives the sharp bound rL/μ.",
        r"\|\theta^* - \theta_r^*\| \leq \rho\, \frac{L}{\mu}",
        r"\|\theta^* - \theta_r^*\| \leq r\, \frac{L}{\mu}",
    ),
    "opt_loss": Erratum(
        PROOF,
        "Lemma C.2 is right, but at least twice too large; its first line lacks a factor, which is harmless because of its sign.",
        "Divide the first expectation by 1 − r; the sharper bound below holds in every dimension.",
        r"\mathcal{L}_r(\theta^*) - \mathcal{L}_r^* \leq \rho^2 \frac{L^2}{\mu}",
        r"\mathcal{L}_r(\theta^*) - \mathcal{L}_r^* \leq \frac{r^2}{1 - r^2} \cdot \frac{L^2}{2 \mu}",
    ),
    "inefficient.liminf": Erratum(
        PROOF,
        "Corollary 1 is right: it needs Theorem 2 only for small e, where the repaired theorem serves.",
        "Cite the repaired Theorem 2; the limit inferior is at least 1/(432π²).",
        r"\liminf_{e \to 0} \frac{T^U_e}{T^S_e} > 0",
        r"\liminf_{e \to 0} \frac{T^U_e}{T^S_e} \geq \frac{1}{432 \pi^2}",
    ),
    "discussion.samples": Erratum(
        PROOF,
        "That about √(n/d) points can be forgotten cheaply follows from Theorem 3; the text cites Theorem 2, a lower bound.",
        "Cite Theorem 3, and say that κ ≈ 1 means ε ≈ 4.8 at δ = 1e-5.",
        r"r^2 d\, n \leq 1 \text{ as soon as } k \leq \sqrt{n/d}",
        r"r^2 d\, n \leq 1, \quad r = \frac{k}{n}",
    ),
    "discussion.ratio": Erratum(
        PROOF,
        "That one point out of n can be forgotten at a cost of about d/n follows from Theorem 3, an upper bound; the text cites "
        "Theorem 2, a lower bound, and at κ = 1 the budget ε is about 4.8, where Theorem 3 is not proved.",
        "Cite Theorem 3, and take ε ≤ 1, where its repair holds.",
        r"\frac{T^U_e}{T^S_e} \approx \frac{d}{n}, \quad r = \frac{1}{n},\; e = \frac{e_0}{n}",
        r"\rho^2 (1 + d)\, n \leq \frac{8 d}{n}, \quad r = \frac{1}{n}",
    ),
    "trivial.step2": Erratum(
        SLIP,
        "The square stands on the wrong term of the sum: the noise costs ρ, the distance of the optima ρ².",
        "Exchange the two powers of ρ, and project the noisy model on the ball.",
        r"\sqrt{d}\,\kappa\, \rho^2 \frac{L^2}{\mu} + \rho\, \frac{L^2}{\mu}",
        r"\sqrt{d}\,\kappa\, \rho\, \frac{L^2}{\mu} + \rho^2 \frac{L^2}{\mu}",
    ),
    "trivial.step3": Erratum(
        CONSTANT,
        "L²/μ is eight times e0, not e0; this lost factor is why Theorem 1 promises too much.",
        "Keep the factor 8, and ρ in place of r, after the powers of l.1076 are exchanged.",
        r"\ldots \leq r\,(r + \sqrt{d}\,\kappa)\, e_0",
        r"\ldots \leq 8\,\rho\,(\rho + \sqrt{d}\,\kappa)\, e_0",
    ),
    "efficient.equality": Erratum(
        CONSTANT,
        "The two sides differ by a factor of 64, because (L²/μ)² is 64 e0².",
        "Write the factor 64.",
        r"\frac{L^2 R_1^2}{e^2} (1 + d \kappa^2) = \rho^2 (1 + d \kappa^2) \left(\frac{e_0}{e}\right)^2",
        r"\frac{L^2 R_1^2}{e^2} (1 + d \kappa^2) = 64\, \rho^2 (1 + d \kappa^2) \left(\frac{e_0}{e}\right)^2",
    ),
    "inefficient.step3": Erratum(
        CONSTANT,
        "The step takes γ = √(3e/e0), which has to be at most 1; it therefore needs e ≤ e0/3.",
        "Ask for e ≤ e0/3.",
        r"T^U_e \geq \frac{e_0}{27 \pi^2 e}",
        r"e \leq \frac{e_0}{3}: \quad T^U_e \geq \frac{e_0}{27 \pi^2 e}",
    ),
    "inefficient.step1": Erratum(
        SLIP,
        "The minimum runs over all unlearning algorithms, private or not; releasing the trained model, which is not private, "
        "beats the bound without a gradient.",
        "Take the minimum over the (ε, δ)-unlearning algorithms only, and keep the ceiling of Lemma B.2.",
        r"\min_{\mathcal{U} \in \mathbb{U}} \max_{\mathcal{L}} E[\ldots] \geq \gamma^2 e_0\, (1 - TV)",
        r"\min_{\mathcal{U} \in \mathbb{U}_{\epsilon,\delta}} \max_{\mathcal{L}} E[\ldots] \geq \gamma^2 e_0\, (1 - TV)",
    ),
    "inefficient.step2": Erratum(
        SLIP,
        "As in l.1233 the minimum runs over all unlearning algorithms, private or not, and the bound falls with it.",
        "Take the minimum over the (ε, δ)-unlearning algorithms only.",
        r"\min_{\mathcal{U} \in \mathbb{U}} \max_{\mathcal{L}} E[\ldots] \geq \frac{c_1^2}{T}\, e_0 \left(1 - \frac{\pi c_1}{2} - c_2\right)",
        r"\min_{\mathcal{U} \in \mathbb{U}_{\epsilon,\delta}} \max_{\mathcal{L}} E[\ldots] \geq \frac{c_1^2}{T}\, e_0 \left(1 - \frac{\pi c_1}{2} - c_2\right)",
    ),
    "inefficient.tv": Erratum(
        SLIP,
        "This is twice the bound of Lemma B.2 and has its error: the number of steps is not rounded up.",
        "Use twice the repaired bound, with the ceiling K.",
        r"TV \leq \frac{\pi \gamma \sqrt{T}}{2} + \frac{((1-r)\gamma - r)_+}{r} (e^{\epsilon} - 1 + \delta)",
        r"TV \leq \frac{\pi \gamma \sqrt{T}}{2} + 2 K (e^{\epsilon} - 1 + \delta)",
    ),
    "e0.sign": Erratum(
        SLIP,
        "A minus sign is missing before the inner product.",
        "Write −⟨∇L_r(0), θ_r*⟩.",
        r"\langle \nabla \mathcal{L}(0), \theta_r^* \rangle - \frac{\mu}{2} \|\theta_r^*\|^2",
        r"-\langle \nabla \mathcal{L}_r(0), \theta_r^* \rangle - \frac{\mu}{2} \|\theta_r^*\|^2",
    ),
    "e0.step": Erratum(
        SLIP,
        "The largest value of the middle expression is not at the end of the interval but inside it, and is a third larger.",
        "Use the gradient at −Rθ_r*/‖θ_r*‖, which gives Lx/2 − μx²/2.",
        r"L x - \frac{3 \mu}{2} x^2 \leq L R - \frac{3 \mu}{2} R^2",
        r"\frac{L}{2} x - \frac{\mu}{2} x^2 \leq \frac{L^2}{8 \mu}",
    ),
    "opt_dist.step": Erratum(
        SLIP,
        "The same random point stands on both sides; the right side is about the data to forget.",
        "Write ξ_f on the right.",
        r"E \nabla\ell(\theta^*, \xi_r) = -\rho\, E \nabla\ell(\theta^*, \xi_r)",
        r"E \nabla\ell(\theta^*, \xi_r) = -\rho\, E \nabla\ell(\theta^*, \xi_f)",
    ),
    "opt_loss.step1": Erratum(
        SLIP,
        "The identity is false: the average over all data has to be divided by the share 1−r of the data to retain.",
        "Write E_D/(1−r).",
        r"E_r = E_D - \rho\, E_f",
        r"E_r = \frac{E_D}{1-r} - \rho\, E_f",
    ),
    "def.to_reference.member": Erratum(
        SLIP,
        "The reference algorithm of the proof starts at the model trained on (D_r, D_0), not at 0, so it is not of the class.",
        "Let the reference be any function of the loss and of the retain data.",
        r"\mathcal{A}_0 = \mathcal{U}(\cdot, D_0) \in \mathbb{A}",
        r"\mathcal{A}_0 = \mathcal{U}(\cdot, D_0), \text{ a function of } (\ell, D_r)",
    ),
    "two_point.coupled": Erratum(
        SLIP,
        "The two sides are about different runs: on the right the second run starts at θ0', on the left at θ0.",
        "Start the run on g' at θ0' on both sides.",
        r"\sup_{g''} E \|\ldots \theta_T(\theta_0)\|^2 = \max\{E \|\theta^*_{g,r} - \theta_1\|^2, E \|\theta^*_{g',r} - \theta_2\|^2\}",
        r"\max\{E\|\ldots \theta_T(\theta_0, g)\|^2, E\|\ldots \theta_T(\theta_0', g')\|^2\} = \max\{\ldots\}",
    ),
    "tv_bound.equal": Erratum(
        SLIP,
        "An upper bound is written as an equality: the two laws are in general closer than that.",
        "Write ≤ in place of =.",
        r"TV = \frac{\sqrt{T}}{2} |\arcsin \gamma_{2k} - \arcsin \gamma_{2k+2}|",
        r"TV \leq \frac{\sqrt{T}}{2} |\arcsin \gamma_{2k} - \arcsin \gamma_{2k+2}|",
    ),
    "tv_bound.processing": Erratum(
        SLIP,
        "An upper bound is written as an equality: a rule may ignore its gradients.",
        "Write ≤ in place of =.",
        r"TV(\theta_{k,k}, \theta_{k,k+1}) = TV(Z^k, Z^{k+1})",
        r"TV(\theta_{k,k}, \theta_{k,k+1}) \leq TV(Z^k, Z^{k+1})",
    ),
    "tv_bound.sum_lost": Erratum(
        SLIP,
        "A sum over k on the left is a single term on the right: the sum sign is lost.",
        "Keep the sum.",
        r"\sum_k TV(Z^k, Z^{k+1}) = TV(Bin_k, Bin_{k+1})",
        r"\sum_k TV(Z^k, Z^{k+1}) \leq \sum_k TV(Bin_k, Bin_{k+1})",
    ),
    "tv_bound.index": Erratum(
        SLIP,
        "The wrong end of the sum is kept: as printed the line says that the whole sum is zero.",
        "Write f(γ_0).",
        r"|f(\gamma_{2K}) - f(\gamma_0)| = f(\gamma_{2K})",
        r"|f(\gamma_{2K}) - f(\gamma_0)| = f(\gamma_0)",
    ),
    "tv_bound.edge": Erratum(
        SLIP,
        "The two runs are said to start at the same point, but at the last step of the chain they do not: the new forget data "
        "pull too far.",
        "Let g take the value (1−r)(γ_{2k−1} − γ_{2k})/r, which is at most 1, on D_f'.",
        r"(1-r) \gamma_{2k} + r = (1-r) \gamma_{2k-1}",
        r"(1-r) \gamma_{2k} + r g = (1-r) \gamma_{2k-1}, \quad g \in [-1, 1]",
    ),
    "tv_bound.ceiling": Erratum(
        SLIP,
        "The proof counts whole steps and the statement a fraction of a step, which is less than was proved.",
        "Keep the ceiling in the statement.",
        r"K' (e^{\epsilon} - 1 + \delta) \leq \frac{((1-r)\gamma - r)_+}{2r} (e^{\epsilon} - 1 + \delta)",
        r"K' = \left\lceil \frac{((1-r)\gamma - r)_+}{2r} \right\rceil",
    ),
}
