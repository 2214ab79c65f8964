"""How Sphinx builds the documentation: ``python3 dev.py docs``. Nothing here or on the pages asks the network."""

import sys
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # for the extensions in _site

project = "stakes"
project_copyright = "the stakes developers"
language = "en-GB"

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_copybutton",
    "_site.blocks",
    "_site.index_words",
    "_site.mathml",
    "_site.names",
    "_site.reports",
]
exclude_patterns = ["_site"]
default_role = "literal"  # a name in backquotes is code; names.py links the public ones
highlight_language = "python"

# The pages: Markdown that reads well on its own.
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

# The reference: what the docstrings say, which hold the types in words.
autosummary_generate = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
toc_object_entries_show_parents = "hide"
python_display_short_literal_types = True

# The site.
html_theme = "pydata_sphinx_theme"
html_title = "stakes"
html_math_renderer = "mathml"
html_static_path = ["_site/static", str(Path(find_spec("ziamath").origin).parent / "fonts" / "STIXTwoMath-Regular.ttf")]
html_css_files = ["stakes.css"]
html_copy_source = False
html_show_sourcelink = False
html_sidebars = {"index": [], "tutorial": []}  # nothing stands beside them
html_context = {"default_mode": "auto"}  # light or dark as the reader has it
html_theme_options = {
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "show_toc_level": 2,
    "footer_start": [],
    "footer_end": [],
    "show_prev_next": True,
    "navigation_with_keys": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# Words of scikit-learn's own documentation, in methods that it adds to estimators.
nitpick_ignore = [
    ("std:term", "meta-estimator"),
    ("std:ref", "metadata_routing"),
    ("py:func", "sklearn.set_config"),
]
