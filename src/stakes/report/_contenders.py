"""Which models have a colour: those that are best somewhere, no more than a reader can tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stakes.curves import regret_curve
from stakes.evaluation import Evaluation
from stakes.report._chart import OTHER
from stakes.report._chart_axis import even_in_log_odds
from stakes.report._cost_charts import view
from stakes.report._models import Scene, ShownModel, colour

_MOST = 4  # models with a colour, unless a reader pins more

_PLACES = 41  # costs at which somebody is best


def coloured(evaluation: Evaluation, models: Sequence[ShownModel]) -> list[ShownModel]:
    """Return the models, each with its colour if it is a contender, and grey if not."""
    if len(models) <= _MOST:
        return list(models)
    chosen = contenders(evaluation, models)
    numbers = {key: number for number, key in enumerate(one.key for one in models if one.key in chosen)}
    return [replace(one, css=colour(numbers[one.key]) if one.key in numbers else OTHER) for one in models]


def contenders(evaluation: Evaluation, models: Sequence[ShownModel]) -> set[str]:
    """Return the first two, those that cost least in or near the stated range, and the next in rank."""
    ranked = [one.model for one in evaluation.ranking if not one.reference]
    places = even_in_log_odds(*view(Scene.of(evaluation, models, [])), _PLACES)
    values = np.array([regret_curve(one.there).at(places) for one in models])
    wins = Counter(models[k].key for k in values.argmin(axis=0).tolist())
    order = [*ranked[:2], *(key for key, _ in wins.most_common()), *ranked]
    return set(list(dict.fromkeys(order))[:_MOST])
