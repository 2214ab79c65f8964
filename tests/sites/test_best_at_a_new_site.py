"""The probability of being the best at the average site and at a new one: laws, and an oracle that draws."""

from dataclasses import replace

import numpy as np
import pytest

from stakes.sites import SiteSummary, pool_sites
from stakes.sites._joint_sites import _roots

NUMBERS = np.array([[0.30, 0.34, 0.35], [0.22, 0.20, 0.31], [0.40, 0.47, 0.41], [0.28, 0.33, 0.35]])
SPREADS = np.array([[4, 2, 1], [2, 5, 2], [1, 2, 3]]) * 1e-4


def summaries(numbers, spreads, better="smaller"):
    names = [f"m{k}" for k in range(numbers.shape[1])]
    return [
        SiteSummary(
            site=f"s{k}",
            measure="cost",
            better=better,
            cases=400,
            positives=80,
            estimates=dict(zip(names, row.tolist(), strict=True)),
            covariance=tuple(map(tuple, (spreads * (1 + k / 2)).tolist())),
        )
        for k, row in enumerate(numbers)
    ]


def best(numbers=NUMBERS, spreads=SPREADS, better="smaller"):
    found = pool_sites(summaries(numbers, spreads, better))
    return [np.array(list(one.values())) for one in (found.probability_best, found.probability_best_in_new_site)]


def test_two_models_have_the_probability_of_their_difference():
    found = pool_sites(summaries(NUMBERS[:, :2], SPREADS[:2, :2]), baseline="m1").models["m0"]
    average, following = best(NUMBERS[:, :2], SPREADS[:2, :2])
    assert average == pytest.approx([found.probability_better, 1 - found.probability_better], abs=1e-8)
    there = found.probability_better_in_new_site
    assert following == pytest.approx([there, 1 - there], abs=1e-8)


def drawn(new_site, size=200_000):
    """Draw how far apart sites are, then the average, then a site, from differences to the first model."""
    rng = np.random.default_rng(3)
    less = np.array([[-1.0, 1, 0], [-1, 0, 1]])
    y = NUMBERS @ less.T
    v = np.array([less @ (SPREADS * (1 + k / 2)) @ less.T for k in range(4)])
    both = np.array([[1, 0.5], [0.5, 1]])  # of two differences to one model, each with variance 1
    whole = np.eye(3) - 1 / 3
    own = [np.linalg.eigvalsh(whole @ SPREADS @ whole)[1:] * (1 + k / 2) for k in range(4)]
    scale = 4 * np.sqrt(2 * 8 / np.sum(1 / np.array(own)))
    tau = scale * np.tan(np.linspace(0, np.pi / 2, 2002)[1:-1])
    log, means, roots = [], [], []
    for one in tau:
        precision = np.linalg.inv(v + one**2 * both)
        covariance = np.linalg.inv(precision.sum(axis=0))
        mean = covariance @ np.einsum("sij,sj->i", precision, y)
        off = y - mean
        parts = np.linalg.slogdet(precision)[1].sum() + np.linalg.slogdet(covariance)[1]
        log.append((parts - np.einsum("si,sij,sj->", off, precision, off)) / 2)
        means.append(mean)
        roots.append(np.linalg.cholesky(covariance + new_site * one**2 * both))
    weight = np.exp(np.array(log) - max(log))
    which = rng.choice(len(tau), size, p=weight / weight.sum())
    gaps = np.array(means)[which] + np.einsum("nij,nj->ni", np.array(roots)[which], rng.normal(size=(size, 2)))
    first = np.column_stack([np.zeros(size), gaps]).argmin(axis=1)
    return np.bincount(first, minlength=3) / size


@pytest.mark.parametrize("new_site", [False, True])
def test_three_models_are_the_best_as_often_as_in_draws(new_site):
    assert best()[int(new_site)] == pytest.approx(drawn(new_site), abs=0.006)


def test_the_order_of_models_does_not_matter():
    turned = best(NUMBERS[:, ::-1], SPREADS[::-1, ::-1])
    assert [one[::-1] for one in turned] == [pytest.approx(one, abs=1e-9) for one in best()]


