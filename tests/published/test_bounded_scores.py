"""Tables of two papers on Brier score and net benefit, recomputed by exact integration.

- M. Assel, D. D. Sjoberg and A. J. Vickers (2017), "The Brier score does not evaluate the clinical utility of
  diagnostic tests or prediction models", Diagnostic and Prognostic Research 1:19, Table 1.
- G. A. Flores, A. Schiff, A. H. Smith, J. A. Fukuyama and A. C. Wilson, "A consequentialist critique of binary
  classification evaluation: theory, practice, and tools", Table 2 and Appendices F and J.
"""

from functools import partial

import pytest
from published.continuous import binary_test, logistic_risk, two_normals
from scipy.special import logit
from scipy.stats import norm

from stakes import (
    At,
    ScoreTable,
    Uniform,
    auc,
    brier_score,
    decompose,
    expected_regret,
    from_odds,
    log_loss,
    net_benefit,
    skill_score,
)

THRESHOLDS = (0.05, 0.1, 0.2)
LOW, HIGH = 0.05, 0.2


def bounded_brier(table: ScoreTable) -> float:
    """Last column of Appendix F: the clipped Brier difference over the width of the range, twice the mean regret."""
    return brier_score(table, cost_range=(LOW, HIGH)) / (HIGH - LOW)


COLUMNS = {
    "AUC-ROC": auc,
    "Brier": brier_score,
    "NB 5%": partial(net_benefit, costs=At(0.05)),
    "NB 10%": partial(net_benefit, costs=At(0.1)),
    "NB 20%": partial(net_benefit, costs=At(0.2)),
    "Brier 5%-20%": bounded_brier,
}

SENSITIVE = binary_test(0.2, sensitivity=0.95, specificity=0.5)
SPECIFIC = binary_test(0.2, sensitivity=0.5, specificity=0.95)
EVERYONE = ScoreTable.from_counts([1.0], [0.2], [0.8])
NO_ONE = ScoreTable.from_counts([0.0], [0.2], [0.8])

# ------------------------------------------------------------------------------------- Flores et al., Appendix F

# The constants stand in the authors' package `briertools`; the text says "we reproduce their data generating
# process", which these are not (see below).
APPENDIX_F = {
    "Highly sensitive": SENSITIVE,
    "Underestimating risk": two_normals(0.2, 0.95, intercept=-0.9 - 0.285, thresholds=THRESHOLDS),
    "Well calibrated": two_normals(0.2, 0.95, intercept=-0.9, thresholds=THRESHOLDS),
    "Overestimating risk": two_normals(0.2, 0.95, intercept=-0.9 + 0.361, thresholds=THRESHOLDS),
    "Assume all positive": EVERYONE,
    "Highly specific": SPECIFIC,
    "Severely underestimating risk": two_normals(0.2, 0.95, intercept=-0.9 - 3.04, thresholds=THRESHOLDS),
    "Assume all negative": NO_ONE,
}
PRINTED_F = {
    "Highly sensitive": (0.73, 0.41, 0.17, 0.15, 0.09, 0.12),
    "Underestimating risk": (0.75, 0.15, 0.16, 0.12, 0.06, 0.16),
    "Well calibrated": (0.75, 0.17, 0.16, 0.12, 0.05, 0.17),
    "Overestimating risk": (0.75, 0.20, 0.16, 0.11, 0.03, 0.18),
    "Assume all positive": (0.50, 0.80, 0.16, 0.11, 0.00, 0.20),
    "Highly specific": (0.73, 0.14, 0.10, 0.10, 0.09, 0.18),
    "Severely underestimating risk": (0.75, 0.18, 0.09, 0.04, 0.01, 0.29),
    "Assume all negative": (0.50, 0.20, 0.00, 0.00, 0.00, 0.35),
}
# The same to four digits, by integration; 0.7250 and 0.1850 lie on the edge of two printed ones.
EXACT_F = {
    "Highly sensitive": (0.7250, 0.4100, 0.1689, 0.1456, 0.0900, 0.1175),
    "Underestimating risk": (0.7491, 0.1516, 0.1589, 0.1200, 0.0591, 0.1642),
    "Well calibrated": (0.7491, 0.1673, 0.1585, 0.1173, 0.0476, 0.1727),
    "Overestimating risk": (0.7491, 0.1968, 0.1582, 0.1145, 0.0325, 0.1827),
    "Assume all positive": (0.5000, 0.8000, 0.1579, 0.1111, 0.0000, 0.2000),
    "Highly specific": (0.7250, 0.1400, 0.0979, 0.0956, 0.0900, 0.1850),
    "Severely underestimating risk": (0.7491, 0.1756, 0.0896, 0.0392, 0.0098, 0.2888),
    "Assume all negative": (0.5000, 0.2000, 0.0000, 0.0000, 0.0000, 0.3500),
}
CELLS = [(row, column) for row in PRINTED_F for column in COLUMNS]


