"""How near the intervals of a page come to the exact ones, and the shape that they have as stated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stakes import _wording as words
from stakes._arrays import FloatArray
from stakes._predictions import reference_name
from stakes.evaluation import EVERYONE, NO_ONE, Decision, Evaluation, measure
from stakes.report._factors import MANY, RANKS
from stakes.report._live import Embedded, embedded, errs_enough, follows, reachable, single_numbers
from stakes.report._packing import pack, pack_bytes, unpack_bytes
from stakes.table import ScoreTable
from stakes.uncertainty import Study

DECISIONS = 60  # that the certificate is about
_LARGE = 200_000  # cases, above which it is about fewer
SURE = 0.99  # share of the ends that it is about
_NEAR = 0.05  # share of a standard error up to which it is near enough
_WORTH_IT = 0.75  # share to which more columns must bring the error down
_COMPARED = 12  # ways to decide, the first as stated
_RIVALS = 6  # of which all differences are embedded, where there are many models


def shapes(evaluation: Evaluation, covariance: FloatArray) -> dict[str, Any]:
    """Return how many standard errors of the page each end of an interval is away, as stated.

    Of single numbers, and of the difference of each pair, the first of which comes earlier in the order of `models`
    and references.
    """
    names = _names(evaluation)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    single = [_single(evaluation, name, error) for name, error in zip(names, errors.tolist(), strict=True)]
    study, pairs = _study(evaluation), []
    first = {one.model for one in evaluation.ranking[:_RIVALS]} | set(names[-2:])
    for b in range(len(names)):
        for a in range(b):
            variance = _variance(covariance, a, b)
            near = len(names) <= MANY or {names[a], names[b]} & first
            pairs.append(_apart(evaluation, study, names[a], names[b], variance) if near else None)
    return {"single": single, "pairs": pairs}


def _variance(covariance: FloatArray, a: int, b: int) -> float:
    return float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])


def _names(evaluation: Evaluation) -> list[str]:
    """Return models in the order of their tables, then the two references, "" where limits forbid one."""
    ranked = {one.model for one in evaluation.ranking if one.reference}
    references = [reference_name(name, evaluation.tables) for name in (EVERYONE, NO_ONE)]
    return [*evaluation.tables, *(name if name in ranked else "" for name in references)]


def _study(evaluation: Evaluation) -> Study | None:
    """Return the study of all that are ranked at the stated decision; None under limits."""
    cases = evaluation.results.cases
    if evaluation.decision.limits is not None or cases is None:
        return None
    return Study(cases, measure(evaluation.decision))


def _single(evaluation: Evaluation, name: str, error: float) -> list[float] | None:
    found = next((one.regret for one in evaluation.ranking if one.model == name), None)
    if found is None:
        return None
    return _in_errors(found.estimate - found.lower, found.upper - found.estimate, error)


def _apart(evaluation: Evaluation, study: Study | None, a: str, b: str, variance: float) -> list[float] | None:
    """Return the distances of the ends of a difference in standard errors; None where they are not known."""
    if not (a and b and variance > 0):
        return None
    if study is not None:
        found = study.compare(a, b, level=evaluation.level)
        return _in_errors(found.difference - found.lower, found.upper - found.difference, math.sqrt(variance))
    best, ranked = evaluation.best.model, {one.model: one.difference for one in evaluation.ranking}
    to_best = ranked.get(b if a == best else a) if best in (a, b) else None
    if to_best is None:
        return None
    ends = to_best.difference - to_best.lower, to_best.upper - to_best.difference
    return _in_errors(*(ends if b == best else ends[::-1]), math.sqrt(variance))


def _in_errors(low: float, high: float, error: float) -> list[float] | None:
    if not (error > 0 and math.isfinite(low) and math.isfinite(high)):
        return None
    return [float(f"{low / error:.5g}"), float(f"{high / error:.5g}")]


# ------------------------------------------------------------------------------------------------ the certificate


class ExactDifference(NamedTuple):
    """A difference of two ways to decide, by their numbers in the page, and how far its ends are from it."""

    first: int
    second: int
    low: float
    high: float


def _exact(evaluation: Evaluation, live: Embedded, decision: Decision) -> list[ExactDifference]:
    """Return the differences to the best at another decision, of those that make enough mistakes."""
    cases, names = evaluation.results.cases, _names(evaluation)
    assert cases is not None
    ranked = [one.model for one in evaluation.ranking][:_COMPARED]
    enough = [name for name in ranked if name not in live.features.tables or _errs(live, name, decision)]
    if len(enough) < 2:
        return []
    study = Study(cases, dict.fromkeys(enough, measure(decision)))
    best = min(enough, key=lambda name: study.estimates[name], default=None)
    found = []
    for other in enough:
        if best is None or other == best:
            continue
        first, second = sorted([names.index(other), names.index(best)])
        one = study.compare(names[first], names[second], level=evaluation.level)
        if one.lower < one.upper:
            found.append(ExactDifference(first, second, one.difference - one.lower, one.upper - one.difference))
    return found


def _errs(live: Embedded, name: str, decision: Decision) -> bool:
    return errs_enough(live.features.tables[name], decision)


def _gaps(
    live: Embedded, pairs: Sequence[Any], decisions: Sequence[Decision], known: Sequence[list[ExactDifference]]
) -> FloatArray:
    """Return by which share the distance of each end of the page differs from the exact one."""
    gaps = []
    for decision, differences in zip(decisions, known, strict=True):
        covariance = live.covariance(decision)
        for a, b, low, high in differences:
            shape, error = pairs[pair_number(a, b)], math.sqrt(max(_variance(covariance, a, b), 0.0))
            if shape is not None and min(low, high) > 0:
                gaps += [abs(shape[0] * error / low - 1), abs(shape[1] * error / high - 1)]
    return np.array(gaps)


def pair_number(first: int, second: int) -> int:
    """Return the place of a pair, the smaller number first, among all pairs."""
    return second * (second - 1) // 2 + first


def _decisions(models: int, cases: int) -> int:
    """Return the number of decisions to compare, fewer where each takes long."""
    return DECISIONS if models <= MANY and cases <= _LARGE else DECISIONS // 3 if cases <= _LARGE else DECISIONS // 6


def live_part(evaluation: Evaluation, tables: Mapping[str, ScoreTable], embed: str) -> dict[str, Any] | None:
    """Return what makes intervals of a page follow its controls; None where nothing can."""
    clusters = evaluation.sample.clusters is not None
    if not follows(evaluation) or (embed == "strict" and clusters):
        return None
    if embed == "strict":
        alone = single_numbers(evaluation, dict(tables))
        return {
            "single": shapes(evaluation, alone.covariance(evaluation.decision))["single"],
            **_weighed(evaluation, alone),
        }
    whole = embedded(evaluation, dict(tables))
    count = _decisions(len(tables), evaluation.sample.cases)
    decisions = reachable(evaluation, count, 2)
    known = [_exact(evaluation, whole, one) for one in decisions]
    live, parts, gaps = _near_enough(evaluation, whole, decisions, known)
    within = float(np.quantile(gaps, SURE)) if len(gaps) else None
    stated = {"share": SURE, "within": within, "decisions": count, "ends": len(gaps)}
    return {"cuts": live.features.cuts.tolist(), **parts, **_weighed(evaluation, live), "certificate": stated}


def _near_enough(
    evaluation: Evaluation,
    whole: Embedded,
    decisions: Sequence[Decision],
    known: Sequence[list[ExactDifference]],
) -> tuple[Embedded, dict[str, Any], FloatArray]:
    """Return factors with as many columns as bring the ends near the exact ones, or as make a difference."""
    most = max(one.shape[1] for one in whole.columns)
    chosen, best = None, math.inf
    for rank in sorted({min(rank, most) for rank in RANKS}):
        live, packed = _packed(whole.cut(rank))
        shape = shapes(evaluation, live.covariance(evaluation.decision))
        gaps = _gaps(live, shape["pairs"], decisions, known)
        reached = float(np.quantile(gaps, SURE)) if len(gaps) else 0.0
        if chosen is None or reached < _WORTH_IT * best:
            chosen, best = (live, {**packed, **shape}, gaps), reached
        if best <= _NEAR:
            break
    assert chosen is not None
    return chosen


def _weighed(evaluation: Evaluation, live: Embedded) -> dict[str, Any]:
    """Return the squares of weights by row and class, and what cases weigh, if they do."""
    features, cases = live.features, evaluation.results.cases
    assert cases is not None
    if np.all(features.weight == features.weight[0]) and features.total == sum(
        float(one.sum()) for one in next(iter(features.squares.values()))
    ):
        return {}
    squares = [features.squares[name] for name in features.names]
    table = next(iter(features.tables.values()))
    positive = int(np.count_nonzero(cases.positive))  # of all cases: features may be those of a sample of them
    counts = [positive, len(cases) - positive]
    weight = [table.positive_total, table.negative_total]
    return {
        "squares": [[pack(one) for one in pair] for pair in squares],
        "totals": [float(one.sum()) for one in squares[0]],
        "heaviness": [whole / max(count, 1) for whole, count in zip(weight, counts, strict=True)],
    }


def _packed(live: Embedded) -> tuple[Embedded, dict[str, Any]]:
    """Return factors in 8 bits, as the page reads them and as it holds them."""
    packed = {"factors": [pack_bytes(one) for one in live.columns]}
    # one model varies with no other: its factors have rows and no columns, and bytes do not say how many rows
    columns = [unpack_bytes(one).reshape(side.shape) for one, side in zip(packed["factors"], live.columns, strict=True)]
    if live.clusters is None:
        return Embedded(live.features, columns, None), packed
    held = pack_bytes(live.clusters[0])
    read = Embedded(live.features, columns, (unpack_bytes(held), live.clusters[1]))
    return read, {**packed, "clusters": {**held, "signs": live.clusters[1].tolist()}}


FINE = "This page is fine"
_ONE_MODEL = 3  # ways to decide: the model, acting on everyone and on no one


def embedded_said(embed: str, live: Mapping[str, Any] | None, *, left: bool = False) -> str:
    """Describe what the page holds, and how near its intervals came to the exact ones."""
    said = f"This page is {embed} (embed): {_held(embed, live, left=left)}."
    found = None if live is None else live.get("certificate")
    if found is None or found["within"] is None:
        return said
    share = words.percent(-(-found["within"] * 100 // 1) / 100)
    return (
        f"{said} Live intervals of differences were within {share} of exact in "
        f"{words.percent(found['share'])} of {found['ends']:,} ends at {found['decisions']} decisions within reach of "
        "the controls, where models make enough mistakes to say; under limits they take the thresholds as fixed."
    )


def _held(embed: str, live: Mapping[str, Any] | None, *, left: bool) -> str:
    """Say what the page holds beyond counts by score, and what it lacks for its intervals to follow."""
    every = ["it holds every score"] if embed == "fine" else []
    if live is None:
        what = "who left when" if left else "how scores vary together"
        lacks = f"it does not hold {what}, so that what follows a control has no interval"
        return ", but ".join([*every, lacks])
    if "factors" not in live:
        return "it does not hold how models vary together, so that while you move a number differences have no interval"
    one_model = len(live["single"]) == _ONE_MODEL
    if one_model and "clusters" not in live:
        counts = "it holds no more of the scores of one model than a strict page"
        return f"{every[0] if every else counts}, and differences have intervals while you move a number"
    whose = "cases of a cluster" if one_model else "the models"
    beginning = f"{every[0]}, and" if every else "it also holds"
    together = f"how the scores of {whose} vary together"
    return f"{beginning} {together}, a few columns of numbers from which some joint counts can be guessed"
