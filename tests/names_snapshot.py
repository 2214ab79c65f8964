"""Every public name with its signature, a line each: ``python tests/names_snapshot.py`` writes `public_names.txt`."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import stakes

SNAPSHOT = Path(__file__).parent / "public_names.txt"
HOMES = (
    *(
        "beliefs",
        "outcome",
        "case_costs",
        "table",
        "measures",
        "curves",
        "prevalence",
        "limits",
        "policy",
        "cases",
        "uncertainty",
    ),
    *("evaluation", "estimators", "monitoring", "planning", "sites"),
    *("frames", "large", "bounds", "tensors", "metrics", "plot", "report", "datasets", "cli", "typing"),
)


class Named:
    """A function as the default of an argument, shown by its name."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.function = function

    def __repr__(self) -> str:
        return self.function.__name__


def called(thing: object) -> str:
    """Return how something is called, without annotations; nothing for what is not called."""
    if not (inspect.isfunction(thing) or inspect.isclass(thing)):
        return ""
    try:
        signature = inspect.signature(thing)
    except ValueError:  # a class of the interpreter's own, such as a warning
        return ""
    bare = [parameter.replace(annotation=parameter.empty) for parameter in signature.parameters.values()]
    bare = [one.replace(default=Named(one.default)) if inspect.isfunction(one.default) else one for one in bare]
    return str(signature.replace(parameters=bare, return_annotation=signature.empty))


def lines() -> Iterator[str]:
    """Give every public name: those at the front, then those of each home."""
    yield from (f"stakes.{name}" for name in stakes.__all__)
    for home in HOMES:
        module = import_module(f"stakes.{home}")
        yield from (f"stakes.{home}.{name}{called(getattr(module, name))}" for name in module.__all__)


if __name__ == "__main__":
    SNAPSHOT.write_text("\n".join(lines()) + "\n", encoding="utf-8")
