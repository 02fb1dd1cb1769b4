"""What is thrown at the command line: words, numbers, and files, drawn from one seeded generator."""

import json
import random
from typing import Any

EXTREME = [
    "0", "-0", "1", "-1", "2", "0.5", "1/2", "1/3", "2/1", "1e-300", "1e-301", "1e-308", "5e-324", "1e-400",
        "1e300",
    "1e308", "1.8e308", "1e309", "1e999", "-1e999", "1e99999", "1e100000", "1e100001", "1e-100000",
        "1e999999999",
    "1e-6", "9.99e-7", "1e4", "1.0001e4", "0.9", "0.91", "1e-12", "1e100", "1e15", "1e16", "1e12", "1e13",
        "2e-16",
    "nan", "NaN", "inf", "-inf", "Infinity", "∞", "oo", "", " ", "1/0", "0/0", "1//2", "1/-3", "0x10",
        "1_000", "1e",
    "e5", "+5", "--5", "٣", "½", "true", "None", "1,5", "1 2", "a", "--", "-h", "$(x)", "%s", "{}", "\n",
        "1\n2", "\t1",
    "\u202e", "é", "💥", "9" * 400, "0." + "0" * 400 + "1", "1" + "0" * 5000, "3" * 20 + "/" + "7" * 20,
        "1e+05", ".5", "5.",
]  # fmt: skip
KEYS = [
    "e0.step",
    "trivial",
    "efficient",
    "Theorem 1",
    "l.531",
    "l.0",
    "l.",
    "opt_dist.sharp",
    "theo:trivial_regime",
]


def number(rng: random.Random) -> str:
    """A number, mostly one; at times something else."""
    match rng.randrange(7):
        case 0 | 1:
            return rng.choice(EXTREME)
        case 2:
            return f"{rng.uniform(0, 1):.{rng.randrange(1, 18)}g}"
        case 3:
            return (
                f"{10 ** rng.uniform(-307, 308):.6g}"
                if rng.random() < 0.3
                else f"{10 ** rng.uniform(-8, 8):.4g}"
            )
        case 4:
            return str(rng.randrange(-3, 200))
        case 5:
            return f"{rng.randrange(1, 99)}/{rng.randrange(1, 99)}"
        case _:
            return f"{rng.choice(['-', ''])}{rng.randrange(1, 10)}e{rng.randrange(-330, 330)}"


def spoilt(rng: random.Random, text: str) -> str:
    """A text with a few characters changed, cut, doubled or moved."""
    out = list(text)
    for _ in range(rng.randrange(1, 4)):
        i = rng.randrange(len(out) + 1)
        match rng.randrange(4):
            case 0:
                out[i:i] = rng.choice(["\x00", '"', ",", "\n", "é", "{", "]", "-", "9", "\ufeff", "\\"])
            case 1:
                del out[i : i + rng.randrange(1, 12)]
            case 2:
                out[i:i] = out[i : i + rng.randrange(1, 12)]
            case _:
                out = out[:i] if rng.random() < 0.2 else out
    return "".join(out)


def twisted(rng: random.Random, value: Any) -> Any:
    """A JSON value with one part replaced, dropped, doubled or nested deeper."""
    odd: list[Any] = [
        None,
        True,
        -1,
        0,
        2**70,
        1e308,
        float("nan"),
        "",
        "x",
        "1/0",
        [],
        {},
        [[]],
        {"": []},
        "é" * 50,
    ]
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(list(value))
        if rng.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: twisted(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.85:
        i = rng.randrange(len(value))
        if rng.random() < 0.2:
            return [*value[:i], *value[i + 1 :]] if rng.random() < 0.5 else [*value[:i], value[i], *value[i:]]
        return [*value[:i], twisted(rng, value[i]), *value[i + 1 :]]
    return rng.choice(odd)


def table(rng: random.Random) -> str:
    """A CSV of questions, rarely a good one."""
    names = ["rf", "n", "forget", "eps", "delta", "dim", "target", "L", "mu", "target_risk"]
    columns = (
        rng.sample(names, rng.randrange(1, len(names)))
        if rng.random() < 0.6
        else ["rf", "eps", "delta", "dim", "target"]
    )
    rows = [[number(rng) for _ in columns] for _ in range(rng.randrange(0, 5))]
    if columns[0] == "rf" and rng.random() < 0.5:
        rows = [["0.01", "1", "1e-5", "2", number(rng)] for _ in range(rng.randrange(1, 4))]
        columns = ["rf", "eps", "delta", "dim", "target"]
    text = "\n".join(",".join(row) for row in [columns, *rows]) + "\n"
    return spoilt(rng, text) if rng.random() < 0.5 else text


RULE = '''class Rule:
    """Adds noise."""

    def start(self, theta_star, setup, rng):
        return theta_star + rng.normal(size=theta_star.shape), None

    def step(self, t, theta, grad, memory, setup, rng):
        return theta - 0.1 * grad, memory

    def release(self, theta, memory, setup, rng):
        return theta
'''


def rule(rng: random.Random) -> str:
    """A rule's file: names, shapes, kinds and words of it spoilt."""
    changes = [
        ("theta - 0.1 * grad, memory", rng.choice(["theta", "None", "1 / 0", "theta[0], memory",
            "theta * 1e308 * 10, memory",
         "'x', memory", "float('nan') * theta, memory", "theta.tolist(), memory", "(theta,) * 3",
             "theta.astype(int), memory"])),
        ("return theta\n", rng.choice(["return None\n", "return theta[:1]\n", "raise SystemExit(3)\n",
            "return memory\n",
         "print('x')\n        return theta\n", "return theta + 1j\n",
             "import warnings; warnings.warn('x'); return theta\n"])),
        ("def step", "def steps"), ("class Rule:", "class Rule(object, int):"), ("self, t, theta",
            "self, theta"),
    ]  # fmt: skip
    text = RULE
    for old, new in rng.sample(changes, rng.randrange(1, 3)):
        text = text.replace(old, new)
    return spoilt(rng, text) if rng.random() < 0.4 else text


def certificates(rng: random.Random, good: list[Any]) -> str:
    """A file of certificates, twisted as JSON or spoilt as text."""
    value: Any = [rng.choice(good) for _ in range(rng.randrange(1, 3))]
    for _ in range(rng.randrange(1, 4)):
        value = twisted(rng, value)
    if rng.random() < 0.3:
        value = (
            {"claims": [{"key": "x", "status": "PROVED", "certificate": item} for item in value]}
            if isinstance(value, list)
            else value
        )
    text = json.dumps(value)
    return spoilt(rng, text) if rng.random() < 0.2 else text
