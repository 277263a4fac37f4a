"""How Sphinx makes the documentation: offline, and with warnings as errors."""

from __future__ import annotations

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # for generated_pages

project = "rosenblatt"
author = "The rosenblatt developers"
version = release = installed_version("rosenblatt")
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx-mathjax-offline",  # MathJax from the package, not from a network
    "sphinxcontrib.bibtex",
    "generated_pages",
    "line_breaks",
]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
smartquotes_action = "qe"  # options begin with two hyphens, not with a dash
myst_heading_anchors = 4
bibtex_bibfiles = ["references.bib"]
bibtex_reference_style = "author_year"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
add_module_names = False  # the title of a page is the name of its package
# Names of array types are printed as they are written, not with all they stand for.
_ARRAYS = ("ArrayLike", "BoolArray", "FloatArray", "IntArray", "Words")
autodoc_type_aliases = {name: name for name in _ARRAYS} | {"npt.ArrayLike": "ArrayLike"}
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_param = False  # parameters that share a description share an entry
napoleon_attr_annotations = False  # the signature has them
exclude_patterns = ["_build"]

html_theme = "furo"
pygments_dark_style = "github-dark"  # furo's own underlines names as if they were links
html_title = "rosenblatt"
html_show_copyright = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["math.css", "pages.css"]
html_js_files = ["copy.js", "fit.js"]
html_theme_options = {"footer_icons": []}
