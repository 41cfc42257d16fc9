"""Reads the examples of manual pages (man/*.7, man/*.8) and Markdown pages, as blocks of text with directives.

A block is the text between .nf and .fi, or between ``` fences. Directives are comments before the block (.\\"@ KEY: VALUE, <!--@ KEY: VALUE -->)
and apply to this block only. `examples` describes them.
"""

import re
from dataclasses import dataclass, field


@dataclass
class Block:
    page: str
    line: int  # number of its first line of text
    heading: str  # the last heading, or error tag, above it
    lines: list
    directives: dict = field(default_factory=dict)  # key: list of values

    def value(self, key, default=None):
        return self.directives[key][-1] if key in self.directives else default

    def where(self):
        return f"{self.page}:{self.line}"


# Characters that a terminal shows for the escapes of roff.
ESCAPES = [(r"\-", "-"), (r"\(aq", "'"), (r"\(ga", "`"), (r"\(ha", "^"), (r"\(ti", "~"), (r"\(dq", '"'), (r"\(bu", "*"), (r"\&", ""), (r"\e", "\\")]


def plain(text):
    """Returns a line of roff as a terminal shows it, without fonts."""
    text = re.sub(r"\\f(?:[A-Z]|\(..|\[[A-Z]*\])", "", text)
    parts = re.split(r"(\\(?:\(..|.))", text)
    table = dict(ESCAPES)
    return "".join(table.get(part, part) for part in parts)


def roff_blocks(name, text):
    blocks, directives, heading, block = [], {}, "", None
    for number, line in enumerate(text.splitlines(), 1):
        said = re.match(r'\.\\"@ *([a-z-]+): *(.*)$', line)
        titled = re.match(r"\.(?:SH|SS|B(?= D_)) +(.*)$", line)
        if block is not None:
            if line == ".fi":
                block = None
            elif not line.startswith('.\\"'):
                block.lines.append(plain(line))
        elif said:
            directives.setdefault(said[1], []).append(said[2])
        elif line == ".nf":
            block = Block(name, number + 1, heading, [], directives)
            blocks.append(block)
            directives = {}
        elif titled:
            heading = plain(titled[1]).replace('"', "")
    return blocks


def markdown_blocks(name, text):
    blocks, directives, heading, block = [], {}, "", None
    for number, line in enumerate(text.splitlines(), 1):
        said = re.match(r"<!--@ *([a-z-]+): *(.*?) *-->$", line)
        if block is not None:
            if line == "```":
                block = None
            else:
                block.lines.append(line)
        elif said:
            directives.setdefault(said[1], []).append(said[2])
        elif line.startswith("```"):
            block = Block(name, number + 1, heading, [], directives)
            blocks.append(block)
            directives = {}
        elif line.startswith("#"):
            heading = line.lstrip("# ")
    return blocks


def blocks_of(path):
    name = path.name
    text = path.read_text(encoding="utf-8")
    return markdown_blocks(name, text) if name.endswith(".md") else roff_blocks(name, text)
