"""The command `watch`: lines and verdict, judged by `stakes.monitoring.watch` on the same columns."""

import html
import json
import re

import numpy as np
import pytest

from stakes import score_table
from stakes.monitoring import drift, watch

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
    promise, *lines, verdict, average = ran.out.splitlines()
    assert promise == (
        f"Promised: risk costs at most {misses} misses per 1,000 cases, if a false alarm accounts for 20% of the cost "
        "of one false alarm plus one miss: a miss is as bad as 4 false alarms."
    )
    assert ran.code == code
    assert (seen.alarm is not None) == (code == 3)
    for line, name, regret in zip(lines, ("2024-03", "2024-10", "2024-9", "2025-01"), seen.regret, strict=True):
        assert line.startswith(f"{name}: 150 cases, {regret / 0.8 * 1000:.0f} misses per 1,000 cases, evidence ")
        found = 10 ** seen.evidence[lines.index(line)]
        said = line.rsplit("evidence ", 1)[1]
        beyond = {"over 1,000,000": found > 1e6, "below 0.01": found < 0.01}
        assert beyond[said] if said in beyond else float(said.replace(",", "")) == pytest.approx(found, rel=0.05)
    ends = re.fullmatch(
        r"On average so far: (\d+) misses per 1,000 cases \(95% interval (\d+) to (\d+), which holds whenever one "
        r"looks\)\.",
        average,
    ).groups()
    wanted = [getattr(seen.average(), one) / 0.8 * 1000 for one in ("estimate", "lower", "upper")]
    assert [*map(float, ends)] == pytest.approx(wanted, abs=0.5)
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


@pytest.mark.parametrize("outcomes", ["0101", "    "])
def test_a_batch_for_each_case_is_refused(outcomes, folder, refused, stakes):
    rows = [f"{one.strip()},.{k + 1},2024-03-0{k + 1} 10:00" for k, one in enumerate(outcomes)]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    typed = (*TYPED, "--promised", "500 misses per 1000")
    wanted = (
        "`--batch` must have fewer batches than the file has cases, got 4 of each; "
        "name a column that the cases of a batch share, such as the month."
    )
    assert refused(*typed) == wanted
    (folder / "months.csv").write_text("fraud,risk,month\n1,.4,may\n", encoding="utf-8")
    assert stakes(*typed).code == 0  # the first case of the first batch


def test_cases_without_a_score_are_counted(folder, stakes):
    rows = ["0,.1,m1", "1,.2,m1", "0,,m1", "1,.9,m2", ",.5,m2"]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    typed = (*TYPED, "--promised", "700 misses per 1000", "--on-missing", "drop")
    said = stakes(*typed).out
    assert "Dropped: 1 case without a score from at least one model." in said
    assert "Dropped: 1 case without an outcome." in said
    assert "m2: 1 case, 0.0 " in said
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
            (*TYPED, "--promised", "1 miss per 1000", "--baseline", "nope"),
            "months.csv: `--baseline` must be one of month, fraud, risk, got 'nope'.",
        ),
        (
            (*TYPED, "--promised", "1 miss per 1000", "--baseline", "risk"),
            "`--baseline` must be a different model from the one in use, got 'risk'.",
        ),
        (
            (*TYPED, "--promised", "1 miss per 1000", "--capacity", "10%"),
            "`--threshold` must be given with `--capacity`, got none.",
        ),
        (
            (*TYPED, "--promised", "1 miss per 1000", "--threshold", ".1", "--capacity", "2"),
            "`--capacity` must lie between 0 and 1, got 2.",
        ),
        (
            (*TYPED, "--promised", "1 miss per 1000", "--threshold", "8"),  # as a percentage is typed in haste
            "`--threshold` must lie between 0 and 1, got 8.",
        ),
        (
            (*TYPED[:-1], "nope", "--promised", "1 miss per 1000"),
            "months.csv: `--batch` must be one of month, fraud, risk, got 'nope'.",
        ),
    ],
)
def test_what_cannot_be_watched_is_refused(typed, message, batches, refused):
    assert refused(*typed) == message


