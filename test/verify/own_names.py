"""own_names.py DTRACE LIBRARY EVERY FROM SCRIPT...: checks that scripts may define names of the D library themselves.

A program may define any name of the D library (the folder LIBRARY) and any constant that it has not used before. The check
takes each EVERYth script, from number FROM on, that compiles to the same code each time. It defines all such names that the
script does not contain before the script's text, and compiles again. The code (-S) must be unchanged, because the library's
names keep their meaning. If it changes, each name is tried alone and the failing names are printed. The last line has the
number of scripts and names.
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONSTANTS = ["EPERM", "EINTR", "SIGKILL", "SIGPIPE", "O_RDONLY", "O_CREAT", "CLD_EXITED", "PR_STOPPED", "SRUN", "B_READ", "B_WRITE", "B_ASYNC"]
PREDEFINED = ["uid_t", "gid_t", "pid_t", "id_t", "dev_t", "size_t", "uint_t", "ushort_t", "processorid_t", "psetid_t", "uintptr_t"]


def definitions(library):
    """Returns a definition for each name, of the same kind as in the library."""
    found = {name: f"inline int {name} = 1;" for name in CONSTANTS}
    found |= {name: f"typedef unsigned {name};" for name in PREDEFINED}
    for path in sorted(library.glob("*.d")):
        text = path.read_text()
        for name in re.match(r"/\* defines: (.*?) \*/", text)[1].split():
            if re.search(rf"\btypedef\b[^;{{]*(\{{[^}}]*\}}\s*)?\b{name};", text):
                found[name] = f"typedef struct own_{name} {{ int own; }} {name};"
            elif re.search(rf"\bstruct {name} \{{", text):
                found[name] = f"struct {name} {{ int own; }};"
            else:
                found[name] = f"inline int {name} = 1;"
    return found


def compiles(dtrace, options, text, folder):
    run = subprocess.run([dtrace, "-eS", "-x", "defaultargs", *options, "-s", "/dev/stdin"], input=text, cwd=folder, capture_output=True, text=True, timeout=120)
    return run.returncode == 0, run.stderr


def fits(dtrace, options, text, more, folder, code):
    """Returns whether the script compiles to the same code after the definitions `more`, and a description of a failure."""
    good, said = compiles(dtrace, options, behind_first_line(text, more), folder)
    if good:
        return said == code, "compiles to other code"
    return False, said.strip().splitlines()[0] if said.strip() else "does not compile"


def options_of(text):
    return ["-C"] if re.search(r"^#(include|define|if)", text, re.MULTILINE) else []


def behind_first_line(text, more):
    first = text.index("\n") + 1 if text.startswith("#!") else 0
    return text[:first] + more + " " + text[first:]  # keeps line numbers


def check(dtrace, names, script):
    """Returns (number of names, complaints), or None if the unchanged script does not compile."""
    text = script.read_text(errors="replace")
    options = options_of(text)
    good, code = compiles(dtrace, options, text, script.parent)
    if not good or compiles(dtrace, options, text, script.parent)[1] != code:  # $pid and similar variables
        return None
    words = set(re.findall(r"\w+", text))
    own = {name: each for name, each in names.items() if name not in words}
    if fits(dtrace, options, text, " ".join(own.values()), script.parent, code)[0]:
        return len(own), []
    complaints = []
    for name, definition in own.items():
        good, said = fits(dtrace, options, text, definition, script.parent, code)
        if not good:
            complaints.append(f"{script.name} with {definition} {said}")
    return len(own), complaints or [f"{script.name}: with all {len(own)} names alone"]


def main():
    dtrace, library, every, first, *scripts = sys.argv[1:]
    dtrace = str(Path(dtrace).resolve())
    names = definitions(Path(library))
    chosen = [Path(script) for script in sorted(scripts)[int(first) % int(every) :: int(every)]]
    with ThreadPoolExecutor(2) as pool:
        results = [result for result in pool.map(lambda script: check(dtrace, names, script), chosen) if result]
    for _, complaints in results:
        for complaint in complaints:
            print(complaint)
    print(len(results), "scripts,", sum(count for count, _ in results), "names")


main()
