"""Cases that are not read into memory: they stay in the file, or where an engine has them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stakes.cli._asked import Asked
from stakes.cli._columns import in_the_words_of, same_label
from stakes.cli._typed import BadInput
from stakes.decision import Decision, Evaluation
from stakes.frames import DataFile, DroppedRows, evaluate_frame
from stakes.frames._columns import arrived
from stakes.frames._prepare import found_labels


def streamed(frame: Any, asked: Asked, decision: Decision, *, in_memory: int, level: float, seed: int) -> Evaluation:
    """Rank the models on the cases of a file or of an engine's data frame, wherever these are."""
    assert asked.outcome is not None  # judged by now
    file = frame if isinstance(frame, DataFile) else None
    with in_the_words_of(file), _in_terms_of(asked), _scores_alone_missing(asked):
        return evaluate_frame(
            frame,
            asked.outcome,
            asked.models,
            decision,
            weight=asked.weight,
            group=asked.group,
            cluster=asked.cluster,
            key=asked.key,
            in_memory=in_memory,
            on_missing="drop",
            pos_label=None if asked.positive is None else _positive(frame, asked.outcome, asked.positive),
            level=level,
            rng=seed,
        )


def _positive(frame: Any, outcome: str, typed: str) -> object:
    """Return the label of the frame that was typed, perhaps in another way to write it."""
    column = arrived(frame.relation(labels=[outcome]) if isinstance(frame, DataFile) else frame)
    assert not isinstance(column, DataFile)
    labels = found_labels(column.select(outcome).rename({outcome: "raw"}))
    return same_label(typed, labels)


@contextmanager
def _in_terms_of(asked: Asked) -> Iterator[None]:
    """Say the option that names a column where a message says the column itself."""
    try:
        yield
    except (ValueError, TypeError) as error:
        if type(error) not in (ValueError, TypeError):
            raise
        said = re.sub(r"(?<!column )`(.*?)`", lambda found: f"`{asked.option_of(found[1])}`", str(error))
        raise type(error)(said) from None


@contextmanager
def _scores_alone_missing(asked: Asked) -> Iterator[None]:
    """Refuse rows that miss anything but a score; those are left out, and the evaluation says how many."""
    with warnings.catch_warnings():
        show = warnings.showwarning

        def judge(message: Warning | str, *more: Any, **named: Any) -> None:
            if not isinstance(message, DroppedRows):
                return show(message, *more, **named)
            for column, count in message.by_column.items():
                if column not in asked.models:
                    got = "1 missing value" if count == 1 else f"{count:,} missing values"
                    raise BadInput(f"`{asked.option_of(column)}` must not have missing values, got {got}.")
            return None

        warnings.simplefilter("always", DroppedRows)
        warnings.showwarning = judge
        yield
