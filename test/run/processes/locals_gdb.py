"""Compares variables that dtrace reads with those that gdb reads at the same instruction.

usage: locals_gdb.py DTRACE SEED COUNT PROGRAM [ARGUMENT...]
Inside gdb (variable $dt_output is set): records the variables at each statement of the program.

An instruction is one at which the line table starts a statement, and the compared moment is its first execution. The
pairs of instruction and variable are chosen by a generator with the given seed. A variable is a number, or a number in
a structure, in an array or behind a pointer.
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

MAX_LEAVES = 12


def is_number(gdb, kind):
    return kind.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_ENUM, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR)


def members(kind):
    """Returns (field, name in D) for the members of a structure. Members of a base class have no name of their own."""
    if kind.name and "basic_string" in kind.name:
        return []  # a string in D
    fields = [field for field in kind.fields() if field.name and hasattr(field, "bitpos")]
    return [(field, "" if field.is_base_class else field.name) for field in fields
            if field.is_base_class or re.fullmatch(r"[A-Za-z_]\w*", field.name)]


def leaves(gdb, value, path, found, depth):
    """Appends (path, number) for the numbers in a value; the number is None if it is optimized out."""
    if len(found) >= MAX_LEAVES:
        return
    kind = value.type.strip_typedefs()
    if is_number(gdb, kind):
        try:
            number = int(value) if not value.is_optimized_out else None
        except gdb.error as error:
            number = None if "optimized out" in str(error) else str(error)
        found.append((path, number))
    elif kind.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        for field, name in members(kind):
            leaves(gdb, value[field], path + "." + name if name else path, found, depth)
    elif kind.code == gdb.TYPE_CODE_ARRAY:
        low, high = kind.range()
        for index in sorted({low, high}):
            leaves(gdb, value[index], "%s[%d]" % (path, index), found, depth)
    elif kind.code == gdb.TYPE_CODE_PTR:
        target = kind.target().strip_typedefs()
        try:
            if value.is_optimized_out or "synthetic pointer" in value.format_string(max_elements=1):
                found.append((path + " == 0", None))
            else:
                found.append((path + " == 0", int(int(value) == 0)))
                if os.environ.get("FOLLOW") == "0":
                    return
                whole = value.dynamic_type and value.referenced_value()
                whole.fetch_lazy()
                if depth < 2 and is_number(gdb, target):
                    leaves(gdb, whole, "*" + path, found, depth + 1)
                elif depth < 2 and target.code == gdb.TYPE_CODE_STRUCT:
                    for field, name in members(target):
                        if name:
                            leaves(gdb, whole[field], path + "->" + name, found, depth + 1)
        except gdb.error as error:
            if "optimized out" in str(error) or "synthetic pointer" in str(error):
                found.append((path + " == 0", None))


def record_in_gdb(gdb):
    output = gdb.parse_and_eval("$dt_output").string()
    source = gdb.parse_and_eval("$dt_source").string()
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set startup-with-shell off")
    gdb.execute("unset environment")
    if int(gdb.parse_and_eval("$dt_again")):
        gdb.execute("set disable-randomization off")
        gdb.execute("set environment OTHER something else on the stack")
    gdb.execute("starti", to_string=True)
    table = gdb.execute("maint info line-table " + source, to_string=True)
    base = int(gdb.parse_and_eval("$dt_base"))
    statements = set()
    for row in table.splitlines():
        words = row.split()
        # index, line, address, and Y if a statement starts there
        if len(words) >= 4 and words[0].isdigit() and words[1].isdigit() and "Y" in words[3:]:
            statements.add((int(words[2], 16), int(words[1])))
    load = 0
    text = gdb.execute("info proc mappings", to_string=True)
    path = os.path.realpath(gdb.current_progspace().filename)
    for row in text.splitlines():
        if row.strip().endswith(path):
            load = int(row.split()[0], 16) - base
            break
    points = {}
    for address, line in sorted(statements):
        point = gdb.Breakpoint("*%#x" % address, internal=False)
        point.silent = True
        points[point.number] = (point, address, line)
    seen = []
    stopped = []
    gdb.events.stop.connect(lambda event: stopped.append(getattr(event, "breakpoints", [])))
    while True:
        stopped.clear()
        gdb.execute("continue", to_string=True)
        try:
            frame = gdb.newest_frame()
        except gdb.error:
            break
        for point in stopped[0] if stopped else []:
            if point.number not in points:
                continue
            _, address, line = points.pop(point.number)
            names = set()
            block = frame.block()
            while block and not block.is_global and not block.is_static:
                names.update(s.print_name for s in block if s.is_variable or s.is_argument)
                if block.function:
                    break
                block = block.superblock
            for name in sorted(names):
                if not re.fullmatch(r"[A-Za-z_]\w*", name):
                    continue
                found = []
                try:
                    leaves(gdb, frame.read_var(name, frame.block()), name, found, 0)
                except (gdb.error, ValueError) as error:
                    found = [(name, str(error))]
                for leaf, number in found:
                    seen.append([address - load, line, name, leaf, number])
            point.delete()
    with open(output, "w", encoding="ascii") as file:
        json.dump(seen, file)


def first_load_address(program):
    text = subprocess.run(["readelf", "-lW", program], capture_output=True, text=True, check=True).stdout
    return next(int(row.split()[2], 16) for row in text.splitlines() if row.split()[:1] == ["LOAD"])


def record(program, arguments, source, again=0):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = ["gdb", "-nx", "-batch", "-ex", 'set $dt_output = "%s"' % file.name, "-ex",
                   'set $dt_source = "%s"' % source, "-ex", "set $dt_base = %d" % first_load_address(program),
                   "-ex", "set $dt_again = %d" % again, "-x", os.path.realpath(__file__), "--args", program] + arguments
        said = subprocess.run(command, capture_output=True, text=True, check=False)
        text = open(file.name, encoding="ascii").read()
        if not text:
            sys.exit("gdb failed: " + said.stderr)
        return json.loads(text)


def read_by_dtrace(dtrace, program, arguments, address, leaf):
    expression = re.sub(r"^(\**)", r"\1locals->", leaf)
    clause = 'pid$target:a.out:-:%x /!seen/ { seen = 1; printf("<%%d>", (long long)(%s)); exit(0); }' % (
        address, expression)
    said = subprocess.run([dtrace, "-qn", clause, "-c", " ".join([program] + arguments)],
                          capture_output=True, text=True, check=False)
    number = re.search(r"<(-?\d+)>", said.stdout)
    return (int(number.group(1)), "") if number else (None, said.stderr.strip())


def main():
    dtrace, seed, count, program = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), os.path.realpath(sys.argv[4])
    arguments = sys.argv[5:]
    source = os.environ.get("SOURCE", "locals.c")
    pairs = record(program, arguments, source)
    # A variable without a value yet has what is left on the stack, which differs between runs.
    others = {(address, leaf): number for address, _, _, leaf, number in record(program, arguments, source, 1)}
    pairs = [pair for pair in pairs if others.get((pair[0], pair[3]), "") == pair[4]]
    random.Random(seed).shuffle(pairs)
    results = {"equal": 0, "both_lost": 0, "gdb_only": 0, "different": 0, "dtrace_only": 0}
    for address, line, _, leaf, expected in pairs[:count]:
        if isinstance(expected, str):
            continue
        value, problem = read_by_dtrace(dtrace, program, arguments, address, leaf)
        if expected is not None and value is not None:
            kind = "equal" if (value - expected) % 2**64 == 0 else "different"
        elif expected is None and value is None:
            kind = "both_lost" if "optimized" in problem or "only at the entry" in problem else "different"
        else:
            kind = "gdb_only" if value is None else "dtrace_only"
        results[kind] += 1
        if kind not in ("equal", "both_lost"):
            print("%s: %#x line %d %s: gdb %s, dtrace %s %s" % (kind, address, line, leaf, expected, value,
                                                              problem.replace("\n", " ")))
    if os.environ.get("DETAILS"):
        print(" ".join("%s=%d" % each for each in results.items()))
    good = results["equal"] + results["both_lost"]
    print("%d of %d variables agree" % (good, sum(results.values())))


try:
    import gdb as inside
except ImportError:
    main()
else:
    record_in_gdb(inside)
