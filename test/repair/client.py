#!/usr/bin/env python3
"""client.py DTRACE PROGRAMS COUNT: counts how many of COUNT broken programs compile again after one step that a hint
suggests. Each is one of PROGRAMS (one a line) with a mistake: a wrong letter in a word, or an omission. The client
knows the wording of hints but no D: it follows the hint of the first error, like a user who cannot program. Prints the
number of repaired programs and, if VERBOSE is set, the programs that were not repaired."""

import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

NO_TYPOS = {"bash", "dtrace"}  # text that the programs compare with, which is no typing error
OMISSIONS = (
    lambda text: text.rstrip()[:-1],  # the last brace
    lambda text: text.replace(");", ";", 1),
    lambda text: re.sub(r"\); (?=[^}])", ") ", text, count=1),
    lambda text: text.replace('\\n"', "\\n", 1),
    lambda text: text.replace("count()", "count", 1),
    lambda text: text.replace("]->", "].", 1),
)


def misspelt(word, chance):
    at = chance.randrange(1, len(word) - 1)
    return chance.choice(
        (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + chance.choice("aeiost") + word[at + 1 :],
        )
    )


def words_of(text):
    """Yields names outside of strings, without variables: a hint cannot correct a variable's name."""
    for found in re.finditer(r"[A-Za-z_]\w{3,}", text):
        before = text[: found.start()]
        if before.count('"') % 2 == 0 and not before.endswith(("@", "self->", "this->")) and found[0] not in NO_TYPOS:
            yield found


def broken(programs, count):
    chance = random.Random(28)
    made = {}
    while len(made) < count:
        text = chance.choice(programs)
        if chance.random() < 0.8:
            word = chance.choice(list(words_of(text)))
            slip = text[: word.start()] + misspelt(word[0], chance) + text[word.end() :]
        else:
            slip = chance.choice(OMISSIONS)(text)
        if slip != text and first_error(slip):
            made[slip] = text
    return list(made)


def first_error(program):
    """None: it compiles."""
    run = subprocess.run([DTRACE, "-e", "-x", "errors=json", "-s", "/dev/stdin"], input=program, capture_output=True, text=True, check=False)
    errors = [json.loads(line) for line in run.stderr.splitlines() if line.startswith("{")]
    return next((each for each in errors if each["type"] == "error"), None)


def obey(program, error):
    hint = error.get("hint", "")
    begin, end = error["column"] - 1, error["end_column"] - 1
    before, wrong, behind = program[:begin], program[begin:end], program[end:]
    if meant := re.search(r"did you mean ([^?]+)\?", hint):
        right = re.split(r", | or ", meant[1])[0]
        return before + (right.removesuffix("()") if not wrong.endswith(")") else right) + behind
    if missing := re.search(r"a (\S) is missing before this", hint):
        return before.rstrip() + missing[1] + " " * (missing[1] == ";") + wrong + behind
    if "{ is not closed" in hint:
        return program.rstrip() + " }"
    if right := re.search(r"write (\S+)$", hint):
        return before + right[1] + behind
    if "use -> with" in error["message"]:
        return before + (wrong + behind).replace(".", "->", 1)
    return program


def is_repaired(program):
    fixed = obey(program, first_error(program))
    rest = first_error(fixed)
    if rest and os.environ.get("VERBOSE"):
        print(program, fixed, rest["message"], rest.get("hint", ""), sep="\n\t", file=sys.stderr)
    return not rest


DTRACE, PROGRAMS, COUNT = sys.argv[1:]
with open(PROGRAMS, encoding="utf-8") as file:
    good = file.read().splitlines()
if wrong := [each for each in good if first_error(each)]:
    sys.exit(f"wrong before the repair: {wrong[0]}")
with ThreadPoolExecutor(2) as pool:
    repaired = sum(pool.map(is_repaired, broken(good, int(COUNT))))
print(repaired, "of", COUNT)