def test_what_all_models_share_at_a_site_does_not_matter():
    moved = best(NUMBERS + np.array([[0.1], [0.5], [0.0], [-0.2]]), SPREADS + 3e-4)
    assert moved == [pytest.approx(one, abs=1e-9) for one in best()]


def test_larger_may_be_better():
    assert best(-NUMBERS, better="larger") == [pytest.approx(one, abs=1e-12) for one in best()]


def test_a_copy_shares_the_probability_of_the_model():
    order = [0, 0, 1]
    found = best(NUMBERS[:, order], SPREADS[np.ix_(order, order)])
    two = best(NUMBERS[:, :2], SPREADS[:2, :2])
    for copied, alone in zip(found, two, strict=True):
        assert copied[0] == pytest.approx(copied[1])
        assert copied[2] == pytest.approx(alone[1], abs=1e-9)


def test_a_model_that_is_hopeless_is_never_the_best_and_changes_nothing():
    numbers = np.column_stack([NUMBERS, [9.0, 9.1, 8.9, 9.0]])  # and lies far apart between sites
    spreads = np.zeros((4, 4))
    spreads[:3, :3], spreads[3, 3] = SPREADS, 4e-4
    for four, three in zip(best(numbers, spreads), best(), strict=True):
        assert four.tolist() == [*three, 0.0]


def test_a_fourth_model_that_is_like_the_others_has_a_share():
    fourth = NUMBERS.mean(axis=1) + np.array([0.001, -0.002, 0.003, -0.001])
    numbers = np.column_stack([NUMBERS, fourth])
    spreads = np.full((4, 4), 1e-4) + np.diag([3e-4] * 4)
    for four in best(numbers, spreads):  # at fixed points
        assert four.sum() == pytest.approx(1)
        assert all(four > 0.001)
        turned = best(numbers[:, ::-1], spreads)[0][::-1]
    assert turned == pytest.approx(best(numbers, spreads)[0], abs=0.005)


def known_at_a_site():
    """Return four models, the first two of which are the same at the first site, as if both acted on everyone there."""
    numbers = np.column_stack([NUMBERS[:, 0], NUMBERS[:, 0] + [0.0, 0.02, -0.01, 0.03], NUMBERS[:, 1:]])
    plain = np.full((4, 4), 1e-4) + np.diag([3e-4, 4e-4, 4e-4, 2e-4])
    same = plain.copy()
    same[1], same[:, 1] = plain[0], plain[:, 0]
    same[1, 1] = plain[0, 0]
    sites = summaries(numbers, plain)
    sites[0] = replace(sites[0], covariance=tuple(map(tuple, same.tolist())))
    return sites


def test_two_of_four_models_may_be_the_same_at_a_site():
    found = pool_sites(known_at_a_site())
    for one in (found.probability_best, found.probability_best_in_new_site):
        assert sum(one.values()) == pytest.approx(1)
        assert all(share > 0.001 for share in one.values())
    there, average = found.probability_best_in_new_site["m0"], found.probability_best["m0"]
    assert there < average - 0.02  # sites lie apart, though one of them knows a difference exactly


def test_a_covariance_that_is_singular_but_for_rounding_has_a_root():
    known = np.array([[[2.0, 0.0], [0.0, -1e-18]], [[2.0, 1.0], [1.0, 0.5]]])
    roots = _roots(known)
    assert roots @ roots.transpose(0, 2, 1) == pytest.approx(known, abs=1e-15)


def test_it_is_absent_with_a_baseline_for_one_model_and_for_few_sites():
    sites = summaries(NUMBERS, SPREADS)
    assert pool_sites(sites, baseline="m0").probability_best == {}
    assert pool_sites(summaries(NUMBERS[:, :1], SPREADS[:1, :1])).probability_best == {}
    two = pool_sites(sites[:2])
    assert sum(two.probability_best.values()) == pytest.approx(1)
    assert two.probability_best_in_new_site == {}
