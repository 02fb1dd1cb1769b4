"""The explorable page: its JavaScript against Python on 1,000 points, and the page as a person uses it."""

import json
import re

import numpy as np
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from oubli.answers.explorer.page import page, tables
from oubli.cli.main import main
from oubli.theory.regimes import classify
from oubli.theory.regimes.classification import EFFICIENT, INEFFICIENT

START = {"rf": 1e-3, "dim": 10, "delta": 1e-6}
STRENGTH = {"trivial": {"trivial"}, "efficient": {"efficient", "trivial"}, "inefficient": {"inefficient"}}
ASK = """
const made = arguments[1] ? makeCalculator({...TABLES, ...arguments[1]}) : Calculator;
return arguments[0].map((point) => {
  const found = made.classify(...point);
  const steps = [...found.scratch, ...found.unlearn].map((bound) => bound.steps);
  return [found.certified, steps, found.sigma, found.noise, TABLES.bounds[found.unlearn[1].name].how];
});
"""


def points(size, seed=5):
    """Everywhere the sliders reach; the line d = 1 and the edges of the window among them."""
    rng = np.random.default_rng(seed)
    r, delta = 10 ** rng.uniform(-6, np.log10(0.5), size), 10 ** rng.uniform(-12, -1, size)
    d, x = np.round(10 ** rng.uniform(0, 6, size)), 10 ** rng.uniform(-4, 0, size)
    x[1::3] *= 10 ** rng.uniform(-2, 0, len(x[1::3]))  # down to the end of the diagram
    d[:50], x[50:60] = 1, 1.0
    kappa = 10 ** rng.uniform(-2, 2, size)
    return np.stack([r, d, delta, x, np.sqrt(2 * np.log(1.25 / delta)) / kappa], axis=1)


def near_boundaries(size):
    """Points a hair beyond and within the end of a certified region in ε, found by bisection in Python."""
    r, d, delta, x, _ = points(size, seed=6).T
    low, high = np.full(size, 1e-2), np.full(size, 1e3)
    for _ in range(45):
        eps = np.sqrt(low * high)
        pays = np.isin(
            classify(rf=r, eps=eps, delta=delta, dim=d, target=x).certified, ["trivial", "efficient"]
        )
        low, high = np.where(pays, low, eps), np.where(pays, eps, high)
    edges = [
        np.stack([r, d, delta, x, high * factor], axis=1) for factor in (1 - 1e-9, 1 - 1e-13, 1, 1 + 1e-7)
    ]
    return np.concatenate(edges)


def compare(asked, answers):
    """How many answers of the page claim more than Python, and how many others are the same."""
    r, d, delta, x, eps = asked.T
    found = classify(rf=r, eps=eps, delta=delta, dim=d, target=x)
    real = np.stack([best.steps for pair in (found.scratch, found.unlearn) for best in pair], axis=1)
    made = np.array([answer[1] for answer in answers], dtype=np.float64)
    lower, upper = [0, 2], [1, 3]
    too_much = (made[:, lower] > real[:, lower]).any(axis=1) | (made[:, upper] < real[:, upper]).any(axis=1)
    words = [
        word != "uncharted" and str(real) not in STRENGTH[word]
        for (word, *_), real in zip(answers, found.certified, strict=True)
    ]
    too_much |= np.array(words)
    too_much |= np.array([a[2] < s for a, s in zip(answers, found.sigma * (1 - 1e-11), strict=True)]) & (
        made[:, 3] == real[:, 3]
    )
    same = (made == real).all(axis=1) & np.array(
        [(a[0], a[3], a[4]) == (str(found.certified[i]), found.noise(i), found.unlearn[1].how(i))
         for i, a in enumerate(answers)]
    )  # fmt: skip
    return int(too_much.sum()), float(same.mean())


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    file = tmp_path_factory.mktemp("explorer") / "page.html"
    file.write_text(page(START), encoding="utf-8")
    return file.as_uri()


def test_the_javascript_never_claims_more_than_python(desktop, explorer):
    desktop.get(explorer)
    everywhere, edges = points(1000), near_boundaries(60)
    too_much, same = compare(everywhere, desktop.execute_script(ASK, everywhere.tolist(), None))
    assert too_much == 0
    assert same >= 0.99
    assert compare(edges, desktop.execute_script(ASK, edges.tolist(), None))[0] == 0


SOLVE = """
return arguments[0].map(([r, d, delta, x]) => {
  const found = Calculator.boundaries(r, d, delta, [x, 1.04 * x], TABLES.window.kappas, 12);
  return [found.trivial, found.efficient, found.inefficient];
});
"""


