"""How the command line is read: one option takes every name up to the next, and what is not known is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from stakes import _check
from stakes.cli._typed import BadInput, called


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
