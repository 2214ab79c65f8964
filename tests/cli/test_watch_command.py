"""The command `watch`: lines and verdict, judged by `stakes.monitoring.watch` on the same columns."""

import json

import numpy as np
import pytest

from stakes.monitoring import watch

TYPED = ("watch", "months.csv", "--outcome", "fraud", "--predictions", "risk", "--costs", "20%", "--batch", "month")


@pytest.fixture
def batches(folder):
    rng = np.random.default_rng(8)
    made = []
    for share in (0.2, 0.2, 0.6, 0.6):
        y = rng.random(150) < share
        right = y if share < 0.5 else ~y  # from the third month on the scores point the wrong way
        made.append((y.astype(int), np.round(1 / (1 + np.exp(-rng.normal(np.where(right, 0.2, -2.2)))), 3)))
    names = ("2024-03", "2024-10", "2024-9", "2025-01")  # as they come, not as text is sorted
    rows = [
        f"{one},{s},{n}" for (y, score), n in zip(made, names, strict=True) for one, s in zip(y, score, strict=True)
    ]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    return made


@pytest.mark.parametrize(("misses", "code"), [(95, 3), (700, 0)])
def test_it_says_what_the_numbers_say(misses, code, batches, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    seen = watch(batches, "20%", promised=misses / 1000 * 0.8)
    ran = stakes(*TYPED, "--promised", f"{misses} misses per 1000")
    *lines, verdict = ran.out.splitlines()
    assert ran.code == code
    assert (seen.alarm is not None) == (code == 3)
    for line, name, regret in zip(lines, ("2024-03", "2024-10", "2024-9", "2025-01"), seen.regret, strict=True):
        assert line.startswith(f"{name}: 150 cases, {regret / 0.8 * 1000:.0f} misses per 1,000 cases, evidence ")
        found = 10 ** seen.evidence[lines.index(line)]
        said = line.rsplit("evidence ", 1)[1]
        assert (
            (said == "over 1,000,000")
            if found > 1e6
            else float(said.replace(",", "")) == pytest.approx(found, rel=0.05)
        )
    alarm = "Alarm in 2024-9: risk costs more than promised; such evidence comes by chance at most once in 240 batches"
    assert verdict.startswith(
        alarm if code else "No alarm: evidence that risk costs more than promised stayed below 240."
    )
    plain = json.loads(stakes(*TYPED, "--promised", f"{misses} misses per 1000", "--json").out)
    assert plain["log10_evidence"] == pytest.approx(seen.evidence.tolist(), rel=1e-12)
    assert plain["regret"][0] * plain["unit"]["factor"] == pytest.approx(seen.regret[0] / 0.8, rel=1e-12)
    assert plain["alarm"] == seen.alarm


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["0,.1,m3", "1,.2,m3", "0,.1,m1", "1,,m3"], "be in the order of time: rows of 'm3' come again after 'm1' at"),
        (["0,.1,m3", "1,.2,m3", "0,.1,m1", "1,,"], "not have missing values, got 1 missing value, at"),
    ],
)
def test_batches_in_disorder_are_refused_with_the_line(rows, message, folder, refused):
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    assert refused(*TYPED, "--promised", "1 miss per 1000") == f"`--batch` must {message} line 5."


def test_cases_without_a_score_are_counted(folder, stakes):
    rows = ["0,.1,m1", "1,.2,m1", "0,,m1", "1,.9,m2", ",.5,m2"]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    typed = (*TYPED, "--promised", "700 misses per 1000", "--on-missing", "drop")
    said = stakes(*typed).out
    assert "Dropped: 1 case without a score from every model." in said
    assert "Dropped: 1 case without an outcome." in said
    assert "m2: 1 case, 0 " in said
    plain = json.loads(stakes(*typed, "--json").out)
    assert (plain["cases"], plain["dropped_by_role"]) == ([2, 1], {"outcome": 1, "predictions": 1})


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (TYPED, "`--promised` must be given, got none."),
        ((*TYPED[:-2], "--promised", "1 miss per 1000"), "`--batch` must be given, got none."),
        (
            (*TYPED, "--promised", "1"),
            "`--promised` must look like '1 miss per 1000' or '5 false alarms per 1000', got '1'.",
        ),
        (
            (*TYPED, "--promised", "5,000 misses per 1000"),
            "`--promised` must be less than 1000 misses per 1000, the most that cases can cost, "
            "got '5,000 misses per 1000'.",
        ),
        (
            (*TYPED, "--promised", "1 miss per 1000", "--every", "0"),
            "`--every` must be finite and greater than 1, got 0.",
        ),
        (
            (*TYPED[:-1], "nope", "--promised", "1 miss per 1000"),
            "months.csv: `--batch` must be one of month, fraud, risk, got 'nope'.",
        ),
    ],
)
def test_what_cannot_be_watched_is_refused(typed, message, batches, refused):
    assert refused(*typed) == message
