"""The work of each command; imported when one runs, so that help does not wait for it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from stakes import _check
from stakes._cost_columns import OUTCOMES
from stakes._errors import Argument, InputError
from stakes._language import ENGLISH
from stakes._roles import droppable
from stakes.cli._extras import Extras
from stakes.cli._follow_up_option import FOLLOW, check_one_horizon_of_policy
from stakes.cli._margin import AskedGate
from stakes.cli._money_options import check_money, state_decision, take_costs, take_harm
from stakes.cli._options import TypedBelief, belief, make_decision
from stakes.cli._outputs import Outputs
from stakes.cli._progress import progress
from stakes.cli._reading import RunOptions, open_source
from stakes.cli._repeatable import repeatable
from stakes.cli._show import console, say, show, show_recommendation
from stakes.cli._sites import AskedSites, check_site
from stakes.evaluation import CaseSource, Evaluation, RepeatedSource, Source, evaluate_source, recommend
from stakes.frames import open_files, text_options

_OWN = "stakes evaluate FILE --outcome COLUMN --predictions COLUMN... --costs 5%..20% --html report.html"

_OWN_FOLLOWED = "stakes evaluate FILE --time COLUMN --event COLUMN --horizon 5 --predictions COLUMN... --costs 5%..20%"

_TITLES = {"en": "Who should have a biopsy?", "de": "Wer sollte eine Biopsie bekommen?"}

_DECISION = ("costs", "prevalence", "capacity", "min_precision", "unit", "words", "actions", "budget")

_DISPLAY = ("quiet", "title", "embed", "lang")

_FILES = ("html", "json", "policy", "site_summary")

_NOTHING = Extras()

_RUN = ("engine", "master", "in_memory", "seed")


def rank_cohort(
    typed: Sequence[str],
    costs: TypedBelief,
    *,
    html: str,
    json: str | None,
    embed: str | None,
    lang: str,
    quiet: bool,
    survival: bool,
) -> None:
    """Rank the models of the bundled cohort, or of that with follow-up."""
    from stakes.cli._demo_cases import cohort, followed_cohort

    outputs = Outputs.from_options(html=html, json=json, quiet=quiet)
    source = followed_cohort() if survival else cohort()
    words = ("positive=cancer", "time=years") if survival and lang == ENGLISH else ()
    evaluation = evaluate_source(source, make_decision(costs, words=words), call=_call(typed))
    _deliver(evaluation, outputs, quiet=quiet, title=_TITLES[lang], embed=embed or "live", lang=lang)
    if not (quiet or outputs.prints_json):
        click.echo(f"\nYour own file:\n  {_OWN_FOLLOWED if survival else _OWN}")


def rank_file(
    typed: Sequence[str], *, file: str | None, level: float, folds: int | None, baseline: str | None, **options: Any
) -> int:
    """Rank the models of a file; the exit code is that of the gate, if one is asked for."""
    _check_options(file, options | {"folds": folds})
    margin, fail = (options.pop(name) for name in ("margin", "fail_if_worse"))
    gate = AskedGate.of(margin, fail, baseline, options["predictions"])
    stated, display, how = ({name: options.pop(name) for name in names} for names in (_DECISION, _DISPLAY, _RUN))
    options["costs"] = take_costs(options)  # of each case
    decision, harm = state_decision(stated, options["costs"]), take_harm(options)
    outputs = Outputs.from_options(**{name: options.pop(name) for name in _FILES}, source=file, quiet=display["quiet"])
    sites = AskedSites.of(options["site"], options.pop("other_sites"), outputs.site_summary, file)
    text_file = text_options(*(options.pop(name) for name in ("encoding", "missing", "sheet")))
    quiet, on_missing = display["quiet"], options.pop("on_missing")
    drop = ("predictions",) if on_missing is None else droppable(on_missing)
    run = RunOptions(**how, resampled=decision.is_resampled, text=text_file, quiet=quiet, drop=drop)
    for name, given in (("folds", folds), ("repeat", options["repeat"])):
        if run.engine is not None and given is not None:
            raise InputError(name, ("be left out with ", Argument("engine")), _check.show(given))
    with open_source(file, options, run) as (source, text), progress(_progress_line(source), quiet=quiet):
        asked: dict[str, Any] = {"level": level, "folds": folds, "rng": run.seed, "baseline": baseline, "harm": harm}
        evaluation = evaluate_source(source, decision, **asked, call=_call(typed))
        extras = Extras(gate.verdict(source, evaluation, asked), *sites.answer(source, evaluation))
    _deliver(evaluation, outputs, **display, source=file, text=text, extras=extras)
    if not quiet:
        extras.show_gate(console(errors=outputs.prints_json), evaluation.unit)
    return gate.code(extras.gate)


_NEEDED = ("outcome", "predictions", "costs")


def _check_options(file: str | None, options: Mapping[str, Any]) -> None:
    """Raise if two options exclude each other, or if several are missing.

    Then all at once, after a look at the columns of the file.
    """
    hints = {
        "--policy": "use `Actions.decide(scores)`",
        "--margin": "use `gate`, with a margin in the unit of the costs",
    }
    for option, hint in hints.items():
        given = options[option.removeprefix("--")]
        if given is not None and options["actions"]:
            raise InputError(option, ("be left out with ", Argument("actions")), _check.show(given), hint=hint)
    for option in ("margin", "other_sites"):  # whose cards are in English
        if options["lang"] != ENGLISH and options[option]:
            raise InputError("lang", ("be left out with ", Argument(option)), options["lang"])
    check_one_horizon_of_policy(options)
    check_site(options)
    check_money(options)
    priced = any(options[name] is not None for name in OUTCOMES)
    stated = {**options, "costs": options["costs"] or options["actions"] or priced}
    stated["outcome"] = options["outcome"] or any(options[role] for role in FOLLOW)
    missing = [role for role in _NEEDED if not stated[role]]
    if file is None or options["engine"] or len(missing) < 2:  # a single one has its own error
        return
    list_columns(file, options["encoding"], options["missing"], options["sheet"], errors=True)
    click.echo(err=True)
    raise InputError(tuple(missing), "be given", "none of them")


def list_columns(
    name: str, encoding: str | None, missing: Sequence[str], sheet: str | None, *, errors: bool = False
) -> None:
    """List the columns of a file."""
    from stakes.cli._column_list import show_columns

    with repeatable(name) as path, progress(f"reading {path.name}"):
        (file,) = open_files([path], text_options(encoding, missing, sheet))
        show_columns(console(errors=errors), file, name, sheet)


def _progress_line(source: Source) -> str:
    if not isinstance(source, CaseSource | RepeatedSource):
        return "comparing models where the cases are"
    cases, models = f"{source.facts.cases:,} cases", len(source.tables)
    return f"comparing {models} models on {cases}" if models > 1 else f"evaluating a model on {cases}"


def _call(typed: Sequence[str]) -> str:
    """Return the command line as printable text: the name of a file may hold any character."""
    call = shlex.join(["stakes", *typed])
    return "".join(one if one.isprintable() else "?" for one in call)


def explain_belief(words: Sequence[str]) -> None:
    """Explain a belief."""
    from stakes.cli._picture import show_belief

    show_belief(console(), belief("BELIEF", " ".join(words)))


def recommend_measure(**stated: Any) -> None:
    """Recommend a measure for a decision."""
    decision = state_decision(stated, {})
    show_recommendation(console(), decision, recommend(decision))


def _deliver(
    evaluation: Evaluation,
    outputs: Outputs,
    *,
    quiet: bool,
    title: str | None,
    embed: str | None,
    lang: str = ENGLISH,
    source: str | None = None,
    text: str = "",
    extras: Extras = _NOTHING,
) -> None:
    """Write the outputs and show the evaluation, even if a file cannot be written."""
    name = None if source is None else "standard input" if source == "-" else Path(source).name
    with progress("looking for what matters most", quiet=quiet):
        evaluation.findings  # noqa: B018 -- they are looked for when first asked for
    try:
        with progress("writing", quiet=quiet):
            written = outputs.write(evaluation, title=title, embed=embed, lang=lang, source=name, extras=extras)
    finally:
        if not (quiet or outputs.prints_json):
            show(console(), evaluation, text)
            extras.show_sites(console())
    if written and not quiet:
        out = console(errors=outputs.prints_json)
        out.print()
        for line in written:
            say(out, line)
