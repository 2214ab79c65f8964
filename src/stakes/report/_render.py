"""Render an evaluation as one HTML file that needs no network and no other file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from stakes import _check
from stakes import _wording as words
from stakes._errors import InputError
from stakes._language import ENGLISH, LANGUAGES, compounds, language, number, say, speaking, translated
from stakes._whole_file import write_whole
from stakes.beliefs import EveryLogOdds, in_money
from stakes.evaluation import Evaluation, explain_unit, explain_versus, versus
from stakes.report import _cost_charts, _first_screen, _followed_view, _group_view, _method, _pictures, _view
from stakes.report._cards import Card, live_cards_html
from stakes.report._certificate import live_part
from stakes.report._contenders import coloured
from stakes.report._group_tables import group_part, held_said
from stakes.report._models import Scene, models_of, readout
from stakes.report._own_words import in_language, in_own_words, word_pairs
from stakes.report._page_tables import chosen_embedding, page_tables
from stakes.report._payload import as_script, payload
from stakes.report._pooling import Bound
from stakes.report._scripts import page_scripts, page_style, security_policy
from stakes.report._templates import TEMPLATES, page_environment
from stakes.report._tripod import tripod
from stakes.report._value_card import value_cards
from stakes.table import ScoreTable


def save_report(
    evaluation: Evaluation,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    embed: str | None = None,
    source: str | None = None,
    lang: str = ENGLISH,
) -> None:
    """Save the report of an evaluation: one HTML file, which appears whole or not at all.

    Parameters
    ----------
    evaluation : Evaluation
        Evaluation to report.
    path : path
        Where to write it.
    title : str, keyword-only, optional
        Title of the page; the question it answers unless given.
    embed : {"strict", "live", "fine"}, keyword-only, optional
        What the page holds of the sample, as in `Evaluation.save_html`.
    source : str, keyword-only, optional
        The name of the file that the cases came from.
    lang : {"en", "de"}, keyword-only, default "en"
        Language of the page.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from stakes import evaluate
    >>> from stakes.report import save_report
    >>> evaluation = evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_report(evaluation, Path(folder) / "report.html", title="Who gets a biopsy?")
    ...     [path.name for path in Path(folder).iterdir()]
    ['report.html']
    """
    write_report(evaluation, path, title=title, embed=embed, source=source, lang=lang)


def write_report(
    evaluation: Evaluation, path: str | os.PathLike[str], *, cards: Sequence[Card] = (), **how: Any
) -> None:
    """Save the report of an evaluation with further cards; `how` are the other arguments of `render`."""
    write_whole(Path(path), [_rendered(evaluation, cards, **how)])


def today() -> str:
    """Return the date, as the page writes it."""
    return datetime.now().astimezone().strftime("%Y-%m-%d")


def render(
    evaluation: Evaluation,
    *,
    title: str | None = None,
    embed: str | None = None,
    source: str | None = None,
    lang: str = ENGLISH,
) -> str:
    """Write the report of an evaluation as one HTML text.

    Parameters
    ----------
    evaluation : Evaluation
        Evaluation to report.
    title : str, keyword-only, optional
        Title of the page; the question it answers unless given.
    embed : {"strict", "live", "fine"}, keyword-only, optional
        What the page holds of the sample, as in `Evaluation.save_html`.
    source : str, keyword-only, optional
        The name of the file that the cases came from.
    lang : {"en", "de"}, keyword-only, default "en"
        Language of the page.

    Returns
    -------
    str
        The page.

    Examples
    --------
    >>> from stakes import evaluate
    >>> from stakes.report import render
    >>> render(evaluate([0, 1, 0, 1], {"model": [0.1, 0.8, 0.3, 0.6]}, "10%..50%"))[:15]
    '<!doctype html>'
    """
    return _rendered(evaluation, title=title, embed=embed, source=source, lang=lang)


def _page_without_controls(
    evaluation: Evaluation, cards: Sequence[Card], title: str | None, source: str | None
) -> str | None:
    """Return the page of a decision that no control could move; None where a live page can show it."""
    if evaluation.harm:
        from stakes.report._harm_page import harm_page

        return harm_page(evaluation, cards, title=title, source=source)
    if (use := evaluation.actions) is not None:
        from stakes.report._still_page import still_page

        return still_page(evaluation, use, title=title, source=source)
    if evaluation.sample.case_costs:
        from stakes.report._money_page import money_page

        return money_page(evaluation, cards, title=title, source=source)
    if evaluation.horizons:
        from stakes.report._followed_page import followed_page

        return followed_page(evaluation, title=title, source=source)
    return None


def _rendered(
    evaluation: Evaluation,
    cards: Sequence[Card] = (),
    *,
    title: str | None = None,
    embed: str | None = None,
    source: str | None = None,
    lang: str = ENGLISH,
) -> str:
    _check_evaluation(evaluation)
    chosen = chosen_embedding(evaluation, embed)
    with speaking(_check.choice("lang", lang, LANGUAGES)):
        page = _page(in_language(evaluation), cards, chosen, title, source)
    return compounds(page).encode("utf-8", "replace").decode("utf-8")


def _page(evaluation: Evaluation, cards: Sequence[Card], chosen: str, title: str | None, source: str | None) -> str:
    """Write the page in the language that is spoken."""
    if (still := _page_without_controls(evaluation, cards, title, source)) is not None:
        return still
    tables, bound = page_tables(evaluation, pooled=chosen != "fine")
    models, references = models_of(evaluation, tables)
    scene = Scene.of(evaluation, coloured(evaluation, models), references)
    known = _cost_charts.known_difference(evaluation, scene)
    style, scripts, live = page_style(), list(page_scripts().values()), live_part(evaluation, tables, chosen)
    held = {"difference": known.to_dict(), "live": live, "groups": group_part(evaluation, scene, chosen)}
    template = page_environment().get_template(TEMPLATES[0])
    page: str = template.render(
        **_page_names(title, source),
        lang=language(),
        cards=live_cards_html([*cards, *value_cards(evaluation)]),
        style=style,
        scripts=scripts,
        policy=security_policy([style], scripts),
        data=Markup(as_script(_data(evaluation, tables, bound, scene) | held)),
        groups_follow=held["groups"] is not None,
        **(_contents(evaluation, scene, known) | _followed_view.contents(evaluation, live)),
        **_computed(evaluation, scene),
        bound=f"{_method.bound(bound, evaluation, pooled=chosen != 'fine')} {held_said(evaluation, chosen, held)}",
        tripod=tripod(evaluation, sites=any(card.key == "sites" for card in cards)),
    )
    return in_own_words(page, evaluation)


def _page_names(title: str | None, source: str | None) -> dict[str, str | None]:
    """Return what names the page: its title, the file that the cases came from, and the date."""
    named = {"title": title, "source": source}
    return {key: None if text is None else words.name(text) for key, text in named.items()} | {"date": today()}


def _data(evaluation: Evaluation, tables: Mapping[str, ScoreTable], bound: Bound, scene: Scene) -> dict[str, Any]:
    """Return what the scripts read: the numbers, and the sentences that they fill in."""
    said = {
        "colours": [one.css for one in scene.models],
        "words": word_pairs(evaluation),
        "answers": {kind: translated(text) for kind, text in _first_screen.ANSWERS.items()},
        "evidence": {key: say(name) for key, name in _view.EVIDENCE.items()},
        "stated_said": _first_screen.stated_said(evaluation),
        "unit_said": explain_unit(evaluation),
    }
    return {**payload(evaluation, tables, bound, [one.name for one in scene.references]), **said}


def _check_evaluation(evaluation: Evaluation) -> None:
    """Raise for costs that do not follow from the tables, or under which no mistake has a mean cost."""
    done = evaluation.validation
    if done is not None and done.method == "optimism":
        hint = "use `method='cv'` for a report"
        got = "costs corrected for optimism, which no table has"
        raise InputError("evaluation", "have costs that follow from its tables", got, hint=hint)
    costs = evaluation.decision.costs
    if isinstance(costs, EveryLogOdds):
        hint = "state a range instead, such as 'logodds 0.1%..99.9%'"
        raise InputError("costs", "have a finite mass, to write a report", repr(costs), hint=hint)


def _contents(evaluation: Evaluation, scene: Scene, known: _cost_charts.KnownDifference) -> dict[str, Any]:
    """Return the page's contents about the models."""
    parts = _view.parts_rows(evaluation, scene)
    return {
        **_first_screen.contents(evaluation, scene),
        "facts": list(_method.facts(evaluation)),
        **_view.findings(evaluation),
        "level": words.percent(evaluation.level),
        "unit": evaluation.unit,
        "per": number(evaluation.unit.per, ","),
        "unit_said": explain_unit(evaluation),
        "ranking": _view.ranking_rows(evaluation, scene),
        "versus": versus(evaluation),
        "versus_said": explain_versus(evaluation),
        "ways": scene.allowed,
        "models": scene.models,
        "limited": evaluation.decision.limits is not None,
        "both_classes": scene.both_classes,
        "prevalence_moved": evaluation.decision.prevalence is not None,
        "in_money": in_money(evaluation.decision.costs),
        **_pictures.contents(scene, known),
        "readout": readout(evaluation, scene),
        "parts": parts,
        "parts_lead": _view.parts_lead(evaluation, scene),
        **_policy(evaluation, scene),
        **_groups(evaluation, scene),
    }


