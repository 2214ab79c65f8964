"""Commands, options and help. A line with a backspace keeps the lines of its paragraph as they are."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import click

from stakes import __version__
from stakes.cli._options import BeliefType, Command, NameType, ShareType, TeachingGroup, Typed, WholeType, option
from stakes.frames import ENGINES

STAKES = """Choose a classifier by what its mistakes cost.

You say roughly what a false alarm costs against a miss. stakes ranks your models by what their mistakes would cost,
says how sure that is, and explains it.

\b
Start here:
  stakes demo                 an example, with a report to look at
  stakes beliefs 5%..20%      what a range of costs means
  stakes evaluate --help      from your own file to a report
"""


DEMO = """Rank three ways to decide who gets a biopsy, on 750 patients that come with stakes, and write a report.

BELIEF is what a biopsy too many weighs among both mistakes, 5%..20% unless given: to find one cancer one would
biopsy five to twenty.

\b
Examples:
  stakes demo
  stakes demo 2%..5%
  stakes demo 1:9 --html biopsy.html
"""


EVALUATE = """Rank the models of FILE by what their mistakes cost, and say how sure that is.

FILE has one row per case: CSV or TSV with the names of the columns in its first line (delimiter and compression are
found out), Parquet or Arrow; - is the standard input. Cases that a model has no score for are left out.

\b
Examples:
  stakes evaluate scores.csv --outcome died --models old new --cost 5%..20%
  stakes evaluate scores.csv --outcome died --models old new --cost 5%..20% \\
      --html report.html
  stakes evaluate scores.parquet --outcome fraud --models gbm --cost 1:99..1:19 \\
      --capacity 2%
  stakes evaluate visits.csv.gz --outcome ill --positive yes --models risk \\
      --cost 10% --prevalence 1%..3% --group sex --cluster patient
  stakes evaluate scores.csv --outcome died --models old new --cost 10% \\
      --json - | jq .ranking

\b
Exit codes:
  0  done
  2  something that was typed, or that the file holds, cannot be used
  1  anything else, such as a full disk
  130  interrupted
"""


BELIEFS = """Show what BELIEF means: in odds, in exchange rates, and as a picture.

\b
A belief about costs says what a false alarm weighs among both mistakes:
  10%, 0.1 or 1:9      exactly this: a miss is nine times as bad as a false alarm
  5%..20%              anywhere in the range, each value as likely as any other
  1:19..1:4            the same range, as odds of a false alarm to a miss
  'logodds 0.1%..2%'   each doubling of the odds as likely, for what may be rare
  'beta(2, 8)'         around 20%, less likely far from it

\b
Examples:
  stakes beliefs 5%..20%
  stakes beliefs 1:9
  stakes beliefs 'logodds 0.1%..2%'
"""


RECOMMEND = """Say which measure fits a decision, why, and what the usual ones would silently assume.

\b
Examples:
  stakes recommend --cost 5%..20%
  stakes recommend --cost 1:9 --capacity 10% --min-precision 30%
  stakes recommend --cost 5%..20% --prevalence 1%..3%
"""


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


_COST = option(
    "costs",
    type=BeliefType(),
    metavar="BELIEF",
    help="What a false alarm weighs among both mistakes: 5%..20%, 10%, 1:9, 'logodds 0.1%..2%' or 'beta(2, 8)'. "
    "Needed. 10% says that a miss is nine times as bad.",
)


_WORLD = (
    option(
        "prevalence",
        type=BeliefType(),
        metavar="BELIEF",
        help="Share of positives where the model will be used, if not that of the file: 2% or 1%..5%.",
    ),
    option(
        "capacity",
        type=ShareType(),
        metavar="SHARE",
        help="The largest share of all cases that can be acted on: 10%, 0.1 or 30/200.",
    ),
    option(
        "min_precision",
        type=ShareType(),
        metavar="SHARE",
        help="The smallest share of the alarms that must be true: 30%, 0.3 or 3/10.",
    ),
)


_OUTPUT = (
    click.option("--html", metavar="OUT", help="Write a live report: one file to open in a browser, or to mail."),
    click.option("--json", metavar="OUT", help="Write every number as JSON; - is the standard output, alone."),
    click.option(
        "--coarsen/--no-coarsen",
        default=True,
        help="In the report, pool scores until each row stands for at least five cases (the default), or keep every "
        "distinct score.",
    ),
    click.option("--quiet", is_flag=True, help="Print nothing but errors."),
)


def _with(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Join options, in the order in which help lists them."""

    def decorate(command: Command) -> Command:
        for one in reversed(options):
            command = one(command)
        return command

    return decorate


