"""Calls of the command line, drawn from a seed: most of them quick, every command now and then."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.fuzz import values
from tests.fuzz.values import number

Call = list[str]


def options(rng: random.Random, good: dict[str, str], flags: list[str]) -> Call:
    """Options, some good, some drawn, some missing, some twice."""
    out: Call = []
    for name, value in good.items():
        if rng.random() < 0.93:
            out += [name, number(rng) if rng.random() < 0.5 else value]
    out += [flag for flag in flags if rng.random() < 0.3]
    if rng.random() < 0.04:
        out += [rng.choice(["--nothing", "--json=1", "-x", "--rf", "extra", "--digits", "--help"])]
    return out


def tv(rng: random.Random, folder: Path, good: Any) -> Call:
    trials = rng.choice(["1", "10", "100", "1e9", "0", number(rng)])
    chances = [rng.choice(["0.5", "g=1e-7", "g=" + number(rng), number(rng), number(rng)]) for _ in range(2)]
    digits = (
        ["--digits", rng.choice(["1", "30", "60", "0", "9001", number(rng)])] if rng.random() < 0.2 else []
    )
    return ["tv", trials, *chances, *digits, *(["--json"] if rng.random() < 0.5 else [])]


def gauss(rng: random.Random, folder: Path, good: Any) -> Call:
    asked = {"--delta": "1e-5"} if rng.random() < 0.6 else {"--sigma": "4"}
    return ["gauss", *options(rng, {"--eps": "1", **asked}, ["--json"])]


def regime(rng: random.Random, folder: Path, good: Any) -> Call:
    share = {"--rf": "0.001"} if rng.random() < 0.7 else {"--n": "60000", "--forget": "60"}
    goal = {"--target": "0.05"} if rng.random() < 0.5 else {"--L": "2", "--mu": "1", "--target-risk": "0.02"}
    words = [
        ["--notion", "reference"],
        ["--noise", "classical"],
        ["--constants", "printed-repaired"],
        ["--noise", "x"],
    ]
    more = rng.choice(words) if rng.random() < 0.3 else []
    asked = {**share, "--eps": "1", "--delta": "1e-5", "--dim": "10", **goal}
    # Without --json a good call also searches for the nearest boundary, which takes long.
    return ["regime", *options(rng, asked, []), *more, *(["--json"] if rng.random() < 0.97 else [])]


def regimes(rng: random.Random, folder: Path, good: Any) -> Call:
    return [
        "regime",
        "--csv",
        written(rng, folder, "t.csv", values.table(rng)),
        *(["--json"] if rng.random() < 0.5 else []),
    ]


def theory(rng: random.Random, folder: Path, good: Any) -> Call:
    return [
        "phase",
        "theory",
        *options(rng, {"--rf": "1e-3", "--dim": "10", "--delta": "1e-6", "--columns": "10"}, ["--json"]),
    ]


def verify(rng: random.Random, folder: Path, good: Any) -> Call:
    return [
        "verify",
        written(rng, folder, "c.json", values.certificates(rng, good)),
        *(["--json"] if rng.random() < 0.5 else []),
    ]


def show(rng: random.Random, folder: Path, good: Any) -> Call:
    key = rng.choice([*values.KEYS, number(rng), values.spoilt(rng, rng.choice(values.KEYS))])
    replay = (
        ["--replay", values.spoilt(rng, '{"L": 1, "mu": 1, "slack 0": 0.5}')] if rng.random() < 0.6 else []
    )
    return ["show", key, *replay, *(["--json"] if rng.random() < 0.5 else [])]


def samples(rng: random.Random, folder: Path, good: Any) -> Call:
    import numpy as np

    files = []
    for name in ("p.npy", "q.npy"):
        file = folder / name
        shape = rng.choice([(200,), (200, 2), (99,), (0,), (200, 0), (2, 2, 2), (200, 1)])
        kind = rng.choice(["f8", "f8", "f8", "i4", "U3", "c16", "f2", "?", "O"])
        drawn = np.random.default_rng(rng.randrange(2**32)).normal(size=shape) * 10.0 ** rng.choice(
            [0, 0, 0, 300, -300]
        )
        with np.errstate(all="ignore"):
            np.save(file, drawn if kind == "f8" else drawn.clip(-9, 9).astype(kind), allow_pickle=True)
        data = file.read_bytes()
        if rng.random() < 0.2:
            file.write_bytes(data[: rng.randrange(len(data))])
        files.append(str(file) if rng.random() < 0.97 else str(folder))
    return [
        "audit",
        "--samples",
        *files,
        *options(rng, {"--eps": "1", "--delta": "1e-5"}, ["--json", "--assume-gaussian"]),
    ]


def audit(rng: random.Random, folder: Path, good: Any) -> Call:
    file = written(
        rng, folder, f"rule{rng.randrange(10)}.py", values.rule(rng) if rng.random() < 0.5 else values.RULE
    )
    name = rng.choice(["", "", "", ":Rule", ":Rules", ":"])
    asked = {
        "--eps": "1",
        "--delta": "1e-5",
        "--runs": "200",
        "--steps": "2",
        "--dim": "1",
        "--rf": "0.01",
        "--alpha": "0.05",
        "--seed": "0",
    }
    return ["audit", file + name, *options(rng, asked, ["--json"]), "--total-seconds", "20"]


def other(rng: random.Random, folder: Path, good: Any) -> Call:
    paper = (
        ["--paper", rng.choice(["unlearning", "os", "", ".", number(rng), str(folder)])]
        if rng.random() < 0.6
        else []
    )
    tex = written(
        rng, folder, "p.tex", values.spoilt(rng, "\\begin{equation} x \\ge 0 \\end{equation}\n" * 3)
    )
    return rng.choice([
        ["claims", *paper], ["coverage", str(folder), *paper], ["coverage", number(rng) + ".tex", *paper],
            ["x" + number(rng)], ["tv"], ["-h"],
        ["report", "--out", str(folder / "none")], ["report", "--out", tex], ["errata", "--from",
            str(folder)],
        ["errata", "--format", "x" + number(rng)], ["verify", str(folder / "none")], ["check",
            "x" + number(rng), "--out", str(folder / "r")],
        ["phase", "x" + number(rng)], ["audit", "--suite", number(rng)], ["audit", "--plot", "x.png"],
            ["--version"], ["phase", "synthetic", "--d", number(rng), "--points", "1"],
        ["paper", str(folder / "none.tex"), *paper], ["regime", "--csv", str(folder)], ["verify", tex],
    ])  # fmt: skip


def written(rng: random.Random, folder: Path, name: str, text: str) -> str:
    """The path of a file with this text, its bytes spoilt at times."""
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.05:
        data = data.replace(b"e", b"\xff\xfe", 2)
    (folder / name).write_bytes(data)
    return str(folder / name)


# How often each kind is drawn; the quick ones carry the numbers.
KINDS: dict[Callable[..., Call], int] = {
    tv: 2000, gauss: 800, regime: 4500, regimes: 900, theory: 4, verify: 30, show: 3, samples: 40, audit: 2,
        other: 60,
}  # fmt: skip


def call(seed: int, folder: Path, good: list[Any]) -> Call:
    """The call of a seed; files that it names are written into the folder."""
    rng = random.Random(seed)
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    return kind(rng, folder, good)
