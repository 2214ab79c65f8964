"""Labels of outcomes and groups in one spelling each.

Those of clusters and keys are identifiers, and stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from stakes._arrays import Column
from stakes._roles import Roles
from stakes._spellings import MOST_TEXTS, other_spellings, spelling_note
from stakes.frames._frame import collect

if TYPE_CHECKING:
    import narwhals as nw

    from stakes.frames._frame import NarwhalsFrame

Spellings = Mapping[str, Mapping[str, str]]  # by role: other spellings, and the one that is kept


def spellings_of(frame: NarwhalsFrame, column: str | None) -> dict[str, str]:
    """Look for labels that have several spellings, in a column of text."""
    import narwhals as nw

    texts = frame.select(label=nw.col(str(column)).cast(nw.String)).drop_nulls().unique().head(MOST_TEXTS)
    return other_spellings(collect(texts)["label"].tolist())


def spell_alike(frame: NarwhalsFrame, spellings: Spellings) -> NarwhalsFrame:
    """Return a frame with the columns ``raw`` and ``group``, each label in one spelling."""
    import narwhals as nw

    named = {"raw": spellings["outcome"], "group": spellings["group"]}
    changed = {name: _with_one_spelling(nw.col(name), others) for name, others in named.items() if others}
    return frame.with_columns(**changed) if changed else frame


def _with_one_spelling(text: nw.Expr, others: Mapping[str, str]) -> nw.Expr:
    import narwhals as nw

    for kept in sorted(set(others.values())):
        here = text.is_in([other for other, one in others.items() if one == kept])
        text = nw.when(here).then(nw.lit(kept)).otherwise(text)
    return text


def spelling_notes(roles: Roles, found: Spellings) -> tuple[str, ...]:
    """Return a sentence for each column in which labels are one; it may have two roles."""
    columns = {getattr(roles, role): others for role, others in found.items() if others}
    return tuple(spelling_note(column, others) for column, others in columns.items())


def in_one_spelling(found: Mapping[str, Any], roles: Roles) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return outcomes, groups and sites with one spelling for each label, and what to say about it."""
    arrays: dict[str, Any] = {role: found.get(role) for role in ("outcome", "group", "site")}
    others = {role: other_spellings(set(one.tolist())) for role, one in arrays.items() if _is_text(one)}
    replaced = {role: _replace(arrays[role], one) for role, one in others.items() if one}
    return arrays | replaced, spelling_notes(roles, others)


def _is_text(column: Any) -> bool:
    return column is not None and column.dtype == object


def _replace(column: Column, others: Mapping[str, str]) -> Column:
    return np.array([others.get(label, label) for label in column], dtype=object)
