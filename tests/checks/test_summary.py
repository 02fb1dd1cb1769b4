"""The table at the end of a run: errata flagged with what holds instead, notes that hide nothing."""

from oubli.checks.measure.registry import UNMEASURED
from oubli.checks.measure.summary import expected_keys, notes, table
from oubli.checks.measure.tightness import LOOSE, remark, sharp_keys, sign_only


def row(key, ratio=1.0, cases=1280, violated=False, confidence=1.0):
    return {"key": key, "cases": cases, "worst_ratio": ratio, "violated": violated, "confidence": confidence}


def test_errata_come_last_and_name_what_holds_instead():
    lines = table({k: row(k, violated=k == "e0.step") for k in ("e0", "e0.step", "trivial.floor")})
    assert lines[-3:-1] == ["", "Errata, violated as they must be:"]
    assert " ".join(lines[-1].split()) == "e0.step 1280 1 exact VIOLATED; e0.step.repaired holds instead"
    assert "NOT VIOLATED  sharp" in lines[-4]


def test_a_confidence_is_shown():
    assert "1 - 1e-06" in table({"trivial.repaired": row("trivial.repaired", confidence=1 - 1e-6)})[-1]


def test_a_sharp_claim_that_is_not_reached_is_not_hidden():
    assert remark("tv_dp.sharp", 0.9989) == "SHARP, NOT REACHED"
    assert remark("tv_dp.sharp", 0.999) == "sharp"
    assert not set(sharp_keys()) & LOOSE.keys()


def test_signs_are_not_ratios():
    signs = {k for k in expected_keys() if sign_only(k)}
    # A squared distance that is 0 has no bound to compare with either.
    squares = {"tv_bound.start", "tv_bound.start.mirrored"}
    # Without a gradient: T^U <= 0; an excess risk is at least 0.
    squares |= {"efficient.none.gaussian", "efficient.none.radial", "sharp.rare.least"}
    # A bound on a sum over coordinates, and a mean of a positive part: differences that are at least 0.
    squares |= {
        "sharp.coins.sum",
        "sharp.cone.least",
        "sharp.ball.least",
        "sharp.ball.order",
        "sharp.ball.cap",
    }
    # That two problems share the start: a distance is 0.
    squares |= {"sharp.kink.start", "two_point.start", "two_point.start.optimal"}
    assert signs == {"setup.stationary", "nft.warm_start", "tv_bound.increasing"} | squares


def test_notes_name_what_is_rare_loose_or_not_measured():
    found = {k: row(k) for k in expected_keys()}
    found["trivial.repaired"] = row("trivial.repaired", cases=320, ratio=0.48)
    text = "\n".join(notes(found))
    assert "trivial.repaired (320)" in text
    for key in [*LOOSE, *UNMEASURED]:
        assert f"  {key}" in text
    ours = [key for key in expected_keys() if key.startswith("sharp.")]
    assert f"beyond the paper: {len(ours)} of {len(ours)} measured" in text
    del found["sharp.kink"]
    text = "\n".join(notes(found))
    assert f"beyond the paper: {len(ours) - 1} of {len(ours)} measured" in text
    assert "not measured: sharp.kink: this run did not record it" in text
