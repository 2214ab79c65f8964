"""Parameter types, several values per option, and suggestions for unknown options."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from stakes import _check
from stakes._cost_columns import OUTCOMES
from stakes._errors import Argument, InputError
from stakes._words import parse_words
from stakes.beliefs import Actions, CostBelief, parse_belief
from stakes.evaluation import Decision
from stakes.limits import Limits

Command = TypeVar("Command", bound=Callable[..., Any])

_PLAIN = r"\d+(?:\.\d*)?|\.\d+"
_SHARE = re.compile(rf"(?P<percent>{_PLAIN})\s*%|(?P<part>{_PLAIN})\s*/\s*(?P<whole>{_PLAIN})|(?P<share>{_PLAIN})")

_OTHER_RANGE = re.compile(rf"(?:{_PLAIN})\s*%?\s*(?:-|\u2013|to|,|\.\.\.|\u2026)\s*(?:{_PLAIN})\s*%?")


# The option of each role, for the command line and for messages.
_ROLES = (
    *("outcome", "predictions", "pos_label", "weight", "group", "cluster", "key", "repeat", "site"),
    *("costs", "prevalence", "capacity", "threshold", "min_precision", "unit", "words", "encoding", "missing", "sheet"),
    *("on_missing", "level", "seed", "folds", "baseline", "margin", "fail_if_worse", "in_memory", "harm"),
    *("engine", "master", "actions", "embed", "lang", "largest_cluster", "budget", "effort"),
    *("other_sites", "site_summary"),
    *("time", "event", "horizon", "cause", "censored", "entry", "censoring_by", "censoring_cox"),
    *("auc", "worth", "more", "decisions", "price", "value", "batch", "promised", "every", "reference"),
)

OPTIONS = {"file": "FILE"} | {role: f"--{role.replace('_', '-')}" for role in _ROLES}
OPTIONS |= {cost: f"--{cost.replace('_', '-')}-cost" for cost in OUTCOMES}


# Options that take every name up to the next option.
LISTS = tuple(OPTIONS[role] for role in ("predictions", "censoring_by", "censoring_cox", "other_sites"))

# Python arguments with the same role under another name.
_ALSO = {"y": "outcome", "table": "outcome", "frame": "file", "data": "file", "exchange": "costs"}
_ALSO |= {"unit_value": "value", "labels": "censoring_by", "covariates": "censoring_cox", "censoring": "censoring_cox"}
_ALSO |= {"case_costs": "false_negative"}


def name_of(argument: Argument) -> str:
    """Quote an argument as an option, such as `--weight`, `--predictions old` or `low` of `--costs`."""
    role = _ALSO.get(argument.role, argument.role)
    option = OPTIONS.get(role, role)
    if argument.item is None:
        return f"`{option}`"
    return f"`{option} {argument.item}`" if argument.role == "predictions" else f"`{argument.item}` of `{option}`"


@dataclass(frozen=True)
class TypedBelief:
    """A belief and its text on the command line."""

    text: str
    belief: CostBelief


class BeliefType(click.ParamType):  # type: ignore[type-arg]
    """A belief about a number between 0 and 1, such as ``5%..20%``."""

    name = "belief"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> TypedBelief:
        """Read a belief."""
        return value if isinstance(value, TypedBelief) else belief(called(param), value)


class WholeType(click.ParamType):  # type: ignore[type-arg]
    """A whole number that is not less than `at_least`."""

    name = "number"

    def __init__(self, *, at_least: int = 0) -> None:
        self.at_least = at_least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a whole number."""
        try:
            return _check.whole_number(called(param), int(value), self.at_least)
        except ValueError:
            wanted, got = f"a whole number of at least {self.at_least}", _check.show(value)
            raise InputError(called(param), f"be {wanted}", got) from None


class NameType(click.ParamType):  # type: ignore[type-arg]
    """One of several names."""

    name = "name"

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a name; one of several words may be typed with hyphens."""
        if value in self.names:
            return str(value)
        typed = {name.replace(" ", "-"): name for name in self.names}
        return typed[_check.choice(called(param), value, typed)]


class ShareType(click.ParamType):  # type: ignore[type-arg]
    """A share such as ``10%``, ``0.1`` or ``30/200``, in [0, 1], or in (0, 1) with `open_ends`."""

    name = "share"

    def __init__(self, *, open_ends: bool = False) -> None:
        self.check = _check.open_share if open_ends else _check.share

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a share."""
        option, text = called(param), str(value).strip()
        found = _SHARE.fullmatch(text)
        if found is None:
            raise InputError(option, "look like 10%, 0.1 or 30/200", _check.show(value))
        try:
            return self.check(option, _share(found))
        except InputError as error:
            raise error.but(hint_typed=_hint(text) or _check.count_hint(text)) from None


def called(param: click.Parameter | None) -> str:
    """Return the name of a parameter, as in help."""
    if param is None:
        return "value"
    return max(param.opts, key=len) if isinstance(param, click.Option) else param.human_readable_name.strip("[]")


def _share(found: re.Match[str]) -> float:
    if found["percent"]:
        return float(found["percent"]) / 100
    if found["part"]:
        whole = float(found["whole"])
        return float(found["part"]) / whole if whole else float("inf")
    return float(found["share"])