def test_every_cell_of_the_table_is_looked_at():
    assert len(CELLS) == 48
    assert PRINTED_F.keys() == EXACT_F.keys() == APPENDIX_F.keys()


@pytest.mark.parametrize(("row", "column"), CELLS)
def test_appendix_f(row, column):
    at = list(COLUMNS).index(column)
    value = COLUMNS[column](APPENDIX_F[row])
    assert value == pytest.approx(EXACT_F[row][at], abs=5e-5 + 1e-7)
    assert value == pytest.approx(PRINTED_F[row][at], abs=5e-3 + 1e-7)


def test_the_cells_are_narrow_enough():
    assert auc(APPENDIX_F["Well calibrated"]) == pytest.approx(norm.cdf(0.95 / 2**0.5), abs=2e-7)
    threshold = logit(0.1) + 0.9
    benefit = 0.2 * norm.sf(threshold - 0.95) - 0.8 * norm.sf(threshold) / 9
    assert COLUMNS["NB 10%"](APPENDIX_F["Well calibrated"]) == pytest.approx(benefit, abs=1e-14)


def test_one_row_alone_departs_from_the_order_of_net_benefit_as_the_text_says():
    by_benefit = sorted(APPENDIX_F, key=lambda row: -COLUMNS["NB 5%"](APPENDIX_F[row]))
    by_brier = sorted(APPENDIX_F, key=lambda row: bounded_brier(APPENDIX_F[row]))
    assert by_benefit == list(PRINTED_F)
    assert discordant(by_benefit, by_brier) == {("Assume all positive", "Highly specific")}


def discordant(first: list[str], second: list[str]) -> set[tuple[str, str]]:
    """Pairs that the second order turns round."""
    return {(a, b) for i, a in enumerate(first) for b in first[i + 1 :] if second.index(a) > second.index(b)}


# --------------------------------------------------------------------------------- Assel et al., Table 1 (their own)

# The text does not say how the four models were made; these constants give all sixteen of their printed numbers.
MODELS = {
    "Well calibrated": logistic_risk(-1.65, thresholds=THRESHOLDS),
    "Overestimating risk": logistic_risk(-1.65, moved=1.0, thresholds=THRESHOLDS),
    "Underestimating risk": logistic_risk(-1.65, moved=-1.0, thresholds=THRESHOLDS),
    "Severely underestimating risk": logistic_risk(-1.65, moved=-2.0, thresholds=THRESHOLDS),
}
TESTS = {
    "Assume all negative": NO_ONE,
    "Assume all positive": EVERYONE,
    "Highly specific": SPECIFIC,
    "Highly sensitive": SENSITIVE,
}
PRINTED_ASSEL = {  # Brier score, net benefit at 5%, 10%, 20%
    "Assume all negative": (0.2000, 0.0000, 0.0000, 0.0000),
    "Assume all positive": (0.8000, 0.1579, 0.1111, 0.0000),
    "Highly specific": (0.1400, 0.0979, 0.0956, 0.0900),
    "Highly sensitive": (0.4100, 0.1689, 0.1456, 0.0900),
    "Well calibrated": (0.1386, 0.1595, 0.1236, 0.0716),
    "Overestimating risk": (0.1708, 0.1583, 0.1160, 0.0423),
    "Underestimating risk": (0.1540, 0.1483, 0.0986, 0.0413),
    "Severely underestimating risk": (0.1760, 0.0921, 0.0372, 0.0076),
}


@pytest.mark.parametrize("row", PRINTED_ASSEL)
def test_table_1_of_assel(row):
    table = (MODELS | TESTS)[row]
    found = [COLUMNS[column](table) for column in ("Brier", "NB 5%", "NB 10%", "NB 20%")]
    assert found == pytest.approx(PRINTED_ASSEL[row], abs=5e-5 + 1e-7)


