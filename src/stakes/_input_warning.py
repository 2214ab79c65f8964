"""Warnings about arguments, which the command names as options."""

from __future__ import annotations

from collections.abc import Callable

from stakes._errors import Argument, Phrase, as_text, python_name


class InputWarning(RuntimeWarning):
    """An argument can be used, but may not be what was meant."""

    def __init__(self, phrase: Phrase) -> None:
        self.phrase = phrase
        super().__init__(phrase)

    def __str__(self) -> str:
        return self.say()

    def say(self, name: Callable[[Argument], str] = python_name, *, typed: bool = False) -> str:
        """Return the text; `name` quotes an argument, and if `typed`, it is for the command line."""
        return as_text(self.phrase, name, typed=typed)
