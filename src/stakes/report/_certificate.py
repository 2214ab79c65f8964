"""How near the intervals of a page come to the exact ones, and the shape that they have as stated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from stakes import _wording as words
from stakes._arrays import FloatArray
from stakes._cases_alike import not_followed, some_of
from stakes._language import say
from stakes._predictions import reference_name
from stakes.cases import Cases
from stakes.evaluation import EVERYONE, NO_ONE, Decision, Evaluation, measure
from stakes.report._factors import MANY, RANKS
from stakes.report._followed_view import left_before
from stakes.report._live import Embedded, can_follow, errs_enough, reachable_decisions, with_factors, without_factors
from stakes.report._packing import pack, pack_bytes, unpack_bytes
from stakes.report._rows_to_use import some_rows
from stakes.table import ScoreTable
from stakes.uncertainty import Study

Ends = tuple[float, float]

DECISIONS = 60  # that the certificate is about
_LARGE = 200_000  # cases, above which it is about fewer, of a sample
_OTHERS = 1  # seed of that sample: on the cases that the factors are made of they look better than they are
SURE = 0.99  # share of the ends that it is about
_NEAR = 0.05  # share of a standard error up to which it is near enough
_WORTH_IT = 0.75  # share to which more columns must bring the error down
_COMPARED = 12  # ways to decide, the first as stated
_RIVALS = 6  # of which all differences are embedded, where there are many models


class Distances(NamedTuple):
    """How far the ends of intervals are from their numbers, as stated: of single ones, and of differences."""

    single: list[Ends | None]
    pairs: list[Ends | None]

    def shapes(self, covariance: FloatArray) -> dict[str, Any]:
        """Return how many standard errors of the page each end of an interval is away, as stated."""
        apart = [_error(covariance, a, b) for b in range(len(covariance)) for a in range(b)]
        pairs = [_in_errors(ends, error) for ends, error in zip(self.pairs, apart, strict=True)]
        return {"single": _in_own_errors(self.single, covariance), "pairs": pairs}


def _single(evaluation: Evaluation) -> list[Ends | None]:
    """Return the distances of single numbers, as stated."""
    known = {one.model: one.regret for one in evaluation.ranking}
    found = map(known.get, _names(evaluation))
    return [None if one is None else (one.estimate - one.lower, one.upper - one.estimate) for one in found]


def _in_own_errors(ends: Sequence[Ends | None], covariance: FloatArray) -> list[list[float] | None]:
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0)).tolist()
    return [_in_errors(one, error) for one, error in zip(ends, errors, strict=True)]


def _between(evaluation: Evaluation, cases: Cases) -> list[Ends | None]:
    """Return the distances of the difference of each pair, the first of which is the earlier, as stated.

    The evaluation knows the differences to the best; the others are those of `cases`, which may be a sample of all.
    """
    names = _names(evaluation)
    study = Study(cases, measure(evaluation.decision)) if evaluation.decision.limits is None else None
    first = {one.model for one in evaluation.ranking[:_RIVALS]} | set(names[-2:])
    pairs: list[Ends | None] = []
    for b in range(len(names)):
        for a in range(b):
            near = len(names) <= MANY or {names[a], names[b]} & first
            pairs.append(_apart(evaluation, study, names[a], names[b]) if near and names[a] and names[b] else None)
    return pairs


def _error(covariance: FloatArray, a: int, b: int) -> float:
    return math.sqrt(max(float(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]), 0.0))


def _names(evaluation: Evaluation) -> list[str]:
    """Return models in the order of their tables, then the two references, "" where limits forbid one."""
    ranked = {one.model for one in evaluation.ranking if one.reference}
    references = [reference_name(name, evaluation.tables) for name in (EVERYONE, NO_ONE)]
    return [*evaluation.tables, *(name if name in ranked else "" for name in references)]


def _apart(evaluation: Evaluation, study: Study | None, a: str, b: str) -> Ends | None:
    """Return the distances of the ends of a difference; None where they are not known."""
    best, ranked = evaluation.best.model, {one.model: one.difference for one in evaluation.ranking}
    if best in (a, b):
        to_best = ranked.get(b if a == best else a)
        if to_best is None:
            return None
        ends = to_best.difference - to_best.lower, to_best.upper - to_best.difference
        return ends if b == best else ends[::-1]
    if study is None:
        return None
    found, scale = study.compare(a, b, level=evaluation.level), math.sqrt(len(study.cases) / evaluation.sample.cases)
    return scale * (found.difference - found.lower), scale * (found.upper - found.difference)


def _in_errors(ends: Ends | None, error: float) -> list[float] | None:
    if ends is None or not (error > 0 and math.isfinite(sum(ends))):
        return None
    return [float(f"{end / error:.4g}") for end in ends]


# ------------------------------------------------------------------------------------------------ the certificate


class ExactDifference(NamedTuple):
    """A difference of two ways to decide, by their numbers in the page, and how far its ends are from it."""

    first: int
    second: int
    low: float
    high: float


def _cases_to_check(cases: Cases) -> Cases:
    """Return the cases of the certificate: of very many a fixed sample, if it is followed as far."""
    rows = some_rows(cases, _OTHERS) if len(cases) > _LARGE else range(len(cases))
    if len(rows) == len(cases):
        return cases
    here = np.zeros(len(cases), dtype=bool)
    here[rows] = True
    return cases if not_followed(cases, here) else some_of(cases, here)


def _exact(
    evaluation: Evaluation, cases: Cases, decision: Decision, heaviness: Sequence[float] = (1.0, 1.0)
) -> list[ExactDifference]:
    """Return the differences to the best at another decision, of those that make enough mistakes.

    The ends are those of all cases: of some they are farther by the root of how many times as many all are.
    """
    names, ranked = _names(evaluation), [one.model for one in evaluation.ranking][:_COMPARED]
    enough = [
        name for name in ranked if name not in evaluation.tables or errs_enough(cases.table(name), decision, heaviness)
    ]
    if len(enough) < 2:
        return []
    study = Study(cases, dict.fromkeys(enough, measure(decision)))
    best = min(enough, key=lambda name: study.estimates[name], default=None)
    found, scale = [], math.sqrt(len(cases) / evaluation.sample.cases)
    for other in enough:
        if best is None or other == best:
            continue
        first, second = sorted([names.index(other), names.index(best)])
        one = study.compare(names[first], names[second], level=evaluation.level)
        if one.lower < one.upper:
            ends = one.difference - one.lower, one.upper - one.difference
            found.append(ExactDifference(first, second, *(scale * end for end in ends)))
    return found


def _gaps(live: Embedded, pairs: Sequence[Any], known: Sequence[tuple[Decision, list[ExactDifference]]]) -> FloatArray:
    """Return by which share the distance of each end of the page differs from the exact one."""
    gaps = []
    for decision, differences in known:
        covariance = live.covariance(decision)
        for a, b, low, high in differences:
            shape, error = pairs[pair_number(a, b)], _error(covariance, a, b)
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
    together = evaluation.sample.clusters is not None or left_before(evaluation)
    if not can_follow(evaluation) or (embed == "strict" and together):
        return None
    if embed == "strict":
        alone = without_factors(evaluation, dict(tables))
        return {
            "single": _in_own_errors(_single(evaluation), alone.covariance(evaluation.decision)),
            **_squared_weights(alone),
        }
    whole = with_factors(evaluation, dict(tables))
    count = _decisions(len(tables), evaluation.sample.cases)
    decisions = reachable_decisions(evaluation, count, 2)
    assert evaluation.results.cases is not None
    cases = _cases_to_check(evaluation.results.cases)
    known = [_exact(evaluation, cases, one, whole.features.heaviness) for one in decisions]
    as_stated = Distances(_single(evaluation), _between(evaluation, cases))
    live, parts, gaps = _near_enough(evaluation.decision, as_stated, whole, list(zip(decisions, known, strict=True)))
    within = float(np.quantile(gaps, SURE)) if len(gaps) else None
    stated: dict[str, Any] = {"share": SURE, "within": within, "decisions": count, "ends": len(gaps)}
    if len(cases) < evaluation.sample.cases:
        stated["of_cases"] = len(cases)
    return {"cuts": live.features.cuts.tolist(), **parts, **_squared_weights(live), "certificate": stated}


def _near_enough(
    stated: Decision, as_stated: Distances, whole: Embedded, known: Sequence[tuple[Decision, list[ExactDifference]]]
) -> tuple[Embedded, dict[str, Any], FloatArray]:
    """Return factors with as many columns as bring the ends near the exact ones, or as make a difference."""
    most = max(one.shape[1] for one in whole.columns)
    chosen, best = None, math.inf
    for rank in sorted({min(rank, most) for rank in RANKS}):
        live, packed = _pack_factors(whole.cut(rank))
        shape = as_stated.shapes(live.covariance(stated))
        gaps = _gaps(live, shape["pairs"], known)
        reached = float(np.quantile(gaps, SURE)) if len(gaps) else 0.0
        if chosen is not None and reached >= _WORTH_IT * best:
            break
        chosen, best = (live, {**packed, **shape}, gaps), reached
        if best <= _NEAR:
            break
    assert chosen is not None
    return chosen


def _squared_weights(live: Embedded) -> dict[str, Any]:
    """Return the squares of weights by row and class, and what cases weigh, if they do."""
    features = live.features
    if np.all(features.weight == features.weight[0]) and features.total == sum(
        float(one.sum()) for one in next(iter(features.squares.values()))
    ):
        return {}
    squares = [features.squares[name] for name in features.names]
    return {
        "squares": [[pack(one) for one in pair] for pair in squares],
        "totals": [float(one.sum()) for one in squares[0]],
        "heaviness": list(features.heaviness),
    }


def _pack_factors(live: Embedded) -> tuple[Embedded, dict[str, Any]]:
    """Return factors in 8 bits, as the page reads them and as it holds them."""
    packed = {"factors": [pack_bytes(one) for one in live.columns]}
    # one model varies with no other: its factors have rows and no columns, and bytes do not say how many rows
    columns = [unpack_bytes(one).reshape(side.shape) for one, side in zip(packed["factors"], live.columns, strict=True)]
    if live.clusters is None:
        return Embedded(live.features, columns, None), packed
    held = pack_bytes(live.clusters[0])
    read = Embedded(live.features, columns, (unpack_bytes(held), live.clusters[1]))
    return read, {**packed, "clusters": {**held, "signs": live.clusters[1].tolist()}}


_ONE_MODEL = 3  # ways to decide: the model, acting on everyone and on no one


def embedded_said(embed: str, live: Mapping[str, Any] | None, *, left: bool = False) -> str:
    """Describe what the page holds, and how near its intervals came to the exact ones."""
    said = say("This page is {embed} (embed): {held}.", embed=embed, held=_held(embed, live, left=left))
    found = None if live is None else live.get("certificate")
    if found is None or found["within"] is None:
        return said
    share = words.percent(-(-found["within"] * 100 // 1) / 100)
    whose = say(" of a fixed sample of {cases:,} cases", cases=found["of_cases"]) if "of_cases" in found else ""
    sure, decisions = words.percent(found["share"]), found["decisions"]
    return f"{said} {say(_WITHIN, share=share, whose=whose, sure=sure, ends=found['ends'], decisions=decisions)}"


_WITHIN = (
    "Live intervals of differences were within {share} of exact ones{whose} in {sure} of {ends:,} ends at {decisions} "
    "decisions within reach of the controls, where models make enough mistakes to say; under limits they take the "
    "thresholds as fixed."
)


def _held(embed: str, live: Mapping[str, Any] | None, *, left: bool) -> str:
    """Say what the page holds beyond counts by score, and what it lacks for its intervals to follow."""
    every = [say("it holds every score")] if embed == "fine" else []
    if live is None:
        text = "it does not hold how scores vary together, so that what follows a control has no interval"
        if left:
            text = "it does not hold who left when, so that what follows a control has no interval"
        return say(", but ").join([*every, say(text)])
    if "factors" not in live:
        return say(
            "it does not hold how models vary together, so that while you move a number differences have no interval"
        )
    one_model = len(live["single"]) == _ONE_MODEL
    if one_model and "clusters" not in live:
        counts = say("it holds no more of the scores of one model than a strict page")
        return say("{held}, and differences have intervals while you move a number", held=every[0] if every else counts)
    parts = [] if one_model else [say("how the scores of the models vary together")]
    if "clusters" in live:
        parts += [say("how weights depend on who left")] if left else []
        parts += [say("how the scores of cases of a cluster vary together")] if one_model and not left else []
    guessed = "{every}, and {together}, a few columns of numbers from which some joint counts can be guessed"
    if not every:
        guessed = "it also holds {together}, a few columns of numbers from which some joint counts can be guessed"
    return say(guessed, together=say(" and ").join(parts), **({"every": every[0]} if every else {}))