def test_a_coloured_column_is_certified_at_all_its_targets(desktop, explorer):
    desktop.get(explorer)
    asked = points(200, seed=7)[:, :4]
    asked[:, 3] = np.minimum(asked[:, 3], 0.95)
    edges = np.array(desktop.execute_script(SOLVE, asked.tolist()))
    r, d, delta, x = asked.T
    low, high = tables()["window"]["kappas"]
    coloured = 0
    levels = (
        lambda s, u: u[1] == 0,
        lambda s, u: EFFICIENT * u[1] <= s[0],
        lambda s, u: INEFFICIENT * u[0] >= s[1],
    )
    for kappa, reached in zip(edges.T, levels, strict=True):
        inside = (kappa > low) & (kappa < high)
        coloured += inside.sum()
        for factor in (1, 1.013, 1.027, 1.04):
            eps = np.sqrt(2 * np.log(1.25 / delta)) / kappa
            found = classify(rf=r, eps=eps, delta=delta, dim=d, target=x * factor)
            ends = ([best.steps for best in pair] for pair in (found.scratch, found.unlearn))
            assert reached(*ends)[inside].all()
    assert coloured > 150


@pytest.mark.parametrize(
    "planted",
    [
        {"V": 0.99 * 9 / 35},
        {"dual": 1.4},
        {"takes": 1},
        {"needs": 30},
        {"efficient": 1.9},
        {"inefficient": 2e5},
        {"hops": tables()["hops"] | {"down": 1.1}},
        {"bayes": tables()["bayes"] | {"least": 0.1}},
        {"sphere": tables()["ball"]},
    ],
    ids=lambda planted: str(*planted),
)
def test_a_planted_error_is_seen(desktop, explorer, planted):
    desktop.get(explorer)
    asked = points(3000)
    assert planted.keys() <= tables().keys()
    assert compare(asked, desktop.execute_script(ASK, asked.tolist(), planted))[0] > 0


def test_the_page_needs_nothing_else(explorer, desktop):
    text = page(START)
    assert not re.search(r"""(src|href)\s*=\s*["']|@import|url\(|https?://""", text)
    desktop.get(explorer)
    assert desktop.get_log("browser") == []
    asked = [json.loads(entry["message"])["message"] for entry in desktop.get_log("performance")]
    urls = [m["params"]["request"]["url"] for m in asked if m["method"] == "Network.requestWillBeSent"]
    assert all(url.startswith("file:") for url in urls)


def shown(browser, name):
    return browser.find_element(By.ID, name).text


def test_the_point_and_the_sliders_change_the_answer(desktop, explorer, screens):
    desktop.get(explorer)
    point = {"rf": 1e-3, "eps": 1.0, "delta": 1e-6, "dim": 10, "target": 0.01}
    found = classify(**point)
    assert shown(desktop, "regime") == f"certified {found.certified[0]}"
    least, most = (int(best.steps[0]) for best in found.unlearn)
    assert shown(desktop, "unlearn") == f"{least} to {most} gradients"
    keys = [item.text for item in desktop.find_elements(By.CSS_SELECTOR, "#claims code")]
    assert keys == list(found.claims(0))
    assert shown(desktop, "command").startswith(
        "oubli regime --rf 0.001 --dim 10 --delta 1e-6 --eps 1 --target 0.01"
    )
    canvas = desktop.find_element(By.ID, "diagram")
    canvas.send_keys(*[Keys.ARROW_DOWN] * 40)
    assert shown(desktop, "regime") == "certified trivial"
    assert "no gradient is needed" in shown(desktop, "advice")
    desktop.execute_script(
        "const d = document.getElementById('dim'); d.value = 1; d.dispatchEvent(new Event('input'))"
    )
    assert shown(desktop, "regime") == "uncharted"
    field = desktop.find_element(By.ID, "eps")
    field.clear()
    field.send_keys("none")
    assert field.get_attribute("aria-invalid") == "true"
    desktop.save_screenshot(str(screens / "explorer.png"))


def test_the_generalisation_error_of_many_samples_is_inside_the_diagram(desktop, explorer):
    desktop.get(explorer)
    field, note = (desktop.find_element(By.ID, name) for name in ("target", "outside"))
    for target, outside in (("1.67e-5", False), ("1e-7", True), ("1e-6", False)):
        field.clear()
        field.send_keys(target)
        assert note.is_displayed() == outside, target
    assert tables()["window"]["targets"] == [1e-6, 1.0]


def test_it_fits_a_telephone_in_both_themes(phone, explorer, screens):
    for theme in ("light", "dark"):
        media = {"media": "", "features": [{"name": "prefers-color-scheme", "value": theme}]}
        phone.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        phone.get(explorer)
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 390
        assert phone.find_element(By.ID, "diagram").size["width"] > 300
        phone.save_screenshot(str(screens / f"explorer-phone-{theme}.png"))


def test_the_command_writes_it(tmp_path, capsys):
    with pytest.raises(SystemExit) as leaving:
        main(["phase", "theory", "--columns", "10", "--html", str(tmp_path / "page.html")])
    assert leaving.value.code == 0
    assert "makeCalculator" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(SystemExit) as leaving:
        main(["phase", "theory", "--columns", "10", "--html", "/nowhere/page.html"])
    assert leaving.value.code == 2
    assert capsys.readouterr().err == "oubli: html = /nowhere/page.html: No such file or directory\n"
