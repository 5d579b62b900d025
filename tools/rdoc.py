"""Docstrings of the engine as pieces for roxygen: read by tools/document.R, never shipped."""

import inspect
import re
import textwrap

SECTION = re.compile(
    r"^(Args|Arguments|Returns|Raises|Yields|Example|Examples|Attributes|Input shape|Output shape|References|Note|Notes"
    r"|Call arguments):\s*$"
)
ENTRY = re.compile(r"^(\*{0,2}[\w, *]+?)(?:\s*\([^)]*\))?:\s(.*)$")


def find(path):
    """The object at a dotted path under eagercore, or None."""
    import eagercore

    found = eagercore
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except (AttributeError, ImportError):
            return None
    return found


def describe(path):
    """Title, text, arguments and result of the endpoint's docstring."""
    found = find(path)
    if found is None:
        return None
    doc = inspect.getdoc(found) or ""
    if inspect.isclass(found) and not found.__dict__.get("__doc__"):
        doc = ""
    sections = split(doc)
    lead = sections.pop("", "").strip()
    title, _, body = lead.partition("\n\n")
    arguments = entries(sections.get("Args", sections.get("Arguments", "")))
    arguments.update(
        {k: v for k, v in entries(sections.get("Call arguments", "")).items() if k not in arguments}
    )
    return {
        "title": to_markdown(one_line(title).rstrip(".")),
        "body": to_markdown(body),
        "arguments": {name: to_markdown(one_line(text)) for name, text in arguments.items()},
        "returns": to_markdown(one_line(sections.get("Returns", ""))),
        "raises": to_markdown(sections.get("Raises", "")),
        "shapes": to_markdown(
            "\n\n".join(
                f"{name}: {one_line(sections[name])}"
                for name in ("Input shape", "Output shape")
                if name in sections
            )
        ),
    }


def split(doc):
    """The docstring by its sections; what stands before the first one is under ''."""
    sections, name = {"": []}, ""
    for line in doc.splitlines():
        head = SECTION.match(line)
        if head:
            name = head.group(1)
            sections.setdefault(name, [])
        elif name and line and not line[0].isspace():
            name = ""
            sections[""].append(line)
        else:
            sections[name].append(line)
    return {key: textwrap.dedent("\n".join(lines)).strip("\n") for key, lines in sections.items()}


def entries(text):
    """`name: description` entries, each possibly over several indented lines."""
    found, names = {}, []
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if entry and not line[0].isspace():
            names = [n.strip().lstrip("*") for n in entry.group(1).split(",")]
            for name in names:
                found[name] = entry.group(2)
        elif names and line.strip():
            for name in names:
                found[name] += "\n" + line
    return found


def one_line(text):
    return " ".join(text.split())


def to_markdown(text):
    """Text as roxygen's markdown takes it: examples in Python are left out, specials are escaped."""
    lines, code, example = [], False, False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("```"):
            code = not code
        elif stripped.startswith(">>>"):
            example = True
        elif not stripped:
            example = False
            lines.append("")
        elif not code and not example:
            lines.append(escape(line.rstrip()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def escape(line):
    """Text for roxygen's markdown: brackets are not links, and Rd's own signs stand for themselves."""
    signs = {"[": "&#91;", "]": "&#93;", "<": "&lt;", "@": "@@", "\\": "\\\\", "{": "\\{", "}": "\\}", "%": "\\%"}
    pieces = re.split(r"(`[^`]*`)", line.replace("``", "`"))
    for position, piece in enumerate(pieces):
        if position % 2 == 0:
            pieces[position] = "".join(signs.get(character, character) for character in piece)
        else:
            pieces[position] = piece.replace("@", "@@")
    return "".join(pieces)
