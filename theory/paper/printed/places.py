"""Numbers of the PDF: theorems, lemmas, definitions and equations with their lines in the TeX.

Read once from the counters of the TeX; the TeX itself is not kept. Sentences are short quotations.
"""

from __future__ import annotations

from oubli.theory.records.printed import Environment, Lines

ENVIRONMENTS: tuple[Environment, ...] = (
    Environment("Figure 1", (161, 166), "fig:theo_diagram", "Phase diagram", keys=("phase.disjoint",)),
    Environment(
        "Assumption 1",
        (289, 291),
        title="loss regularity",
        keys=("setup.class",),
        sentence="For any ξ the loss ℓ(·, ξ) is L-Lipschitz and μ-strongly convex on B(0, R), R = L/2μ.",
    ),
    Environment("Algorithm 1", (340, 356), "alg:learn", "Iterative (Un)Learning Algorithm"),
    Environment(
        "Algorithm 2",
        (404, 423),
        "alg:noise+ft",
        "Noise and Fine-Tune",
        keys=("nft.warm_start", "nft.average", "nft.noise"),
    ),
    Environment("Definition 1", (430, 436), title="(ε, δ)-Reference Unlearning", keys=("def.reference",)),
    Environment("Definition 2", (439, 447), "def:unlearning", "(ε, δ)-Unlearning", keys=("def.unlearning",)),
    Environment(
        "Lemma 3.1",
        (453, 456),
        "lemma:MU_def",
        "Equivalence of definitions",
        (1337, 1356),
        ("def.to_reference", "def.from_reference"),
        "Any algorithm achieving (ε, δ)-Unlearning also achieves (ε, δ)-Reference Unlearning. Furthermore, any "
        "algorithm achieving (ε, δ)-Reference Unlearning also achieves (2ε, (1 + e^ε) δ)-Unlearning.",
    ),
    Environment(
        "Lemma 4.1",
        (505, 508),
        "lemma:scratch_e0",
        keys=("e0.zero", "e0"),
        sentence="If e ≥ e0 (= L²/8μ), then T^S_e = T^U_e = 0.",
    ),
    Environment("Assumption 2", (511, 514), "ass:flex", "Flexible distributions"),
    Environment(
        "Lemma 4.2",
        (519, 525),
        "lemma:scratch_speed",
        proof=(1265, 1289),
        keys=("scratch.theta", "scratch.upper", "scratch.lower"),
        sentence="Under Assumption 2, and if e < e0, T^S_e = Θ(e0/e).",
    ),
    Environment(
        "Theorem 1",
        (531, 538),
        "theo:trivial_regime",
        "Trivial regime",
        (1064, 1080),
        ("trivial",),
        "If the target excess risk verifies e ∈ [ρ (ρ + √d κ) e0, e0), ρ = r/(1 − r), then T^U_e/T^S_e = 0.",
    ),
    Environment(
        "Theorem 2",
        (562, 568),
        "theo:lbunlearn",
        "Inefficient regime",
        (1230, 1261),
        ("inefficient",),
        "Let δ ∈ [1e-8, ε]. Under Assumption 2 there exists a universal constant c > 0 such that, if "
        "e < min{1, c ρ² (1 + κ²)} e0, then T^U_e/T^S_e = Ω(1).",
    ),
    Environment(
        "Corollary 1",
        (592, 597),
        keys=("inefficient.liminf",),
        sentence="Within the hypothesis of Theorem 2, for r and κ fixed, liminf T^U_e/T^S_e > 0 as e → 0.",
    ),
    Environment(
        "Theorem 3",
        (624, 633),
        "theo:up_unlearn",
        "Noise and Fine-Tune Efficiency",
        (1082, 1128),
        ("efficient",),
        "For any e < e0, T^U_e/T^S_e = O(ρ² (1 + d κ²) e0/e).",
    ),
    Environment(
        "Corollary 2",
        (645, 655),
        title="Efficient regime",
        keys=("efficient.corollary",),
        sentence="There exists a universal constant c > 0 such that, for any γ ∈ (0, 1), if "
        "e ≥ (c/γ) ρ² (1 + d κ²) e0, then T^U_e/T^S_e < γ.",
    ),
    Environment("Figure 2", (704, 718), "fig:exp_diagram", "Experimental phase diagram"),
    Environment(
        "Lemma B.1",
        (1147, 1154),
        "lemma:cvLg",
        proof=(1155, 1166),
        keys=("two_point",),
        sentence="For two functions g, g', two initial parameters θ0, θ0' and an algorithm, the larger of the two "
        "risks started at θ0 is at least L² (E g − E g')²/(32 μ) · (1 − TV(P_g, P_g')), P_g' being the law of the "
        "run on g' started at θ0'.",
    ),
    Environment(
        "Lemma B.2",
        (1170, 1177),
        "lemma:tvbound",
        proof=(1178, 1227),
        keys=("tv_bound",),
        sentence="TV(U on g^γ, U on g^0) ≤ πγ√T/4 + ((1 − r)γ − r)_+/(2r) · (e^ε − 1 + δ).",
    ),
    Environment(
        "Lemma C.1",
        (1294, 1300),
        "lemma:opt_dist",
        proof=(1301, 1303),
        keys=("opt_dist",),
        sentence="‖θ* − θ_r*‖ ≤ ρ L/μ.",
    ),
    Environment(
        "Lemma C.2",
        (1305, 1310),
        "lemmaopt_loss",
        proof=(1311, 1320),
        keys=("opt_loss",),
        sentence="L_r(θ*) − L_r* ≤ ρ² L²/μ.",
    ),
    Environment(
        "Lemma C.3",
        (1322, 1328),
        "lemma:tv_dp",
        proof=(1329, 1335),
        keys=("tv_dp",),
        sentence="If U verifies (ε, δ)-Unlearning, TV(U(D_r, D_f), U(D_r, D_f')) ≤ e^ε − 1 + δ.",
    ),
    Environment(
        "Lemma C.4",
        (1358, 1364),
        "lemma:phiA_measurable",
        proof=(1365, 1371),
        keys=("phi_measurable",),
        sentence="The output on ℓ^g is a measurable function of θ0, the signs g(ξ_0), …, g(ξ_{T−1}) and ω.",
    ),
    Environment(
        "Lemma C.5",
        (1373, 1380),
        "lemma:binvsbin",
        proof=(1381, 1397),
        keys=("binomial_tv",),
        sentence="TV(Bin(T, (1+γ)/2), Bin(T, (1+γ')/2)) ≤ (√T/2) |arctan(γ'/√(1−γ'²)) − arctan(γ/√(1−γ²))|.",
    ),
)

