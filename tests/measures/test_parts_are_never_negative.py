"""Where a part of the regret is zero, rounding does not make it negative."""

from hypothesis import example, given
from hypothesis import strategies as st
from strategies import beliefs

from stakes import Beta, ScoreTable, Uniform, decompose, score_table

SHARES = st.lists(
    st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=1, max_size=4, unique_by=lambda n: n[0] / sum(n)
)


@given(SHARES, st.sampled_from([0.1, 0.3, 0.7, 1.0]), beliefs())
@example([(6, 10), (21, 20)], 0.1, Beta(2, 5))
def test_scores_calibrated_to_a_last_digit_lose_nothing_to_miscalibration(counts, unit, costs):
    positive, negative = ([unit * count for count in column] for column in zip(*counts, strict=True))
    score = [round(p / (p + n), 16) for p, n in zip(positive, negative, strict=True)]
    parts = decompose(ScoreTable.from_counts(score=score, positive=positive, negative=negative), costs)
    assert 0 <= parts.miscalibration <= 1e-15


@given(st.lists(st.sampled_from([0.1, 0.25, 0.3, 0.7]), min_size=2, max_size=6), beliefs())
@example([0.3, 0.3, 0.3, 0.25, 0.25], Uniform())
@example([0.3, 0.3, 0.3, 0.25, 0.25], Beta(2, 5))
def test_scores_upside_down_gain_nothing_from_discrimination(weight, costs):
    negatives = len(weight) // 2
    y = [1] * (len(weight) - negatives) + [0] * negatives
    parts = decompose(score_table(y, [k / 10 for k in range(len(y))], weight), costs)
    assert 0 <= parts.discrimination <= 1e-15
