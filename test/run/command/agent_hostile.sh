#@ what:    --agent answers each of 1,000 hostile requests with one end line within the limits, and then still answers a valid request
#@ needs:   python3
#@ timeout: 90
cd "$TMP" || exit 1
cat >hostile.py <<'P'
import json, random, subprocess, sys

random.seed(29)
good = {"id": 1, "method": "check", "program": "BEGIN { exit(0); }"}
wrong = [-1, -(10**30), 1e300, "5", None, [], {}, True]
questions = []
while len(questions) < 980:
    kind = len(questions) % 14
    line = json.dumps({**good, "id": len(questions)})
    questions.append([
        lambda: line[:random.randrange(1, len(line))],                                            # truncated line
        lambda: json.dumps({**good, "seconds": random.choice(wrong)}),
        lambda: json.dumps({**good, "rows": random.choice(wrong)}),
        lambda: json.dumps({**good, "bytes": random.choice(wrong)}),
        lambda: json.dumps({**good, "program": random.choice([1, None, [], {}, True])}),
        lambda: json.dumps({**good, "arguments": random.choice([1, "x", [1], [[]], {}])}),
        lambda: json.dumps({**good, "method": random.choice(["", "sing", "RUN", "run\0", "../run"])}),
        lambda: json.dumps({**good, "tracer": 1}),
        lambda: '{"id":' + "[" * 5000 + "]" * 5000 + ',"method":"check","program":"BEGIN"}',     # deeply nested
        lambda: "[" * random.randrange(1, 100000),
        lambda: "".join(chr(random.randrange(1, 9)) for _ in range(50)) + "\x7f\xff",
        lambda: json.dumps({**good, "program": "#pragma D option destructive\nBEGIN { exit(0); }"}),
        lambda: json.dumps({**good, "program": "#pragma D option maxcost=100%\nBEGIN { exit(0); }"}),
        lambda: json.dumps({**good, "program": ""}),
    ][kind]())
questions += ["x" * (3 << 20), json.dumps({**good, "program": "/" * (2 << 20)})]                  # two and three megabytes
run = {"id": 2, "method": "run", "seconds": 1}
questions += [json.dumps({**run, **each}) for each in [
    {"program": "BEGIN { system(\"echo no\"); }"}, {"program": "BEGIN { panic(); }"}, {"program": "BEGIN { stop(); raise(9); }"},
    {"program": "BEGIN { copyout(\"x\", 1, 1); }"}, {"program": "END { n = 1; }"}, {"program": "BEGIN { " + "trace(1); " * 3000 + "}", "rows": 3},
    {"program": "BEGIN { trace(" + "(" * 20000 + "1" + ")" * 20000 + "); }"}, {"program": "BEGIN { trace(" + "-" * 20000 + "1); }"},
    {"program": ", ".join(f"fbt::no_such_{i}:entry" for i in range(5000)) + " { }"}, {"program": "BEGIN { x = \"" + "a" * 100000},
    {"program": "#include \"/etc/shadow\"\nBEGIN { exit(0); }"}, {"program": "BEGIN { freopen(\"/tmp/no\"); exit(0); }"},
    {"program": "BEGIN { exit(0); }", "arguments": ["x"] * 2000}, {"program": "BEGIN { trace(0); exit(0); }", "rows": 0},
    {"program": "BEGIN { trace(0); exit(0); }", "bytes": 0}, {"program": "BEGIN { @[1, 2, 3] = lquantize(1, 0, 1 << 30, 1); exit(0); }"},
    {"program": "BEGIN { self->a[" + "1, " * 500 + "1] = 1; exit(0); }"}, {"program": "BEGIN" * 10000},
]]
agent = subprocess.Popen([sys.argv[1], "--agent"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, errors="surrogateescape", encoding="utf-8")
ends = bad = 0
for question in questions:
    agent.stdin.write(question + "\n")
    agent.stdin.flush()
    while True:
        line = agent.stdout.readline()
        answer = json.loads(line) if line else {"ok": True, "error": "gone"}
        if "row" not in answer:
            break
    ends += "ok" in answer and len(line) < 5 << 20
    if answer.get("ok") and question not in questions[-18:]:
        bad += 1
        print("taken:", question[:100], line[:200])
    if not line:
        print("gone at", question[:200])
        break
with open(f"/proc/{agent.pid}/status") as status:
    memory = next(int(each.split()[1]) for each in status if each.startswith("VmHWM"))
agent.stdin.write(json.dumps(good) + "\n")
agent.stdin.close()
print(len(questions), "questions,", ends, "answers,", bad, "taken")
print("bounded" if memory < 100 << 10 else memory)
print(agent.stdout.readline().strip())
print("status", agent.wait())
P
python3 hostile.py "$DTRACE"