@pytest.mark.parametrize(
    ("sensitivity", "specificity", "printed"),
    [(0.5, 0.95, 0.1169), (0.95, 0.5, 0.1386)],
    ids=["Highly specific", "Highly sensitive"],
)
def test_table_1_of_assel_with_tests_read_as_what_they_predict(sensitivity, specificity, printed):
    true, false = 0.2 * sensitivity, 0.8 * (1 - specificity)
    missed, right = 0.2 - true, 0.8 - false
    says = (missed / (missed + right), true / (true + false))  # method 2 of the footnote
    table = binary_test(0.2, sensitivity=sensitivity, specificity=specificity, says=says)
    assert brier_score(table) == pytest.approx(printed, abs=5e-5)
    assert auc(table) == pytest.approx(0.725)  # printed: 0.725


@pytest.mark.parametrize("row", MODELS)
def test_the_auc_of_the_models_of_assel_is_a_little_below_the_printed_one(row):
    assert auc(MODELS[row]) == pytest.approx(0.7446, abs=5e-5)  # printed: 0.75


@pytest.mark.parametrize(
    ("row", "regret", "bounded_skill", "brier_skill"),
    [
        ("Well calibrated", 0.07700, 0.230, 0.134),
        ("Overestimating risk", 0.08832, 0.117, -0.068),
        ("Underestimating risk", 0.09952, 0.005, 0.037),
        ("Severely underestimating risk", 0.14579, -0.458, -0.100),
    ],
)
def test_the_bounded_score_mends_what_assel_criticise(row, regret, bounded_skill, brier_skill):
    # By Brier score overestimating is worse than underestimating; from 5% to 20% it is the other way round.
    table = MODELS[row]
    assert expected_regret(table, Uniform(LOW, HIGH)) == pytest.approx(regret, abs=6e-6)
    assert skill_score(table, Uniform(LOW, HIGH)) == pytest.approx(bounded_skill, abs=5.1e-4)
    assert skill_score(table, Uniform()) == pytest.approx(brier_skill, abs=5.1e-4)


def test_appendix_f_is_not_the_generator_of_assel():
    # Its "well calibrated" row gains by recalibration (the true log-odds are -1.8375 + 0.95 Z), theirs does not.
    rows = {"Flores": APPENDIX_F, "Assel": MODELS}
    loss = {name: decompose(table["Well calibrated"], Uniform()).miscalibration for name, table in rows.items()}
    assert loss["Assel"] == pytest.approx(0, abs=1e-7)
    assert loss["Flores"] > 0.01


def test_with_the_generator_of_assel_the_order_departs_three_times():
    rows = TESTS | MODELS
    by_benefit = sorted(rows, key=lambda row: -COLUMNS["NB 5%"](rows[row]))
    by_brier = sorted(rows, key=lambda row: bounded_brier(rows[row]))
    assert discordant(by_benefit, by_brier) == {
        ("Assume all positive", "Underestimating risk"),
        ("Assume all positive", "Highly specific"),
        ("Underestimating risk", "Highly specific"),
    }


# -------------------------------------------------------------------------------------- Flores et al., Table 2 and J

BREAST_CANCER = ScoreTable.from_counts([0.0], [284], [10732 - 284])  # whom no model would treat: cancers, others


def test_the_first_three_models_of_table_2_score_as_treating_no_one_does():
    # Printed for all three: "Thr. Brier" 0.000662 and "Thr. LogLoss" 0.0153. Neither is divided by the width of the
    # range, and its ends, "1.66%-3%", are odds: 1.66 and 3 to 100.
    low, high = from_odds(1.66, 100), from_odds(3, 100)
    assert brier_score(BREAST_CANCER, cost_range=(low, high)) == pytest.approx(0.000662, abs=5e-7)
    assert log_loss(BREAST_CANCER, cost_range=(low, high)) == pytest.approx(0.0153, abs=5e-5)


def test_table_2_is_not_what_its_ends_would_give_as_probabilities():
    assert brier_score(BREAST_CANCER, cost_range=(0.0166, 0.03)) == pytest.approx(0.000693, abs=5e-7)
    assert log_loss(BREAST_CANCER, cost_range=(0.0166, 0.03)) == pytest.approx(0.01566, abs=5e-6)


def test_the_skill_of_the_example_in_appendix_j():
    # A Brier score of 0.1 at a prevalence of 0.2 is a skill of 37.5%.
    table = ScoreTable.from_counts([0.25, 0.5], [0, 2], [8, 0])
    assert brier_score(table) == pytest.approx(0.1)
    assert skill_score(table, Uniform()) == pytest.approx(0.375)