# ------------------------------------------------------------------------------------------- without all outcomes


MONTHS = ("m01", "m02", "m03", "m04")
PROMISED = ("--promised", "300 misses per 1000")


def written(path, batches, known=(150, 150, 150, 150)):
    """Write batches of which the first some cases have an outcome."""
    rows = ["fraud,risk,old,month"]
    for (y, score), label, until in zip(batches, MONTHS, known, strict=True):
        cases = enumerate(zip(y, score, strict=True))
        rows += [f"{one if k < until else ''},{s},{1 - s:.3f},{label}" for k, (one, s) in cases]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def interval(one):
    return {"estimate": one.estimate, "lower": one.lower, "upper": one.upper}


def test_batches_without_all_outcomes_are_judged_by_their_scores_alone(batches, folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    written(folder / "months.csv", batches, known=(150, 150, 149, 0))
    plain = json.loads(stakes(*TYPED, *PROMISED, "--json").out)
    seen = watch(batches[:2], "20%", promised=0.24)
    assert plain["batches"] == ["m01", "m02"]
    assert plain["log10_evidence"] == pytest.approx(seen.evidence.tolist(), rel=1e-12)
    table = score_table(*(np.concatenate(column) for column in zip(*batches[:2], strict=True)))
    said = stakes(*TYPED, *PROMISED).out.splitlines()
    waiting = zip(plain["without_outcomes"], batches[2:], MONTHS[2:], (1, 150), strict=True)
    for one, (_, scores), label, unknown in waiting:
        found = drift(table, scores, costs="20%")
        assert (one["batch"], one["cases"], one["unknown_outcomes"]) == (label, 150, unknown)
        for key, expected in (("prevalence", found.prevalence), ("cost", found.cost)):
            assert one[key] == pytest.approx(interval(expected))
        for key, expected in (("prevalence", found.if_calibrated), ("cost", found.cost_if_calibrated)):
            assert one[f"{key}_if_calibrated"] == pytest.approx(interval(expected))
        assert one["explained"] == pytest.approx(found.explained)
        at = next(k for k, line in enumerate(said) if line.startswith(f"{label}: 150 cases; "))
        known = "1 outcome is not known yet" if unknown == 1 else "no outcome is known yet"
        assert said[at].endswith(f"; {known}, so it is not watched.")
        changed = found.explained < 0.01
        if changed:
            assert said[at + 1].startswith("  More than the share of positives has changed (p ")
            at += 1
        assert ("each class" in said[at + 1]) == (not changed)
        assert ("if they do." in said[at + 2]) == changed
        ends, keys = ("estimate", "lower", "upper"), ("", "_if_calibrated")[changed:]
        shares = [one[f"prevalence{key}"][end] for key in keys for end in ends]
        printed = [float(text) for text in re.findall(r"([\d.]+)%", said[at + 1])]
        assert printed == pytest.approx([100 * table.prevalence, *(100 * share for share in shares)], abs=0.51)
        costs = [one[f"cost{key}"][end] for key in keys for end in ends]
        numbers = [float(text) for text in re.findall(r"(?<![\d,])(\d+)(?! cases|,)", said[at + 2])]
        assert numbers == pytest.approx([1250 * found.reference_cost, *(1250 * cost for cost in costs)], abs=0.51)


def test_the_p_value_of_a_changed_batch_is_said_once(folder, stakes):
    rng = np.random.default_rng(4)
    labelled = [(y, float(s)) for y in (0, 1) for s in rng.beta(2 + 3 * y, 5 - 3 * y, 300)]
    rows = [f"may,{y},{s:.4f}" for y, s in labelled] + [f"june,,{s:.4f}" for s in rng.choice([0.05, 0.95], 600)]
    (folder / "months.csv").write_text("\n".join(["month,y,risk", *rows]), encoding="utf-8")
    named = ("--outcome", "y", "--predictions", "risk", "--batch", "month")
    told = stakes("watch", "months.csv", *named, "--costs", "5%..20%", "--promised", "400 misses per 1000").out
    said = " ".join(told.split())
    changed = "More than the share of positives has changed (p < 0.001): label some of these cases."
    assert said.index(changed) < said.index("Positives, 50% in the reference: now ")
    assert " if scores mean what they meant, which labels would show. Expected cost of risk, " in said
    assert "if each class has the scores it had" not in said  # which the test has rejected


def test_a_file_without_outcomes_is_compared_with_a_reference(batches, folder, stakes, refused):
    written(folder / "march.csv", batches)
    scores = batches[3][1]
    (folder / "months.csv").write_text("risk,month\n" + "".join(f"{s},m05\n" for s in scores), encoding="utf-8")
    ran = stakes(*TYPED, "--reference", "march.csv", "--json")
    assert ran.code == 0
    (one,) = json.loads(ran.out)["without_outcomes"]
    table = score_table(*(np.concatenate(column) for column in zip(*batches, strict=True)))
    assert one["prevalence"] == pytest.approx(interval(drift(table, scores, costs="20%").prevalence))
    assert refused(*TYPED) == "months.csv: `--outcome` must be one of risk, month, got 'fraud'."


def test_scores_need_labelled_cases_to_be_compared_with(batches, folder, refused):
    written(folder / "months.csv", batches, known=(0, 0, 0, 0))
    assert refused(*TYPED) == "`--reference` must be given where no batch of `FILE` has outcomes, got none."


def test_cases_without_an_outcome_are_dropped_where_asked_but_for_batches_without_any(batches, folder, stakes):
    written(folder / "months.csv", batches, known=(150, 150, 149, 0))
    plain = json.loads(stakes(*TYPED, *PROMISED, "--on-missing", "drop", "--json").out)
    assert (plain["cases"], plain["dropped_by_role"]) == ([150, 150, 149], {"outcome": 1})
    assert [one["batch"] for one in plain["without_outcomes"]] == ["m04"]


def test_errors_name_the_line_of_the_file(batches, folder, refused):
    written(folder / "months.csv", batches, known=(0, 150, 150, 0))
    lines = (folder / "months.csv").read_text(encoding="utf-8").splitlines()
    for line, wrong in ((200, "0,1.5,.5,m02"), (500, ",7,.5,m04")):
        changed = [*lines[: line - 1], wrong, *lines[line:]]
        (folder / "months.csv").write_text("\n".join(changed) + "\n", encoding="utf-8")
        assert f"at line {line}" in refused(*TYPED, *PROMISED)


def test_a_baseline_is_compared_with_case_by_case(batches, folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    written(folder / "months.csv", batches)
    triples = [(y, score, np.round(1 - score, 3)) for y, score in batches]
    seen = watch(triples, "20%", promised=0.0, baseline="old")
    typed = (*TYPED, "--baseline", "old", "--promised", "0 misses per 1000")
    plain, ran = json.loads(stakes(*typed, "--json").out), stakes(*typed)
    assert plain["log10_evidence"] == pytest.approx(seen.evidence.tolist(), rel=1e-12)
    assert plain["regret"] == pytest.approx(seen.regret.tolist(), rel=1e-12)
    assert ran.code == (3 if seen.alarm is not None else 0)
    promise, first, *_, verdict, average = ran.out.splitlines()
    assert promise.startswith("Promised: risk costs at most 0 misses more than old per 1,000 cases, if a false alarm")
    way = "less" if seen.regret[0] < 0 else "more"
    assert first.startswith(f"m01: 150 cases, {1250 * abs(seen.regret[0]):.0f} misses {way} than old per 1,000 cases")
    assert " beside old" in verdict
    said = re.match(r"On average so far: (\d+) misses more than old per .* \(95% interval (\d+) to (\d+), ", average)
    wanted = [1250 * getattr(seen.average(), one) for one in ("estimate", "lower", "upper")]
    assert [*map(float, said.groups())] == pytest.approx(wanted, abs=0.5)


def test_clusters_are_one_bet_each(batches, folder, stakes):
    written(folder / "months.csv", batches)
    lines = enumerate((folder / "months.csv").read_text(encoding="utf-8").splitlines())
    wider = [f"{line},{'who' if k == 0 else k // 3}\n" for k, line in lines]
    (folder / "months.csv").write_text("".join(wider), encoding="utf-8")
    plain = json.loads(stakes(*TYPED, *PROMISED, "--cluster", "who", "--largest-cluster", "4", "--json").out)
    whose = np.split((np.arange(600) + 1) // 3, 4)
    made = [{"y": y, "score": s, "cluster": who} for (y, s), who in zip(batches, whose, strict=True)]
    seen = watch(made, "20%", promised=0.24, largest_cluster=4)
    assert plain["log10_evidence"] == pytest.approx(seen.evidence.tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ((), "`--largest-cluster` must be given with `--cluster`, got none."),
        (
            ("--largest-cluster", "149"),
            "`--cluster` must have at most as many cases of a cluster as `--largest-cluster` says, 149, "
            "got 150 of 'm01'.",
        ),
    ],
)
def test_clusters_need_a_bound_that_holds(more, message, batches, folder, refused):
    written(folder / "months.csv", batches)
    assert refused(*TYPED, *PROMISED, "--cluster", "month", *more) == message


def test_its_help_says_when_a_file_needs_no_outcomes(stakes):
    said = " ".join(stakes("watch", "--help").out.split())
    assert "Column of outcomes. Required; FILE need not have it with --reference." in said


def test_more_batches_than_groups_are_watched(folder, stakes):
    rows = [f"{k % 5 == 0:d},{0.2 + 0.1 * (k % 3):.1f},d{k // 10:03d}" for k in range(1000)]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    assert json.loads(stakes(*TYPED, *PROMISED, "--json").out)["cases"] == [10] * 100


def test_its_page_says_the_same_and_needs_nothing(batches, folder, stakes):
    written(folder / "months.csv", batches, known=(150, 150, 150, 0))
    ran = stakes(*TYPED, "--promised", "95 misses per 1000", "--html", "watch.html")
    assert ran.out.splitlines()[-1] == "Report: watch.html (open it in a browser)"
    page = (folder / "watch.html").read_text(encoding="utf-8")
    said = " ".join(ran.out.split())
    for sentence in re.findall(r"<p(?: class=\"lead\")?>([^<]*)</p>", page):
        assert html.unescape(sentence) in said or sentence.startswith("Created by stakes ")
    assert page.count('data-chart="cost"') == page.count('data-chart="evidence"') == 2  # wide, and as on a phone
    rows = re.findall(r"<bdi>(m\d+)</bdi></th><td>150</td>", page)
    assert rows == ["m01", "m02", "m03"]
    assert "<script" not in page


def test_a_page_that_cannot_be_written_is_refused_before_any_work(batches, folder, refused):
    wanted = "`--html` must be in a folder that exists, got 'nowhere/watch.html'."
    assert refused(*TYPED, *PROMISED, "--html", "nowhere/watch.html") == wanted


@pytest.mark.parametrize(
    ("first", "second", "earlier"),
    [
        ("2024-10", "2024-09", True),
        ("2024-10-02", "2024-10-01", True),
        ("2024-09", "2024-10", False),
        ("2024-10", "2024-9", False),  # whether a 9 is a month is not known
        ("m2", "m1", False),
    ],
)
def test_dates_that_go_backwards_are_refused(first, second, earlier, folder, stakes):
    rows = [f"0,.1,{first}", f"1,.2,{first}", f"0,.1,{second}"]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    ran = stakes(*TYPED, "--promised", "700 misses per 1000")
    said = f"`--batch` must be in the order of time: {second!r} comes after {first!r} at line 4; sort the file by time."
    assert (ran.code, said in " ".join(ran.err.split())) == (2 if earlier else 0, earlier)


@pytest.mark.parametrize(("score", "positive", "doubted"), [(0.101, 0, True), (0.09, 0, False), (0.101, 1, False)])
def test_a_batch_without_the_positives_that_its_scores_expect_is_doubted(score, positive, doubted, folder, stakes):
    rows = [f"{positive if k == 7 else 0},{score},m1" for k in range(100)] + ["1,.9,m2"]
    (folder / "months.csv").write_text("\n".join(["fraud,risk,month", *rows]) + "\n", encoding="utf-8")
    said = " ".join(stakes(*TYPED, "--promised", "700 misses per 1000").out.split())
    doubt = "m1 has no positives, where the scores of risk expect about 10: check that its outcomes are known."
    assert (doubt in said) == doubted
    assert "m2 has no positives" not in said


def test_batches_beyond_the_capacity_are_counted(batches, folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    written(folder / "months.csv", batches, known=(150, 150, 150, 0))
    typed = (*TYPED, *PROMISED, "--threshold", "0.4", "--capacity", "20%")
    acted = [float(np.mean(score >= 0.4)) for _, score in batches]
    plain, said = json.loads(stakes(*typed, "--json").out), stakes(*typed).out
    too_many = [share > 0.2 for share in acted]
    assert plain["acted_on"] == pytest.approx(acted[:3])
    assert plain["breaches"] == [k for k in range(3) if too_many[k]]
    assert 0 < len(plain["breaches"]) < 3
    assert plain["without_outcomes"][0]["acted_on"] == pytest.approx(acted[3])
    for k, line in enumerate(said.splitlines()[1:4]):
        assert line.endswith(f", acts on {100 * acted[k]:.2g}%{' (too many)' * too_many[k]}")
    assert f"risk acts on more than your capacity of 20% in {sum(too_many[:3])} of 3 batches." in said
    seen = watch(batches[:3], "20%", promised=0.24, capacity=0.2, threshold=0.4)
    assert plain["breach_probability"] == pytest.approx(seen.breach_probability(150), rel=1e-12)
    assert f"with probability {100 * plain['breach_probability']:.0f}%, if scores stay alike." in said
    alone = json.loads(stakes(*TYPED, *PROMISED, "--json").out)
    assert [alone[key] for key in ("acted_on", "breaches", "breach_probability", "capacity")] == [None] * 4
    least = str(batches[3][1].min())  # at which everyone is acted on
    assert (
        json.loads(stakes(*TYPED, *PROMISED, "--threshold", least, "--json").out)["without_outcomes"][0]["acted_on"]
        == 1
    )


def test_a_share_just_above_the_capacity_reads_so(batches, folder, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    written(folder / "months.csv", batches)
    few = int(np.sum(batches[0][1] >= 0.4))
    capacity = (few - 0.5) / 150  # half a case less than the first batch has
    said = stakes(*TYPED, *PROMISED, "--threshold", "0.4", "--capacity", repr(capacity)).out.splitlines()[1]
    shown = float(re.search(r"acts on ([\d.]+)% \(too many\)", said)[1])
    assert shown > 100 * capacity
    assert shown == pytest.approx(100 * few / 150, abs=0.5)
    stakes(*TYPED, *PROMISED, "--threshold", "0.4", "--capacity", repr(capacity), "--html", "watch.html")
    assert f"<td>{shown:g}% (too many)</td>" in (folder / "watch.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("promised", ["94.6", "94.63"])
def test_a_promise_reads_as_it_was_typed(promised, batches, stakes, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    promise, line, *_ = stakes(*TYPED, "--promised", f"{promised} misses per 1000").out.splitlines()
    assert promise.startswith(f"Promised: risk costs at most {promised} misses per 1,000 cases, ")
    cost = re.search(r", ([\d.]+) misses per 1,000 cases, evidence", line)[1]
    assert len(cost.partition(".")[2]) == len(promised.partition(".")[2])


def test_evidence_beyond_the_chart_is_at_its_edge_and_the_axis_counts_in_tens(batches, folder, stakes):
    written(folder / "months.csv", batches)
    stakes(*TYPED, "--promised", "95 misses per 1000", "--html", "watch.html")
    page = (folder / "watch.html").read_text(encoding="utf-8")
    evidence = page[page.index('data-chart="evidence"') :]
    assert {"0.01", "1", "100", "10,000"} <= set(re.findall(r">([\d.,]+)</text>", evidence))
    assert "beyond a hundred times what an alarm needs, is at the edge." in page
