"""Parameter types, several values per option, and suggestions for unknown options."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click

from stakes import _check
from stakes.beliefs import CostBelief, parse_belief
from stakes.evaluation import Decision
from stakes.limits import Limits

_PLAIN = r"\d+(?:\.\d*)?|\.\d+"


_SHARE = re.compile(rf"(?P<percent>{_PLAIN})\s*%|(?P<part>{_PLAIN})\s*/\s*(?P<whole>{_PLAIN})|(?P<share>{_PLAIN})")


_OTHER_RANGE = re.compile(rf"(?:{_PLAIN})\s*%?\s*(?:-|\u2013|to|,|\.\.\.|\u2026)\s*(?:{_PLAIN})\s*%?")


class BadInput(click.ClickException):
    """Something that was typed, or that a file holds, cannot be used."""

    exit_code = 2


@dataclass(frozen=True)
class Typed:
    """A belief, and how it was typed."""

    text: str
    belief: CostBelief


class BeliefType(click.ParamType):  # type: ignore[type-arg]
    """A belief about a number between 0 and 1, such as ``5%..20%``."""

    name = "belief"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Typed:
        """Read a belief."""
        return value if isinstance(value, Typed) else belief(called(param), value)


class WholeType(click.ParamType):  # type: ignore[type-arg]
    """A whole number that is not less than `at_least`."""

    name = "number"

    def __init__(self, *, at_least: int = 0) -> None:
        self.at_least = at_least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read a whole number."""
        try:
            return _check.whole(called(param), int(value), self.at_least)
        except ValueError:
            wanted, got = f"a whole number of at least {self.at_least}", _check.shown(value)
            raise BadInput(f"`{called(param)}` must be {wanted}, got {got}.") from None


class NameType(click.ParamType):  # type: ignore[type-arg]
    """One of several names."""

    name = "name"

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Read a name."""
        return _check.known(called(param), value, self.names)


class ShareType(click.ParamType):  # type: ignore[type-arg]
    """A share such as ``10%``, ``0.1`` or ``30/200``; `judge` refuses one that is out of range."""

    name = "share"

    def __init__(self, *, open_ends: bool = False) -> None:
        self.judge = _check.inside if open_ends else _check.share

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a share."""
        option, text = called(param), str(value).strip()
        found = _SHARE.fullmatch(text)
        if found is None:
            raise BadInput(f"`{option}` must look like 10%, 0.1 or 30/200, got {_check.shown(value)}.")
        try:
            return self.judge(option, _share(found))
        except ValueError as error:
            raise BadInput(_with_hint(str(error), text)) from None


def called(param: click.Parameter | None) -> str:
    """Name a parameter as help does."""
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


def belief(option: str, text: str) -> Typed:
    """Read a belief, or say what is wrong with it."""
    try:
        return Typed(text, parse_belief(text))
    except ValueError as error:
        said = _in_place_of_python(option, text, str(error))
        if parts := re.fullmatch(rf"({_PLAIN})\s*/\s*({_PLAIN})", text.strip()):
            said = f"{said[:-1]}; write odds as {parts[1]}:{parts[2]}."
        raise BadInput(_with_hint(said, text)) from None


def _in_place_of_python(option: str, text: str, message: str) -> str:
    """Say `--cost` where Python says the name of an argument, and what to type where it says what to call."""
    said = re.sub(r"^`(text|value)`", f"`{option}`", message)
    said = re.sub(r"^`(low|high|alpha|beta)`", rf"`\1` of `{option}`", said)
    return re.sub(r"use `At\(.*?\)`", f"write {text.partition('..')[0].strip()}", said)


def _with_hint(message: str, text: str) -> str:
    """Suggest percent signs, quotation marks or two dots where they may have been forgotten."""
    said = re.sub(r"; \S+ % is .*$", "", message[:-1])  # what Python says about percent
    return said + _hint(text) + "."


def _hint(text: str) -> str:
    ends = [end.strip() for end in text.split("..")]
    bare = [float(end) for end in ends if re.fullmatch(_PLAIN, end)]
    if bare and 1 < max(bare) <= 100:
        return f"; write {'..'.join(end.removesuffix('%') + '%' for end in ends)} if percent is meant"
    if text.strip().lower() in ("logodds", "beta"):
        return "; put a belief with spaces in quotation marks"
    if _OTHER_RANGE.fullmatch(text.strip()):
        return "; write two dots between the ends of a range"
    return ""


def stated(
    cost: Typed | None,
    prevalence: Typed | None = None,
    capacity: float | None = None,
    min_precision: float | None = None,
) -> Decision:
    """Return the decision that was typed."""
    if cost is None:
        raise BadInput(
            "`--cost` must say what a false alarm weighs among both mistakes, such as 5%..20% "
            "(`stakes beliefs 5%..20%` shows what that means), got none."
        )
    try:
        return Decision(
            cost.belief,
            prevalence=None if prevalence is None else prevalence.belief,
            limits=Limits(capacity=capacity, min_precision=min_precision),
        )
    except ValueError as error:
        raise BadInput(_of_decision(str(error), [cost, *([prevalence] if prevalence else [])])) from None


def _of_decision(message: str, typed: Sequence[Typed]) -> str:
    for one in typed:
        message = message.replace(repr(one.belief), one.text)
    return message.replace("`prevalence`", "`--prevalence`").replace("`At(0.02)`", "2%")


def spread(arguments: Sequence[str], option: str) -> list[str]:
    """Write ``--models A B`` as ``--models A --models B``; ``--`` ends a list of names."""
    made: list[str] = []
    names = False
    for k, one in enumerate(arguments):
        if one == "--":
            return [*made, *arguments[k:]]
        if one == option and k + 1 < len(arguments) and not _is_option(arguments[k + 1]):
            names = True
            continue
        names = names and not _is_option(one)
        made += [option, one] if names else [one]
    return made


def _is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


class Teaching(click.Command):
    """A command that says what it takes when it is given something else."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line, lists of names included."""
        ctx.allow_extra_args = True
        try:
            super().parse_args(ctx, spread(args, "--models") if "--models" in self._options else args)
        except click.NoSuchOption as error:
            _check.known("option", error.option_name, self._options)
            raise
        except click.BadOptionUsage as error:
            raise BadInput(_misused(error)) from None
        if ctx.args:
            raise BadInput(self._too_much(ctx.args))
        return ctx.args

    @property
    def _options(self) -> list[str]:
        options = [param for param in self.params if isinstance(param, click.Option)]
        return [name for option in options for name in (*option.opts, *option.secondary_opts)]

    def _too_much(self, extra: Sequence[str]) -> str:
        takes = [called(param) for param in self.params if isinstance(param, click.Argument)]
        wanted = " and ".join([*takes, "options"])
        got = " and ".join(map(_check.shown, extra))
        return f"`{self.name}` must be given {wanted} only, got {got} as well; put what has spaces in quotation marks."


def _misused(error: click.BadOptionUsage) -> str:
    needs = "requires" in error.message
    return f"`{error.option_name}` must {'have a value, got none' if needs else 'stand alone, got a value'}."


class TeachingGroup(click.Group):
    """A group that lists its commands when it is asked for another."""

    command_class = Teaching

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the commands in the order in which one would use them."""
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        """Find the command; a file in its place is a hint that `evaluate` was meant."""
        try:
            _check.known("COMMAND", args[0], self.commands)
        except ValueError as error:
            hint = "; for a file write stakes evaluate FILE" if "." in args[0] else ""
            raise BadInput(f"{str(error)[:-1]}{hint}.") from None
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what comes before the command."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            _check.known("option", error.option_name, ["--help", "--version"])
            raise
