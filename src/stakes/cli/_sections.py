"""Sections of help: a plain ``--help`` shows the basic options and names the others."""

from __future__ import annotations

import click

from stakes import _check
from stakes.cli._options import SuggestingCommand

# The options of each section, by the names under which a command receives them.
SECTIONS = {
    "basic": ("outcome", "pos_label", "predictions", "costs", "group", "html"),
    "data": (
        *("weight", "cluster", "repeat", "site", "other_sites", "encoding", "missing", "sheet", "on_missing"),
        *("in_memory", "key", "engine", "master"),
    ),
    "censored": ("time", "event", "horizon", "cause", "censored", "entry", "censoring_by", "censoring_cox"),
    "money": ("false_negative", "false_positive", "true_positive", "true_negative", "effort", "actions", "harm"),
    "limits": ("prevalence", "capacity", "min_precision", "budget", "folds"),
    "output": (
        *("json", "policy", "site_summary", "title", "embed", "lang", "quiet", "level", "seed", "unit", "words"),
        *("baseline", "margin", "fail_if_worse"),
    ),
}

_SAID = {
    "data": "weights, clusters, missing values, how a file is read and by which engine",
    "censored": "outcomes by a given time, where some cases were not followed that long",
    "money": "costs of each case, such as its amount; more than two actions; harm of a test",
    "limits": "how many alarms can be answered, a budget, and another prevalence",
    "output": "JSON, policies, intervals, units and words; comparisons with a baseline",
}

_HELP = ("-h", "--help")
_ASKED = "stakes.section"


class SectionedCommand(SuggestingCommand):
    """A command whose help has sections: ``--help money`` shows one, and ``--help all`` every option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line; the word after ``--help`` names a section."""
        at = next((k for k, one in enumerate(args) if one in _HELP), None)
        if at is not None:
            section = args[at + 1] if at + 1 < len(args) and not args[at + 1].startswith("-") else "basic"
            ctx.meta[_ASKED] = _check.choice("--help", section, ["all", *SECTIONS])
            args = [*args[: at + 1], *args[at + 2 :]]
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does, but not above a single section."""
        if ctx.meta.get(_ASKED, "basic") in ("all", "basic"):
            super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of the sections that are asked for."""
        asked = ctx.meta.get(_ASKED, "basic")
        listed: dict[str, list[tuple[str, str]]] = {name: [] for name in SECTIONS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None and isinstance(param, click.Option):
                listed[section_of(str(param.name))].append(record)
        for name, records in listed.items():
            if records and asked in ("all", name):
                with formatter.section("Options" if name == "basic" else f"Options, {name}"):
                    formatter.write_dl(records)
        if asked == "basic":
            shown = [(f"--help {name}", said) for name, said in _SAID.items() if listed[name]]
            with formatter.section("More options"):
                formatter.write_dl([*shown, ("--help all", "every option")])


def section_of(name: str) -> str:
    """Return the section of an option."""
    return next((section for section, names in SECTIONS.items() if name in names), "basic")  # that of help itself