# A row of an aligned display has its own number; a display of one number may have several rows.
_FIRST_ROWS: tuple[Lines, ...] = (
    *((271, 273), (278, 280), (330, 332), (368, 370), (388, 390), (469, 471), (475, 477), (479, 481)),
    *((483, 485), (522, 524), (534, 537), (565, 567), (594, 596), (627, 629), (1068, 1070)),
    *((1075, 1075), (1076, 1076), (1077, 1077), (1078, 1078), (1085, 1087), (1093, 1093)),
    *((1102, 1102), (1103, 1103), (1105, 1105), (1110, 1112), (1134, 1137), (1150, 1152), (1158, 1164)),
    *((1173, 1176), (1181, 1183), (1188, 1197), (1219, 1225), (1232, 1234), (1249, 1251), (1253, 1255)),
    *((1257, 1259), (1267, 1269), (1271, 1273), (1276, 1278), (1280, 1282), (1285, 1287), (1297, 1299)),
    *((1307, 1309), (1314, 1314), (1315, 1315), (1316, 1316), (1317, 1317), (1325, 1327), (1331, 1333)),
    *((1352, 1352), (1361, 1363), (1367, 1369), (1376, 1379), (1383, 1392), (1394, 1396)),
)
EQUATIONS = dict(enumerate(_FIRST_ROWS, start=1))
