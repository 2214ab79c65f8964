"""A scenario as its judges see it: the cases that count, and what each model and reference costs, by brute force."""

import math
from functools import cached_property
from statistics import NormalDist

import numpy as np
from evaluation.judging import plain
from evaluation.judging.plain import Sample
from scipy.stats import chi2

EVERYONE, NO_ONE = "acting on everyone", "acting on no one"
_CONSTANT = {EVERYONE: 1.0, NO_ONE: 0.0}
NEARLY = 1e-10  # of the cost of a case: what summing in another order may change


class World:
    """The cases of a scenario, and numbers of them; models and references go by the names that sentences use."""

    def __init__(self, scenario):
        self.asked = scenario
        weight = np.ones(len(scenario.y)) if scenario.weight is None else np.asarray(scenario.weight, float)
        scores = {name: np.asarray(score, float) for name, score in scenario.scores.items()}
        repeats = scenario.repeats
        scores = {name: score.reshape(repeats, -1) for name, score in scores.items()}
        self.without_score = np.any([np.isnan(score).any(axis=0) for score in scores.values()], axis=0)
        self.here = ~self.without_score & (weight > 0)
        if scenario.unknown is not None:
            self.here &= ~scenario.unknown
        self.y, self.weight = scenario.y[self.here], weight[self.here]
        self.by_repeat = {name: score[:, self.here] for name, score in scores.items()}
        self.fold = np.zeros((repeats, len(self.y))) if scenario.fold is None else scenario.fold[:, self.here]
        self.costs, self.stated = scenario.costs, scenario.stated
        self.models = list(self.by_repeat)

    def __repr__(self):
        return f"in {self.asked.called}"

    # ----------------------------------------------------------------------------------- cases

    def sample(self, name):
        """Cases as given, with the scores of a model, or 1 for everyone and 0 for no one."""
        repeats = self.asked.repeats
        score = np.full(len(self.y) * repeats, _CONSTANT[name]) if name in _CONSTANT else self.by_repeat[name].ravel()
        return Sample(np.tile(self.y, repeats), np.tile(self.weight, repeats) / repeats, score)

    def expected(self, name):
        """Return the mean score of a model."""
        sample = self.sample(name)
        return sample.weight @ sample.score / sample.weight.sum()

    def auc(self, name):
        """Return the AUC: the mean over the folds, or over the repeats, that have both classes."""
        areas = []
        for score, fold in zip(self.by_repeat[name], self.fold, strict=True):
            for one in np.unique(fold):
                part = Sample(self.y, self.weight, score).without(fold != one)
                areas += [plain.auc(part)] if 0 < part.prevalence < 1 else []
        return float(np.mean(areas)) if areas else math.nan

    def apparent_cost(self, name):
        """Return what a procedure costs on the cases that it was fitted to."""
        seen = self.asked.seen[self.here]
        score = plain.fitted(self.asked.procedures[name], seen, self.y, self.weight, seen)
        return plain.over_prevalences(Sample(self.y, self.weight, score), self.costs, self.stated)

    def deployed(self, name):
        """Return the same at the mean of the stated prevalence."""
        sample = self.sample(name)
        return sample if self.stated is None else plain.moved(sample, self.stated.mean)

    @cached_property
    def prevalence(self):
        return self.sample(NO_ONE).prevalence

    @property
    def cost_of_a_miss(self):
        """On average over the costs, where one false alarm plus one miss cost 1."""
        return 1 - self.costs.mean

    @cached_property
    def cases_in_print(self):
        """As few cases, by powers of ten, as hold five of the rarer class, where the models are used."""
        share = self.prevalence if self.stated is None else self.stated.mean
        enough = (per for per in (1000, 10_000, 100_000) if min(share, 1 - share) * per >= 5 or share in (0, 1))
        return next(enough, 1_000_000)

    @property
    def both_classes(self):
        return 0 < self.y.sum() < len(self.y)

    @cached_property
    def references(self):
        """The references that the limits allow."""
        if not self.asked.limited:
            return [EVERYONE, NO_ONE]
        _, keep = plain.allowed(self.deployed(EVERYONE), self.asked.capacity, self.asked.precision)
        return [EVERYONE, NO_ONE] if keep[-1] else [NO_ONE]

    @property
    def baseline(self):
        """The model or reference with which all are compared, if there is one."""
        named = {"act on everyone": EVERYONE, "act on no one": NO_ONE}
        asked = self.asked.baseline
        return asked if asked in self.models else named.get(asked)

    @property
    def everybody(self):
        return [*self.models, *self.references]

    @cached_property
    def units(self):
        """What is independent: the number of the cluster of each case, or of the case itself."""
        if self.asked.cluster is None:
            return np.arange(len(self.y))
        return np.unique(self.asked.cluster[self.here], return_inverse=True)[1]

    @cached_property
    def parts(self):
        """The fold of each case: cases, or clusters, dealt out in a random order, those with a positive first."""
        rng, units = np.random.default_rng(self.asked.seed), self.units
        positive = np.array([self.y[units == unit].any() for unit in range(units.max() + 1)])
        shuffled = rng.permutation(len(positive))
        order = [*shuffled[positive[shuffled]], *shuffled[~positive[shuffled]]]
        part = np.empty(len(order), int)
        part[order] = np.arange(len(order)) % self.asked.folds
        return part[units]

    # ----------------------------------------------------------------------------------- what things cost

    def cost(self, name, costs=None):
        """Return what is ranked: models keep to the limits, and are judged on other folds where there are folds."""
        costs = self.costs if costs is None else costs
        if name in _CONSTANT or not self.asked.limited:
            return plain.over_prevalences(self.sample(name), costs, self.stated)
        return self.within_limits(name, costs) if self.asked.folds is None else self._on_other_folds(name, costs)

    @cached_property
    def ranked(self):
        """The cost of every model and reference."""
        return {name: self.cost(name) for name in self.everybody}

    def within_limits(self, name, costs):
        sample = self.deployed(name)
        return plain.limited_regret(sample, costs, self.kept_to(name)[1])

    def without_limits(self, name, costs):
        sample = self.deployed(name)
        return plain.limited_regret(sample, costs, np.ones(len(np.unique(sample.score)) + 1, bool))

    def kept_to(self, name):
        """Which thresholds keep to the capacity, and which to both limits."""
        return plain.allowed(self.deployed(name), self.asked.capacity, self.asked.precision)

    def _on_other_folds(self, name, costs):
        sample, acts_up_to = self.sample(name), np.empty(len(self.y))
        for part in range(self.asked.folds):
            out = self.parts == part
            rest = sample.without(out)
            rest = rest if self.stated is None else plain.moved(rest, self.stated.first, correct=False)
            _, keep = plain.allowed(rest, self.asked.capacity, self.asked.precision)
            ends, chosen, _, _ = plain.best_lines(rest, costs, keep)
            cut = plain.thresholds(rest)[0][chosen]
            up_to = ends[1:] if len(ends) > 1 else ends
            for case in np.flatnonzero(out):
                acted = up_to[cut <= sample.score[case]]
                acts_up_to[case] = acted.max() if len(acted) else -1.0
        judged = sample.scored(acts_up_to)
        judged = judged if self.stated is None else plain.moved(judged, self.stated.first, correct=False)
        return plain.regret(judged, costs)

    def recalibrated_cost(self, name):
        """Return what a model costs once recalibrated: on other folds where there are folds, else on the same cases."""
        sample = self.sample(name)
        if self.asked.folds is None:
            return plain.over_prevalences(plain.recalibrated(sample), self.costs, self.stated)
        score = np.empty(len(self.y))
        for part in range(self.asked.folds):
            out = self.parts == part
            score[out] = plain.recalibrated(sample, sample.without(out)).score[out]
        return plain.over_prevalences(sample.scored(score), self.costs, self.stated)

    def corrected_cost(self, name):
        """Return what a model costs once its mean score is right; None where no shift makes it so."""
        corrected = plain.corrected_mean(self.sample(name))
        return None if corrected is None else plain.over_prevalences(corrected, self.costs, self.stated)

    # ----------------------------------------------------------------------------------- groups

    @cached_property
    def groups(self):
        """The cases of each group, as a mask; none where there are no groups."""
        if self.asked.group is None:
            return {}
        labels = np.array(["(missing)" if label is None else str(label) for label in self.asked.group[self.here]])
        return {str(label): labels == label for label in np.unique(labels)}

    def in_group(self, name, group):
        return self.sample(name).without(np.tile(~self.groups[group], self.asked.repeats))

    def can_be_tested(self, group, other, best):
        """Whether a group has a label, ten cases of either class or what is worth as much, and disagreement."""
        if group == "(missing)":
            return False
        mask = self.groups[group]
        classes = [self.weight[mask & (self.y == outcome)] for outcome in (0, 1)]
        enough = all(len(weight) and plain.worth(weight) > 10 - 1e-6 for weight in classes)
        return enough and np.ptp(self.extra_in_group(other, best, group)) > 1e-12 and len(set(self.units[mask])) > 1

    def extra_in_group(self, other, best, group):
        """Return by how much more one costs than the other, case by case."""
        return np.subtract(*(plain.losses(self.in_group(name, group), self.costs) for name in (other, best)))

    def test_between_groups(self, other, best):
        """Return the difference of two costs in each group that is tested, Q and its probability; None without a test.

        The covariance is that of the sums over clusters, or cases, which groups may share.
        """
        tested = [group for group in self.groups if self.can_be_tested(group, other, best)]
        if len(tested) < 2:
            return None
        moved, means = [], {}
        for group in tested:
            mask, extra = self.groups[group], self.extra_in_group(other, best, group)
            share, units = self.weight[mask] / self.weight[mask].sum(), len(set(self.units[mask]))
            means[group] = float(share @ extra)
            sums = np.bincount(self.units[mask], share * (extra - means[group]), minlength=self.units.max() + 1)
            moved.append(sums * math.sqrt(units / (units - 1)))
        covariance = np.array(moved) @ np.array(moved).T
        if np.linalg.matrix_rank(covariance) < len(tested):
            return None
        precision, found = np.linalg.inv(covariance), np.array(list(means.values()))
        rest = found - (precision @ found).sum() / precision.sum()
        statistic = float(rest @ precision @ rest)
        return means, statistic, float(chi2.sf(statistic, len(tested) - 1))

    @property
    def missing_share(self):
        """Share of the positives that have no group label, by weight."""
        without = self.groups.get("(missing)", np.zeros(len(self.y), bool))
        positive = self.weight * (self.y == 1)
        return float(positive[without].sum() / positive.sum()) if positive.any() else 0.0

    @property
    def largest_groups(self):
        most = max(mask.sum() for mask in self.groups.values())
        return [group for group, mask in self.groups.items() if mask.sum() == most]

    # ----------------------------------------------------------------------------------- what chance does

    @cached_property
    def worth(self):
        """How many equal cases the negatives and the positives are worth; tables take a unit of weight for a case."""
        classes = [self.weight[self.y == outcome] for outcome in (0, 1)]
        return [
            weight.sum() if self.asked.tables else plain.worth(weight) if len(weight) else 0.0 for weight in classes
        ]

    @property
    def is_plain(self):
        """Whether chance is easily told by leaving out cases: enough of them, of both classes, none that is heavy."""
        simple = not self.asked.limited and (self.stated is None or self.stated.shape == "at")
        simple &= self.asked.repeats == 1
        return simple and min(self.worth) >= 10 and plain.worth(np.bincount(self.units, self.weight)) >= 10

    @property
    def auc_of_chance(self):
        """Spread of the AUC of scores that say nothing."""
        negative, positive = self.worth
        return math.sqrt((negative + positive + 1) / (12 * negative * positive))

    @property
    def prevalence_by_chance(self):
        """Spread of the prevalence: weights as they fell on the classes, or as if they were dealt at random."""
        (negative, positive), share = self.worth, self.prevalence
        fell = (share * (1 - share)) ** 2 * (1 / positive + 1 / negative)
        return math.sqrt(max(fell, share * (1 - share) * (share**2 / positive + (1 - share) ** 2 / negative)))

    @property
    def z(self):
        return NormalDist().inv_cdf(0.5 + self.asked.level / 2)

    def spread_of_difference(self, name, other, part=(-1.0, 2.0), costs=None):
        """Return the standard error of the difference of two costs, by leaving out units in turn, where that works."""
        if not self.is_plain:
            return math.nan
        costs = self.costs if costs is None else costs
        samples, units = [self.sample(name), self.sample(other)], range(self.units.max() + 1)
        if self.stated is None:
            extra = self.weight * np.subtract(*(plain.losses(sample, costs, part) for sample in samples))
            chance = float(costs.moments(np.float64(part[0]), np.float64(part[1]))[0])
            rest = [column.sum() - np.bincount(self.units, column) for column in (extra, self.weight)]
            left_out = rest[0] / rest[1] / chance if len(units) > 1 else []
        else:
            rests = [[sample.without(self.units == unit) for sample in samples] for unit in units]
            left_out = [self._difference(*rest, costs, part) for rest in rests]
        return math.sqrt((len(units) - 1) * np.var(left_out)) if len(units) > 1 else math.nan

    def _difference(self, one, two, costs, part):
        """Return the difference of two costs at the mean of the stated prevalence."""
        if not 0 < one.prevalence < 1:
            return math.nan
        return np.subtract(*(plain.regret(plain.moved(each, self.stated.mean), costs, part) for each in (one, two)))


def spread(sample, costs):
    """Return the standard error of the mean regret of independent cases."""
    share = sample.weight / sample.weight.sum()
    loss = plain.losses(sample, costs)
    return math.sqrt(np.sum((share * (loss - share @ loss)) ** 2))
