#@ what:    every clock sample of a Python program with threads, generators and callbacks has its functions in the right order
#@ needs:   python3 x86-64
cat >"$TMP/nest.py" <<'EOF'
import threading, time

def step(i):
    return i * 2 % 7

def leaf(n):
    return sum([step(i) for i in range(n)])

class Key:
    def key(self, value):
        return leaf(50) + value

def nest():
    return sorted(range(20), key=Key().key)

def gen():
    while True:
        yield nest()

def work(end):
    for _ in gen():
        if time.monotonic() > end:
            return

end = time.monotonic() + 1
threads = [threading.Thread(target=work, args=(end,)) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
EOF
cat >"$TMP/check.py" <<'EOF'
import re, sys

nest = ['step', 'leaf.<locals>.<listcomp>', 'leaf', 'Key.key', 'nest', 'gen', 'work']
right = 0
for stack in sys.stdin.read().split('stack\n'):
    functions = re.findall(r'(\S+) \(\S*/nest\.py:\d+\)', stack)
    if 'work' not in functions or '[' in re.sub(r'\[vdso\]', '', stack):
        continue  # the program's start and end, and marked stacks
    expected = nest[nest.index(functions[0]):]
    if [each for each in expected if 'listcomp' not in each] != [each for each in functions if 'listcomp' not in each]:
        print('wrong:', functions)
    right += 1
print('right' if right else 'no samples')
EOF
python=$(python3 -c 'import sys; print(sys.executable)')
$DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "$python $TMP/nest.py" |
    python3 "$TMP/check.py"
