"""`oubli audit --samples`: output, exit status, and one line for every kind of bad input."""

import json

import numpy as np
import pytest

from oubli.cli.main import main

BUDGET = ("--eps", "1", "--delta", "1e-5")


@pytest.fixture
def run(capfd):
    def call(*arguments):
        with pytest.raises(SystemExit) as leaving:
            main(["audit", *map(str, arguments)])
        captured = capfd.readouterr()
        return leaving.value.code, captured.out, captured.err

    return call


@pytest.fixture
def files(tmp_path):
    def write(P, Q):
        paths = tmp_path / "P.npy", tmp_path / "Q.npy"
        for path, array in zip(paths, (P, Q), strict=True):
            np.save(path, array, allow_pickle=True)
        return paths

    return write


def test_exit_status_and_json(run, files, tmp_path):
    rng = np.random.default_rng(0)
    paths = files(rng.normal(3, 1, 3000), rng.normal(0, 1, 3000))
    code, out, err = run("--samples", *paths, *BUDGET, "--json", "--plot", tmp_path / "curve.png")
    assert (code, err) == (1, "")
    found = json.loads(out)
    assert list(found) == ["algorithm", "setup", "findings", "verdict"]
    assert found["verdict"] == "VIOLATED"
    curve = next(f["measured"]["curve"] for f in found["findings"] if f["check"] == "privacy curve")
    assert curve["type_one"][0] == 1.0
    assert curve["type_two"][0] == 0.0
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"
    code, out, _ = run("--samples", *files(rng.normal(size=300), rng.normal(size=300)), *BUDGET)
    assert code == 0
    assert "CONSISTENT" in out


SAMPLE = np.zeros(200)


@pytest.mark.parametrize(
    ("P", "words"),
    [
        (np.zeros(1), "at least 100 samples, got 1"),
        (np.zeros((200, 2, 2)), "shape (n,) or (n, d)"),
        (np.float64(3.0), "shape (n,) or (n, d)"),
        (np.zeros((200, 0)), "at least one column"),
        (np.zeros((200, 2)), "as many columns"),
        (np.where(np.arange(200) == 7, np.nan, 0.0), "must be finite"),
        (np.where(np.arange(200) == 7, np.inf, 0.0), "must be finite"),
        (np.array([object()] * 200), "object arrays are not read"),
        (np.array(["a"] * 200), "real numbers"),
        (np.zeros(200, dtype=complex), "real numbers"),
    ],
)
def test_arrays_that_cannot_be_used(run, files, P, words):
    code, out, err = run("--samples", *files(P, SAMPLE), *BUDGET)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--eps", "0", "--delta", "1e-5"), "eps must lie"),
        (("--eps", "-1", "--delta", "1e-5"), "eps must lie"),
        (("--eps", "nan", "--delta", "1e-5"), "eps must lie"),
        (("--eps", "1", "--delta", "1"), "delta must be"),
        (("--eps", "1", "--delta", "-0.1"), "delta must be"),
        (("--eps", "1"), "--eps and --delta"),
        ((*BUDGET, "--alpha", "0"), "alpha must lie"),
        ((*BUDGET, "--seed", "-1"), "seed must be"),
        ((*BUDGET, "--plot", "curve.xyz"), "--plot must be"),
        (("rule.py", *BUDGET), "got both or neither"),
    ],
)
def test_options_that_cannot_be_used(run, files, options, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("--samples", *files(SAMPLE, SAMPLE + 1), *options)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_files_that_cannot_be_read(run, tmp_path, files):
    P, _ = files(SAMPLE, SAMPLE)
    text, archive, folder = tmp_path / "text.npy", tmp_path / "archive.npz", tmp_path / "folder"
    text.write_text("1 2 3")
    np.savez(archive, a=SAMPLE)
    folder.mkdir()
    cut = tmp_path / "cut.npz"
    cut.write_bytes(archive.read_bytes()[:50])
    for path in (tmp_path / "missing.npy", text, archive, cut, folder):
        code, out, err = run("--samples", P, path, *BUDGET)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert path.name in err
    assert run("--samples", P, P, *BUDGET)[0] == 2


def test_a_plot_without_samples_is_refused(run, tmp_path):
    code, _, err = run("rule.py", *BUDGET, "--plot", tmp_path / "x.png")
    assert code == 2
    assert "--samples" in err
