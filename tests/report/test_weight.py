"""How much a page weighs: bytes, whatever the machine."""

import numpy as np
import pytest

from stakes import evaluate
from stakes.cli import main
from stakes.report import render

DEMO, MOST = 330_000, {3: 361_000, 12: 450_000}


@pytest.mark.slow
@pytest.mark.parametrize("models", MOST)
def test_a_page_stays_light_enough_to_mail(models):
    rng = np.random.default_rng(1)
    z = rng.normal(size=3000) - 2
    y = rng.random(3000) < 1 / (1 + np.exp(-1.5 * z))
    noise = [0.3 + k / models for k in range(models)]
    scores = {
        f"model {k}": 1 / (1 + np.exp(-(1.5 * z * (0.2 + own) + rng.normal(size=3000) * own)))
        for k, own in enumerate(noise)
    }
    assert len(render(evaluate(y, scores, "5%..20%", rng=1), embed="live").encode()) < MOST[models]


@pytest.mark.slow
def test_the_page_of_the_demo_stays_light(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--quiet"]) == 0
    assert (tmp_path / "stakes-demo.html").stat().st_size < DEMO
