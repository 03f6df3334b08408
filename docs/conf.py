"""The site: `nox -s docs` builds it with Sphinx. The order of the pages stands in tools/docs_site.py."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import docs_api  # noqa: E402  # found through the line above
import docs_site  # noqa: E402

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "Interlingua"
copyright = "The authors of Interlingua. Apache-2.0"  # noqa: A001  # the name that Sphinx reads
release = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton"]
exclude_patterns = ["_build", "examples"]
# A built-in name in a signature, such as `type`, is the name of members, too.
suppress_warnings = ["ref.python"]

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
highlight_language = "text"
smartquotes = False  # `--kind` in a sentence is an option, and no dash

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "pydata_sphinx_theme"
html_title = "Interlingua"
html_static_path = ["_static"]
html_css_files = ["interlingua.css"]
html_search_scorer = str(ROOT / "docs" / "_static" / "scorer.js")
html_show_sourcelink = False
html_copy_source = False
html_last_updated_fmt = None
html_theme_options = {
    "navbar_align": "left",
    "navigation_depth": 2,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}


def setup(app: Sphinx) -> None:
    """Write the pages of the Python reference, and give each section its table of contents."""
    docs_api.write(ROOT / "docs")
    app.connect("source-read", lambda _app, page, source: source.append(source.pop() + docs_site.contents(page)))
    app.connect("autodoc-process-docstring", docs_api.mend_docstring)
    app.connect("autodoc-process-signature", docs_api.mend_signature)