def belief(option: str, text: str) -> TypedBelief:
    """Read a belief; an error names the option and suggests a correction."""
    try:
        return TypedBelief(text, parse_belief(text))
    except InputError as error:
        role = "" if error.argument is None else error.argument.role
        part = role if role in ("low", "high", "alpha", "beta") else None
        hint = _odds_hint(text) or _hint(text) or error.hint_typed
        raise error.but(argument=Argument(option, part), hint_typed=hint) from None


def _odds_hint(text: str) -> str:
    parts = re.fullmatch(rf"({_PLAIN})\s*/\s*({_PLAIN})", text.strip())
    return f"write odds as {parts[1]}:{parts[2]}" if parts else ""


def _hint(text: str) -> str:
    """Suggest percent signs, quotation marks or two dots where they may be missing."""
    ends = [end.strip() for end in text.split("..")]
    bare = [float(end) for end in ends if re.fullmatch(_PLAIN, end)]
    if bare and 1 < max(bare) <= 100:
        return f"write {'..'.join(end.removesuffix('%') + '%' for end in ends)} if percent is meant"
    if text.strip().lower() in ("logodds", "beta"):
        return "put a belief with spaces in quotation marks"
    if _OTHER_RANGE.fullmatch(text.strip()):
        return "write two dots between the ends of a range"
    return ""


def option(role: str, *aliases: str, **settings: Any) -> Callable[[Command], Command]:
    """Declare the option of a role; the command receives its value under the name of the role."""
    return click.option(OPTIONS[role], *aliases, role, **settings)


def make_decision(
    costs: TypedBelief | None = None,
    prevalence: TypedBelief | None = None,
    capacity: float | None = None,
    min_precision: float | None = None,
    unit: str | None = None,
    words: Sequence[str] = (),
    actions: Mapping[str, tuple[float, float]] | None = None,
    budget: float | None = None,
) -> Decision:
    """Return the decision that the options state; with actions, costs are their exchange."""
    believed = None if costs is None else costs.belief
    if actions is not None:
        believed = Actions(actions, exchange=believed)
    if believed is None:
        raise InputError(
            "costs",
            "give the cost of a false alarm as a share of that of one false alarm plus one miss, such as 5%..20% "
            "(`stakes beliefs 5%..20%` explains it)",
            "none",
        )
    common = None if prevalence is None else prevalence.belief
    try:
        limits = Limits(capacity=capacity, min_precision=min_precision, budget=budget)
        return Decision(believed, prevalence=common, limits=limits, unit=unit, words=parse_words(words))
    except InputError as error:
        if prevalence is not None and error.argument == Argument("prevalence"):
            raise error.but(got=prevalence.text) from None
        if actions is not None and error.argument == Argument("costs"):
            raise error.but(argument=Argument("actions")) from None
        if error.argument == Argument("limits"):
            raise _of_limit(error, capacity=capacity, min_precision=min_precision, budget=budget) from None
        raise


def _of_limit(error: InputError, **stated: float | None) -> InputError:
    """Return an error about limits as one about the option that states them."""
    role, given = next((role, given) for role, given in stated.items() if given is not None)
    return error.but(argument=Argument(role), got=_check.show(given))


def spread(arguments: Sequence[str], options: Collection[str]) -> list[str]:
    """Rewrite ``--predictions A B`` as ``--predictions A --predictions B``; ``--`` ends a list of names."""
    made: list[str] = []
    listed = ""
    for k, one in enumerate(arguments):
        if one == "--":
            return [*made, *arguments[k:]]
        if one in options and k + 1 < len(arguments) and not _is_option(arguments[k + 1]):
            listed = one
            continue
        listed = "" if _is_option(one) else listed
        made += [listed, one] if listed else [one]
    return made


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


class SuggestingCommand(click.Command):
    """A command that suggests the nearest option for an unknown one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line, lists of names included."""
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, spread(args, set(LISTS) & set(self._options)))
        except click.NoSuchOption as error:
            _check.known("option", error.option_name, self._options)
            raise
        except click.BadOptionUsage as error:
            raise self._misused(error.option_name) from None
        if ctx.args:
            before = args[args.index(ctx.args[0]) - 1]
            raise self._misused(before) if self._options.get(before) else self._too_much(ctx.args)
        return ctx.args

    @property
    def _options(self) -> dict[str, bool]:
        """Whether each option stands alone."""
        options = [param for param in self.params if isinstance(param, click.Option)]
        return {name: option.is_flag for option in options for name in (*option.opts, *option.secondary_opts)}

    def _misused(self, name: str) -> InputError:
        return InputError(name, *(("stand alone", "a value") if self._options.get(name) else ("have a value", "none")))

    def _too_much(self, extra: Sequence[str]) -> InputError:
        takes = [called(param) for param in self.params if isinstance(param, click.Argument)]
        wanted = " and ".join([*takes, "options"])
        got = " and ".join(map(_check.show, extra))
        hint = "put what has spaces in quotation marks"
        return InputError(str(self.name), f"be given {wanted} only", f"{got} as well", hint=hint)


class SuggestingGroup(click.Group):
    """A group that suggests the nearest command for an unknown one."""

    command_class = SuggestingCommand

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order of use."""
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Find the command; suggest `evaluate` where a file was given instead."""
        try:
            _check.known("command", args[0], self.commands)
        except InputError as error:
            raise error.but(hint="for a file write stakes evaluate FILE") if "." in args[0] else error from None
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options before the command."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            _check.known("option", error.option_name, ["--help", "--version"])
            raise
