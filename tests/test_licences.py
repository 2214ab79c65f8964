"""What a user installs with us may be used by everyone: every dependency, and theirs, has a permissive licence."""

import re
from importlib import metadata

import pytest
from packaging.requirements import Requirement

# Told by an SPDX expression, a classifier or the first line of a licence.
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|PSF|Python Software Foundation|HPND|Historical Permission|ISC|Zlib|0BSD)\b")
# Their metadata name the file alone.
READ_BY_HAND = {"matplotlib": "the licence of matplotlib, which follows that of Python"}


def needed(requirement, found):
    """Add a distribution and whatever it needs here, by name, to what was found."""
    name = requirement.name.lower().replace("_", "-")
    seen = found.setdefault(name, set())
    extras = (requirement.extras or {""}) - seen
    if not extras and seen:
        return found
    seen |= extras or {""}
    for line in metadata.requires(name) or []:
        further = Requirement(line)
        if any(further.marker is None or further.marker.evaluate({"extra": extra}) for extra in extras | {""}):
            needed(further, found)
    return found


DEPENDENCIES = sorted(set(needed(Requirement("stakes[all]"), {})) - {"stakes"})


def licence(name):
    """Return whatever a distribution says about its licence."""
    about = metadata.metadata(name)
    classified = [line for line in about.get_all("Classifier", []) if line.startswith("License")]
    return " | ".join([about.get("License-Expression", ""), *classified, about.get("License", "")[:200]])


def test_the_dependencies_are_found():
    assert {"numpy", "scipy", "click", "rich", "jinja2", "duckdb", "narwhals", "markupsafe"} <= set(DEPENDENCIES)


@pytest.mark.parametrize("name", DEPENDENCIES)
def test_the_licence_is_permissive(name):
    assert PERMISSIVE.search(licence(name)) or name in READ_BY_HAND, licence(name)


@pytest.mark.parametrize("name", DEPENDENCIES)
def test_no_licence_asks_users_to_give_their_own_code_away(name):
    assert not re.search(r"\b(GPL|AGPL|General Public License)", licence(name).replace("LGPL", "lesser"))
