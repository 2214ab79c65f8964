"""Commands beside evaluating: plan a study, watch a model, write a page that opens files."""

from __future__ import annotations

from typing import Any

import click

from stakes._language import ENGLISH, LANGUAGES
from stakes.cli._help_texts import PAGE, PLAN, WATCH
from stakes.cli._options import BeliefType, NameType, SuggestingCommand, WholeType, option
from stakes.evaluation import UNITS


@click.command(cls=SuggestingCommand, help=PLAN, short_help="Say what more labelled cases would be worth.")
@click.argument("file", required=False, metavar="[FILE]")
@option("outcome", metavar="COLUMN", help="Column of outcomes.")
@option("predictions", multiple=True, metavar="COLUMN...", help="Columns of predicted probabilities.")
@option("costs", type=BeliefType(), metavar="BELIEF", help="Cost of a false alarm, as in stakes evaluate. Required.")
@option("prevalence", type=BeliefType(), metavar="BELIEF", help="Share of positives where the models will be used.")
@option("unit", type=NameType(UNITS), metavar="UNIT", help="What costs are counted in: misses or false-alarms.")
@option("pos_label", metavar="LABEL", help="Label of the positive outcome, if not 1.")
@option("weight", metavar="COLUMN", help="Column of case weights.")
@option("cluster", metavar="COLUMN", help="Column of cluster labels; clusters are then counted, not cases.")
@option("encoding", metavar="NAME", help="Encoding of a text file; detected unless given.")
@option("missing", multiple=True, metavar="MARK", help="Mark of missing values, in addition to the common ones.")
@option("sheet", metavar="NAME", help="Sheet of a workbook.")
@option("on_missing", type=NameType(("drop", "error")), metavar="WHAT", help="As in stakes evaluate.")
@option("auc", multiple=True, metavar="NAME=AUC", help="AUC of a model that is imagined, without a FILE.")
@option("worth", type=float, metavar="NUMBER", help="Number of cases behind an imagined AUC.  [default: 100]")
@option("more", multiple=True, type=WholeType(at_least=1), metavar="NUMBER", help="Number of further cases.")
@option("decisions", metavar="NUMBER", help="Decisions after the study, in all or in a time: 20000 or 20000/year.")
@option("price", type=float, metavar="NUMBER", help="Price of a labelled case.")
@option("value", type=float, metavar="NUMBER", help="Price of a mistake of the unit, such as a miss.")
@click.option("--json", is_flag=True, help="Print the numbers as JSON.")
def plan(**options: Any) -> None:
    """Say what more labelled cases would be worth."""
    from stakes.cli._plan import plan_cases

    plan_cases(**options)


@click.command(cls=SuggestingCommand, help=WATCH, short_help="Watch batches of a model in use.")
@click.argument("file", required=False, metavar="FILE")
@option("outcome", metavar="COLUMN", help="Column of outcomes. Required; FILE need not have it with --reference.")
@option("predictions", multiple=True, metavar="COLUMN", help="Predicted probabilities of the model in use. Required.")
@option("costs", type=BeliefType(), metavar="BELIEF", help="Cost of a false alarm, as in stakes evaluate. Required.")
@option("batch", metavar="COLUMN", help="Column of batches, such as the month, in order of time. Required.")
@option(
    "promised", metavar="TEXT", help="Cost that was promised, such as '56 misses per 1000'. Required with outcomes."
)
@option("baseline", metavar="COLUMN", help="Another model: --promised is then how much more than that it may cost.")
@option("cluster", metavar="COLUMN", help="Column of cluster labels, such as the patient; a cluster then counts once.")
@option(
    "largest_cluster",
    type=WholeType(at_least=1),
    metavar="NUMBER",
    help="Largest number of cases a cluster can have in a batch, known beforehand. Required with --cluster.",
)
@option("reference", metavar="FILE", help="Labelled cases that scores without outcomes are compared with.")
@option("threshold", metavar="SCORE", help="Score from which one acts, to see which share of the cases that is.")
@option("capacity", metavar="SHARE", help="Largest share of cases that can be acted on. Needs --threshold.")
@option(
    "every",
    type=float,
    default=240,
    show_default=True,
    metavar="NUMBER",
    help="Least average number of batches between false alarms.",
)
@option("unit", type=NameType(UNITS), metavar="UNIT", help="What costs are counted in: misses or false-alarms.")
@option("pos_label", metavar="LABEL", help="Label of the positive outcome, if not 1.")
@option("encoding", metavar="NAME", help="Encoding of a text file; detected unless given.")
@option("missing", multiple=True, metavar="MARK", help="Mark of missing values, in addition to the common ones.")
@option("sheet", metavar="NAME", help="Sheet of a workbook.")
@option("on_missing", type=NameType(("drop", "error")), metavar="WHAT", help="As in stakes evaluate.")
@click.option(
    "--html", metavar="OUT", help="Write a page with charts: a single file, to open in a browser or to email."
)
@click.option("--json", is_flag=True, help="Print the numbers as JSON.")
def watch(**options: Any) -> int:
    """Watch batches of a model in use."""
    from stakes.cli._watch_command import watch_file

    return watch_file(**options)


@click.command(cls=SuggestingCommand, help=PAGE, short_help="Write a page that opens a CSV file in a browser.")
@click.argument("out", default="stakes-page.html", metavar="[OUT]")
@option("lang", type=NameType(LANGUAGES), default=ENGLISH, help="Language of the page: en or de.")
def page(out: str, lang: str) -> None:
    """Write a page that opens a CSV file in a browser."""
    from stakes.cli._outputs import write_page

    write_page(out, lang)
