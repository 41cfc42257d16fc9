#@ what:    json() finds the same values as Python's parser in random texts, also truncated ones, and returns NULL for invalid texts
#@ timeout: 60
cat >"$TMP/make.py" <<'P'
import json, random, sys
random.seed(20)
ESCAPES = ['\\"', '\\\\', '\\/', '\\n', '\\u00e9', '\\ud83d\\ude00']

def blank():
    return random.choice(["", "", " ", "\t"])

def text():
    return '"' + "".join(random.choice(ESCAPES + list("ab[]{},: .")) for _ in range(random.randrange(5))) + '"'

def number():
    return random.choice(["0", "-0", "17", "-3.5", "1e9", "2.5E-3", "9" * 25])

def value(depth, path, found):
    """A value as JSON text; where each value in it is, by its path."""
    kind = random.randrange(6 if depth < 4 else 4)
    if kind < 4:
        made = [text, number, lambda: random.choice(["true", "false"]), lambda: "null"][kind]()
    elif kind == 4:
        items = [value(depth + 1, f"{path}[{i}]", found) for i in range(random.randrange(4))]
        made = "[" + blank() + ",".join(blank() + item + blank() for item in items) + "]"
    else:
        keys = random.sample(["a", "b", "cd", "c", "a b"], random.randrange(4))
        items = [f'"{key}"{blank()}:{blank()}' + value(depth + 1, f"{path}.{key}" if path else key, found) for key in keys]
        made = "{" + ",".join(blank() + item + blank() for item in items) + "}"
    found[path] = made
    return made

def at(whole, path):
    for step in path.replace("[", ".[").split("."):
        if step:
            whole = whole[int(step[1:-1])] if step[0] == "[" else whole[step]
    return whole

program, expected = open(sys.argv[1], "w"), open(sys.argv[2], "w")
cases = 0
while cases < 120:
    found = {}
    whole = value(0, "", found)
    if len(whole) > 240 or not found.keys() - {""}:
        continue
    path = random.choice(sorted(found.keys() - {""}))
    raw = found[path]
    answer = raw[1:-1] if raw[0] == '"' else raw
    assert json.loads(raw) == at(json.loads(whole), path)
    given, wanted = whole, answer or " "
    if cases % 3 == 1:
        path = random.choice([path + ".nothing", path + "[7]", "nothing", path + "[", path + "[x]", "[0"])
        wanted = "NULL"
    elif cases % 3 == 2: # truncated: the value if it is complete before the cut, else NULL
        given = whole[:random.randrange(len(whole))]
        wanted = ("NULL or " + (answer or " "))
    quoted = given.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    program.write('BEGIN { this->d = "%s"; this->v = json(this->d, "%s"); printf("%%s\\n", this->v == NULL ? "NULL" : this->v == "" ? " " : this->v); }\n' % (quoted, path))
    expected.write(wanted + "\n")
    cases += 1
program.write("BEGIN { exit(0); }\n")
P
python3 "$TMP/make.py" "$TMP/json.d" "$TMP/expected"
"$DTRACE" -qs "$TMP/json.d" >"$TMP/out"
python3 - "$TMP/out" "$TMP/expected" <<'P'
import sys
out, expected = (open(name).read().split("\n")[:-1] for name in sys.argv[1:])
same = sum(got == want or (want.startswith("NULL or ") and got in ("NULL", want[8:])) for got, want in zip(out, expected))
print(len(out), same, "some cut texts still have it:", any(w.startswith("NULL or ") and g != "NULL" for g, w in zip(out, expected)))
for got, want in zip(out, expected):
    if got != want and not (want.startswith("NULL or ") and got in ("NULL", want[8:])):
        print("got", got, "for", want)
P
# Passes hostile texts to json(): ten thousand nested levels, an endless string and number, brackets that do not match, and text that is not JSON.
hostile() { python3 -c 'import sys; print(eval(sys.argv[1]), end="")' "$1"; }
for text in '"[" * 10000' "'{\"a\":' * 5000" "'{\"a\":[' * 3000 + '1'" "'{\"b\": \"' + 'x' * 20000" "'{\"b\": ' + '9' * 20000" \
    "'{\"b\": [}, \"a\": 1}'" "'{\"b\": 01, \"a\": 1}'" "'{b: 1, \"a\": 1}'" "'{\"b\": truth, \"a\": 1}'" "'{\"b\": \"\\\\x\", \"a\": 1}'" "'a'"; do
    $DTRACE -x strsize=32k -qn 'BEGIN { this->d = $$1; printf("%d", json(this->d, "a") == NULL); exit(0); }' "$(hostile "$text")"
done
echo