@click.group(cls=TeachingGroup, help=STAKES, context_settings=_SETTINGS, invoke_without_command=True)
@click.version_option(__version__, "-V", "--version", message="stakes %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Choose a classifier by what its mistakes cost."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@app.command(help=DEMO, short_help="Try it on bundled data: who should have a biopsy?")
@click.argument("costs", default="5%..20%", type=BeliefType(), metavar="[BELIEF]")
@click.option("--html", default="stakes-demo.html", show_default=True, metavar="OUT", help="Where to write the report.")
@_with(*_OUTPUT[1:])
@click.pass_context
def demo(ctx: click.Context, /, costs: Typed, **options: Any) -> None:
    """Rank the models of the bundled cohort."""
    _commands().rank_cohort(ctx.obj, costs, **options)


@app.command(help=EVALUATE, short_help="Rank the models of a file: a table, findings, a report.")
@click.argument("file", required=False, metavar="FILE")
@option("outcome", metavar="COLUMN", help="Column with the outcome, 0 or 1 (or see --positive). Needed.")
@option(
    "predictions",
    multiple=True,
    metavar="COLUMN...",
    help="Columns with the models' predicted probabilities: every name up to the next option. Needed.",
)
@_with(_COST, *_WORLD)
@option("pos_label", metavar="LABEL", help="The outcome that counts as positive, where it is not 1.")
@option("weight", metavar="COLUMN", help="Column with the weight of each case; 0 means absent.")
@option("group", metavar="COLUMN", help="Column with groups to compare, such as sex or site.")
@option("cluster", metavar="COLUMN", help="Column with what belongs together, such as the patient.")
@_with(*_OUTPUT)
@click.option("--title", metavar="TEXT", help="What the decision is about, as the report's title.")
@option(
    "level",
    type=ShareType(open_ends=True),
    default="95%",
    show_default=True,
    metavar="SHARE",
    help="How often intervals shall hold the truth.",
)
@option(
    "seed",
    type=WholeType(),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="Where random numbers start; they are the same each time.",
)
@option(
    "folds",
    type=WholeType(at_least=2),
    metavar="NUMBER",
    help="Choose cuts and recalibrate on all parts of the cases but the one they are judged on, in this many parts.",
)
@option(
    "in_memory",
    type=WholeType(),
    default=1_000_000,
    show_default=True,
    metavar="NUMBER",
    help="Up to how many cases are read into memory; a file with more is streamed, with the same numbers.",
)
@option(
    "key",
    metavar="COLUMN",
    help="Column that tells cases apart, for limits on more cases than fit into memory.",
)
@option(
    "engine",
    type=NameType(ENGINES),
    metavar="ENGINE",
    help=f"What reads FILE, here or on a cluster: {', '.join(ENGINES)}. FILE may then be a folder of Parquet.",
)
@option("master", metavar="ADDRESS", help="The cluster of dask or spark, such as spark://host:7077.")
@click.pass_context
def evaluate(ctx: click.Context, /, **options: Any) -> None:
    """Rank the models of a file."""
    _commands().rank_file(ctx.obj, **options)


@app.command(help=BELIEFS, short_help="Show what a belief means in odds and exchange rates.")
@click.argument("text", nargs=-1, metavar="BELIEF")
def beliefs(text: tuple[str, ...]) -> None:
    """Show what a belief means."""
    _commands().explain_belief(text)


@app.command(help=RECOMMEND, short_help="Say which measure fits a decision, and why.")
@_with(_COST, *_WORLD)
def recommend(**world: Any) -> None:
    """Say which measure fits a decision."""
    _commands().recommend_measure(**world)


def _commands() -> ModuleType:
    """Load what the commands do; help and errors in what was typed do not need it."""
    from stakes.cli import _commands

    return _commands
