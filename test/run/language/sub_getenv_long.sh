#@ what:    getenv() finds a variable whose value is longer than strsize, and variables that follow such a value or hundreds of others
#@ needs:   syscall python3
python3 - "$PROGS/syscalls" "$DTRACE" <<'E'
import random, subprocess, sys

random.seed(6868)
wrong = count = 0
for size in (16, 63, 64, 127, 128, 256, 1000):
    names = ['V%d' % i for i in range(12)] + ['N' * 63]
    near = [126, 127, 128, 253, 254, 255, size - 2, size - 1, size, size + 1, size + 8, 2 * size - 1, 2 * size, 3 * size + 5]
    environment = {'FILL%d' % i: 'x' for i in range(300)} if size == 256 else {}
    for name in names:
        length = max(random.choice(near) - random.choice([0, len(name) + 1]), 0)
        environment[name] = ''.join(random.choice('abc=V1') for _ in range(length))
    wanted = names + ['V', 'V99']
    clause = 'syscall::getppid:entry /pid == $target/ { this->v = getenv("%s"); printf("%%s\\n", this->v == NULL ? "<none>" : this->v); }'
    script = 'this string v; ' + ' '.join(clause % name for name in wanted)
    command = 'env -i ' + ' '.join("'%s=%s'" % v for v in environment.items()) + ' ' + sys.argv[1] + ' getppid 1'
    printed = subprocess.run(sys.argv[2].split() + ['-x', 'strsize=%d' % size, '-qn', script, '-c', command],
                             capture_output=True, text=True)
    expected = [environment[n][:size] if n in environment else '<none>'[:size] for n in wanted]
    count += len(wanted)
    if printed.stdout.splitlines()[:len(wanted)] != expected:
        wrong += 1
        print(size, printed.stdout.splitlines(), expected, printed.stderr)
print(count, 'variables,', wrong, 'environments wrong')
E
