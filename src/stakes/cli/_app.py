"""Commands, options and help texts; click does not wrap a paragraph that starts with a backspace."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import click

from stakes import __version__
from stakes._language import ENGLISH, LANGUAGES
from stakes.cli._action_option import ActionsType
from stakes.cli._follow_up_option import CENSORED_OPTIONS
from stakes.cli._help_texts import BELIEFS, COLUMNS, DEMO, EVALUATE, RECOMMEND, STAKES
from stakes.cli._money_options import HARM, MONEY, CostsType
from stakes.cli._options import (
    BeliefType,
    Command,
    NameType,
    ShareType,
    SuggestingGroup,
    TypedBelief,
    WholeType,
    option,
)
from stakes.cli._sections import SectionedCommand
from stakes.cli._study_commands import page, plan, watch
from stakes.evaluation import EMBEDDINGS, UNITS
from stakes.frames import ENGINES

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

_COST = option(
    "costs",
    type=CostsType(),
    metavar="BELIEF",
    help="Cost of a false alarm, as a share of that of one false alarm plus one miss: 5%..20%, 10%, 1:9, "
    "'logodds 0.1%..2%' or 'beta(2, 8)'. At 10% a miss is nine times as bad as a false alarm. Required unless "
    "--actions or costs of each case are given; with these, what a false alarm counts of its cost, such as x0.5..x2.",
)

_ACTIONS = option(
    "actions",
    type=ActionsType(),
    metavar="ACTIONS",
    help="Several actions instead of --costs, each with its cost for a negative and for a positive, such as "
    "discharge=0/20,observe=1/6,admit=4/1. With --costs as well, that is how acting too much weighs against acting too "
    "little.",
)

_WORLD = (
    option(
        "prevalence",
        type=BeliefType(),
        metavar="BELIEF",
        help="Share of positives where the models will be used, if not that of the file: 2% or 1%..5%.",
    ),
    option(
        "capacity",
        type=ShareType(),
        metavar="SHARE",
        help="Largest share of all cases that can be acted on: 10%, 0.1 or 30/200.",
    ),
    option(
        "min_precision",
        type=ShareType(),
        metavar="SHARE",
        help="Smallest acceptable share of true alarms among all alarms: 30%, 0.3 or 3/10.",
    ),
)

_TEXT = (
    option("encoding", metavar="NAME", help="Encoding of a text file, such as utf-8 or cp1252; detected unless given."),
    option(
        "missing",
        multiple=True,
        metavar="MARK",
        help="Mark of missing values in a text file, such as 999, in addition to the common ones; may be repeated.",
    ),
    option("sheet", metavar="NAME", help="Sheet of a workbook, needed only where several have data."),
)

_UNIT = option(
    "unit",
    type=NameType((*UNITS, "money")),
    metavar="UNIT",
    help="What expected costs are counted in: misses (the default) or false-alarms. It changes no order. Costs of each "
    "case are in money, and take no other.",
)

_WORDS = option(
    "words",
    multiple=True,
    metavar="ROLE=WORD",
    help="Your word for a case, positive, miss, false-alarm or act, or the time unit of a horizon, such as "
    "miss='missed cancer', case=person/people or time=years; may be repeated. The report uses them everywhere "
    "except under Method; a report without controls keeps most of the usual words.",
)

_OUTPUT = (
    click.option("--html", metavar="OUT", help="Write a report: a single file, to open in a browser or to email."),
    click.option("--json", metavar="OUT", help="Write every number as JSON; - prints it alone to the standard output."),
    option(
        "embed",
        type=NameType(EMBEDDINGS),
        metavar="KIND",
        help="What the report holds of the sample: strict (rows of five cases), live (also how models vary together, "
        "so that every interval follows the controls) or fine (every distinct score). By default live for 2,000 cases "
        "or more, strict for fewer.",
    ),
    option("lang", type=NameType(LANGUAGES), default=ENGLISH, help="Language of the report: en or de."),
    click.option("--quiet", is_flag=True, help="Print errors only."),
)


def _with(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Combine options, in the order in which help lists them."""

    def decorate(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


@click.group(cls=SuggestingGroup, help=STAKES, context_settings=_SETTINGS, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", message="stakes %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Choose a classifier by what its mistakes cost."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@app.command(help=DEMO, short_help="Rank three models of bundled data: who should have a biopsy?")
@click.argument("costs", default="5%..20%", type=BeliefType(), metavar="[BELIEF]")
@click.option(
    "--survival",
    is_flag=True,
    help="Rank them on follow-up data: cancer within 1.5 years, where many patients left earlier.",
)
@click.option("--html", default="stakes-demo.html", show_default=True, metavar="OUT", help="File of the report.")
@_with(*_OUTPUT[1:])
@click.pass_context
def demo(ctx: click.Context, /, costs: TypedBelief, **options: Any) -> None:
    """Rank the models of the bundled cohort."""
    _commands().rank_cohort(ctx.obj, costs, **options)


@app.command(cls=SectionedCommand, help=EVALUATE, short_help="Rank the models of a file, with findings and a report.")
@click.argument("file", required=False, metavar="FILE")
@option(
    "outcome",
    metavar="COLUMN",
    help="Column of outcomes, 0 or 1 unless --pos-label is given. Required unless --time is given.",
)
@option(
    "predictions",
    multiple=True,
    metavar="COLUMN...",
    help="Columns of predicted probabilities, one per model: every name up to the next option. Required.",
)
@_with(_COST, *MONEY, _ACTIONS, HARM, *_WORLD, _UNIT, _WORDS)
@_with(*CENSORED_OPTIONS)
@option("pos_label", metavar="LABEL", help="Label of the positive outcome, if not 1.")
@option("weight", metavar="COLUMN", help="Column of case weights; a case of weight 0 is ignored.")
@option(
    "group",
    metavar="COLUMN",
    help="Column of group labels, such as sex or site, to compare models by group; cases without a label are a "
    "group of their own.",
)
@option("cluster", metavar="COLUMN", help="Column of cluster labels, such as the patient.")
@option(
    "repeat",
    metavar="COLUMN",
    help="Column that numbers the repeats of a cross-validation, each with a row for every case; results are averaged "
    "over the repeats.",
)
@option(
    "site",
    metavar="COLUMN",
    help="Column of site labels, such as the hospital: what to expect of the average site, and of one not seen.",
)
@option(
    "other_sites",
    multiple=True,
    metavar="FILE...",
    help="Summaries of other sites, written by --site-summary with the same costs: FILE is then one site beside them.",
)
@_with(*_TEXT)
@option(
    "on_missing",
    type=NameType(("drop", "error")),
    metavar="WHAT",
    help="drop: leave out cases that miss any value; error: refuse them. Only cases without a score are left out "
    "unless given. A missing group is a group.",
)
@_with(*_OUTPUT)
@click.option("--policy", metavar="OUT", help="Write the thresholds of the best model as JSON, for `Policy.load`.")
@option(
    "site_summary", metavar="OUT", help="Write a summary of FILE for --other-sites, without cases; OUT names the site."
)
@option(
    "baseline",
    metavar="MODEL",
    help="Model with which all are compared, such as the one in use, or 'act on no one'; the best unless given.",
)
@option(
    "margin",
    metavar="TEXT",
    help="By how much the other model may cost more than --baseline, such as '1 miss per 1000', or '50 per 1000' in "
    "money: pass, worse or unsure.",
)
@option("fail_if_worse", is_flag=True, help="End with exit code 3 if it is worse by more, 4 if that is unsure.")
@click.option("--title", metavar="TEXT", help="Title of the report.")
@option(
    "level",
    type=ShareType(open_ends=True),
    default="95%",
    show_default=True,
    metavar="SHARE",
    help="Confidence level of intervals.",
)
@option(
    "seed",
    type=WholeType(),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Seed of the random numbers.",
)
@option(
    "folds",
    type=WholeType(at_least=2),
    metavar="NUMBER",
    help="Number of cross-fitting folds for thresholds and recalibration; none unless given.",
)
@option(
    "in_memory",
    type=WholeType(),
    metavar="NUMBER",
    help="Largest number of cases to read into memory, by default as many as have 24 million scores; a longer file is "
    "streamed, with the same numbers.",
)
@option(
    "key",
    metavar="COLUMN",
    help="Column that identifies cases; needed for limits, and for --prevalence with costs of each case, when cases "
    "are streamed or stay with an engine.",
)
@option(
    "engine",
    type=NameType(ENGINES),
    metavar="ENGINE",
    help=f"Engine that reads FILE, here or on a cluster: {', '.join(ENGINES)}. "
    "FILE may then be a folder of Parquet files.",
)
@option("master", metavar="ADDRESS", help="Address of a dask or spark cluster, such as spark://host:7077.")
@click.pass_context
def evaluate(ctx: click.Context, /, **options: Any) -> int:
    """Rank the models of a file."""
    code: int = _commands().rank_file(ctx.obj, **options)
    return code


app.add_command(plan)
app.add_command(watch)
app.add_command(page)


@app.command(help=COLUMNS, short_help="List the columns of a file, and what each could be.")
@click.argument("file", metavar="FILE")
@_with(*_TEXT)
def columns(file: str, encoding: str | None, missing: tuple[str, ...], sheet: str | None) -> None:
    """List the columns of a file."""
    _commands().list_columns(file, encoding, missing, sheet)


@app.command(help=BELIEFS, short_help="Explain a belief in odds and exchange rates.")
@click.argument("text", nargs=-1, metavar="BELIEF")
def beliefs(text: tuple[str, ...]) -> None:
    """Explain a belief."""
    _commands().explain_belief(text)


@app.command(help=RECOMMEND, short_help="Recommend a measure for a decision, and explain why.")
@_with(_COST, _ACTIONS, *_WORLD)
def recommend(**stated: Any) -> None:
    """Recommend a measure for a decision."""
    _commands().recommend_measure(**stated)


def _commands() -> ModuleType:
    """Import the commands on first use: help and errors in options need none of their imports."""
    from stakes.cli import _commands

    return _commands
