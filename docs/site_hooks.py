"""Hooks of mkdocs.yml: makes a site of the pages of the repository, which stay as they are.

- Pages keep their places, so their links to each other hold: README.md, docs/*.md, and so on.
- A file of the repository to which a page links comes with it: a source as a page that shows it, anything else as it is.
- A folder to which a page links becomes its README.md, or a list of its files.
- Lists are indented by four, as Python-Markdown wants them; GitHub wants two or three.

Every link that still leads nowhere is a warning of mkdocs, and fails the build (--strict).
"""

import os
import posixpath
import re
import subprocess

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"(?<!\\)(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
CODE = re.compile(r"(`+).*?\1")
SHOWN = {".java": "java", ".js": "javascript", ".json": "json", ".yml": "yaml", ".yaml": "yaml", ".proto": "protobuf", ".xml": "xml",
         ".conf": "hocon", ".service": "ini", ".py": "python", "": "text"}
SHOWN_BYTES = 200_000


def tracked():
    """All files of the repository, by their paths."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True)
    return sorted(path for path in listed.stdout.decode().split("\0") if path and os.path.isfile(os.path.join(ROOT, path)))


def is_page(path):
    return path.endswith(".md") and ("/" not in path or path.startswith("docs/")) and path != "CODE_OF_CONDUCT.md"


class Tree:
    """Where each link of a page leads on the site."""

    def __init__(self, paths):
        self.paths = set(paths)
        self.folders = {posixpath.dirname(path) for path in paths}
        self.folders |= {parent for folder in self.folders for parent in parents(folder)}

    def on_site(self, path):
        """The file of the site that stands for a file or folder of the repository; None if there is no such file."""
        if path in self.folders:
            readme = posixpath.join(path, "README.md")
            return readme if readme in self.paths else posixpath.join(path, "index.md")
        if path not in self.paths:
            return None
        return path + ".md" if not path.endswith(".md") and self.is_shown(path) else path

    def is_shown(self, path):
        return posixpath.splitext(path)[1] in SHOWN and os.path.getsize(os.path.join(ROOT, path)) <= SHOWN_BYTES

    def inside(self, folder):
        return sorted(path for path in self.paths if posixpath.dirname(path) == folder)


def parents(folder):
    while folder:
        folder = posixpath.dirname(folder)
        yield folder


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def lines_outside_fences(text):
    """Pairs of a line and whether it is prose, not code between fences."""
    fence = None
    for line in text.split("\n"):
        mark = re.match(r" *(`{3,}|~{3,})", line)
        if mark and (fence is None or (mark[1].startswith(fence) and line.strip() == mark[1])):
            fence = mark[1] if fence is None else None
            yield line, False
        else:
            yield line, fence is None


def is_code_by_indent(line):
    return line.startswith("    ")


def links(page, text):
    """What a page links to, as paths in the repository."""
    for line, prose in lines_outside_fences(text):
        if prose:
            for match in LINK.finditer(CODE.sub("", line)):
                if not re.match(r"[a-z]+:", match[2]):
                    yield posixpath.normpath(posixpath.join(posixpath.dirname(page), match[2]))


def title(text, otherwise):
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return heading[1] if heading else otherwise


def shown(path):
    language = SHOWN[posixpath.splitext(path)[1]]
    name = posixpath.basename(path)
    return (f"---\nsearch:\n  exclude: true\nhide:\n  - toc\n---\n# {name}\n\n`{path}`\n\n"
            f"``````{{.{language} linenums=1}}\n{read(path)}\n``````\n")


def listing(tree, folder):
    rows = [f"# {folder}", ""]
    for path in reversed(tree.inside(folder)) if folder == "docs/results" else tree.inside(folder):
        name = posixpath.basename(path)
        rows.append(f"- [{title(read(path), name) if name.endswith('.md') else name}]({name})")
    return "\n".join(rows) + "\n"


def on_config(config):
    os.makedirs(config.docs_dir, exist_ok=True)
    paths = tracked()
    tree = Tree(paths)

    def expanded(item):
        if isinstance(item, dict):
            return {name: [each for part in value for each in expanded_all(part)] if isinstance(value, list) else value
                    for name, value in item.items()}
        return item

    def expanded_all(part):
        if isinstance(part, str) and part.endswith("/"):
            folder = part.rstrip("/")
            first = tree.on_site(folder)
            rest = [path for path in tree.inside(folder) if path.endswith(".md") and path != first]
            return [first] + (rest[::-1] if folder == "docs/results" else rest)
        return [expanded(part)]

    config.nav = [expanded(item) for item in config.nav]
    config.extra["tree"] = tree
    return config


def on_files(files, config):
    tree = config.extra["tree"]
    done = set()
    waiting = [path for path in sorted(tree.paths) if is_page(path)]
    waiting.append("docs/results")
    while waiting:
        path = waiting.pop()
        target = tree.on_site(path)
        if target is None or target in done:
            continue
        done.add(target)
        if path in tree.folders and target not in tree.paths:
            files.append(File.generated(config, target, content=listing(tree, path)))
            waiting += tree.inside(path)
        elif target in tree.paths:
            files.append(File(target, ROOT, config.site_dir, config.use_directory_urls))
            if target.endswith(".md"):
                waiting += [link for link in links(target, read(target))]
        else:
            files.append(File.generated(config, target, content=shown(path)))
    # bin/docs puts the real one in its place.
    files.append(File.generated(config, "javadoc/index.html", content="<p>The Javadoc was not built: <code>bin/docs</code> does it.</p>"))
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.generated_by and not page.file.src_uri.endswith("/index.md"):
        return markdown
    tree = config.extra["tree"]
    here = posixpath.dirname(page.file.src_uri)

    def there(match):
        if re.match(r"[a-z]+:", match[2]):
            return match[0]
        target = tree.on_site(posixpath.normpath(posixpath.join(here, match[2])))
        return match[1] + posixpath.relpath(target, here or ".") + match[3] if target else match[0]

    changed = [LINK.sub(there, line) if prose else line for line, prose in lines_outside_fences(markdown)]
    return indented_by_four("\n".join(changed))


def indented_by_four(text):
    """Indents what belongs to an item of a list by four for each level."""
    result = []
    levels = []  # Where the text of each open item begins, as the page has it.
    blank = True
    for line, prose in lines_outside_fences(text):
        if not line.strip():
            result.append(line)
            blank = True
            continue
        indent = len(line) - len(line.lstrip(" "))
        item = re.match(r" *([-*+]|\d+\.) +", line) if prose else None
        if blank or item or not prose:
            while levels and indent < levels[-1]:
                levels.pop()
        base = levels[-1] if levels else 0
        if item and indent - base < 4:
            if not levels and indent:
                base = indent
            result.append("    " * len(levels) + line[indent:])
            levels.append(len(item[0]))
        elif levels:
            result.append("    " * len(levels) + line[min(indent, base):])
        else:
            result.append(line)
        blank = False
    return "\n".join(result)
