"""The docs site: `./dev docs` builds it into build/docs/html with Sphinx and MyST."""
import posixpath
import re

project = "Sinew"
extensions = ["myst_parser"]
myst_heading_anchors = 4
# The theme that comes with Sphinx, with a style of our own for light and dark.
html_theme = "alabaster"
html_theme_options = {"description": "Simulation of elastic solids", "fixed_sidebar": True, "show_powered_by": False,
                      "show_relbars": False}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html"]}
html_static_path = ["style"]
html_css_files = ["site.css"]
html_title = "Sinew"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
pygments_style = "default"


def name_files_outside(app, document, source):
    """Files of the source tree have no page here: a link to one becomes its name."""

    def named(link):
        text, target = link[1].strip("`"), posixpath.normpath(posixpath.join(posixpath.dirname(document), link[2]))
        if not target.startswith("../"):
            return link[0]
        return f"`{text}`" if text == target[3:] else f"{text} (`{target[3:]}`)"

    source[0] = re.sub(r"(?<!!)\[([^\]\n]+)\]\((\.\./[^)\s]*)\)", named, source[0])


def setup(app):
    app.connect("source-read", name_files_outside)