def _policy(evaluation: Evaluation, scene: Scene) -> dict[str, Any]:
    """Return the thresholds to use of the best model."""
    best = next(one.model for one in evaluation.ranking if not one.reference)
    if best not in evaluation.policies or not scene.both_classes:
        return {"policies": None, "policy_said": "", "rule": ""}
    model = next(one for one in scene.models if one.key == best)
    policy = evaluation.policies[best]
    rows = _view.policy_rows(evaluation, policy)
    return {
        "policies": {
            "name": model.name,
            "css": model.css,
            "rows": rows,
            "steps": _view.steps_text(len(rows), len(policy)),
        },
        "policy_said": _view.policy_text(evaluation, best),
        "rule": _first_screen.rule(evaluation, {one.key: one.name for one in scene.ways}),
    }


def _groups(evaluation: Evaluation, scene: Scene) -> dict[str, Any]:
    best = next(one.model for one in evaluation.ranking if not one.reference)
    model = next(one for one in scene.models if one.key == best)
    reference = next((group.name for group in evaluation.groups.values() if group.reference), "")
    return {
        "groups": _group_view.group_blocks(evaluation, scene),
        "panels": _group_view.group_panels(evaluation, scene),
        **_group_view.group_differences(evaluation),
        "gaps": _group_view.gap_rows(evaluation, model),
        "gap_model": model,
        "reference_group": words.name(reference),
    }


def _computed(evaluation: Evaluation, scene: Scene) -> dict[str, Any]:
    """Return the page's contents about methods."""
    return {
        "recommendation": evaluation.recommendation,
        "usual": _method.usual(evaluation, scene.models),
        "intervals": _method.intervals(evaluation),
        "evidence": {key: say(name) for key, name in _view.EVIDENCE.items()},
        "versions": _method.versions(),
        "call": _method.call(evaluation),
    }
