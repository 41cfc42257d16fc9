#@ what:    every clock sample of a Node.js program shows its functions, interpreted or compiled, in the right order
#@ needs:   node python3 x86-64
cat >"$TMP/nest.js" <<'END'
class Sorter {
    compare(a, b) { return this.weigh(a) - this.weigh(b); }
    weigh(n) {
        let sum = 0;
        for (let i = 0; i < 100; i++)
            sum += (n * i) % 7;
        return sum;
    }
}
function order(list) {
    const sorter = new Sorter();
    return list.sort(function by(a, b) { return sorter.compare(a, b); });
}
function nest(depth) { return depth ? nest(depth - 1) : order([3, 1, 2, 7, 5, 4]); }
async function work(end) {
    while (Date.now() < end) {
        for (let i = 0; i < 100; i++)
            nest(2);
        await null;
    }
}
work(Date.now() + 1500);
END
cat >"$TMP/check.py" <<'END'
import re, sys

nest = ['weigh', 'compare', 'by', 'sort', 'order', 'nest', 'nest', 'nest', 'work']
is_whole = sys.argv[1] == 'whole'
right = 0
for stack in sys.stdin.read().split('stack\n'):
    found = re.findall(r'(\S+) \((?:\S*/nest\.js:\d+|builtin)\)', stack)
    if 'sort' not in found or 'work' not in found or '[node: a call' in stack or '[incomplete' in stack:
        continue  # the program's start and end, and marked stacks
    found = found[:found.index('work') + 1]
    rest = iter(nest)
    is_right = found == nest[nest.index(found[0]):] if is_whole else all(each in rest for each in found)
    if not is_right or '[node' in stack:
        print('wrong:', stack)
    right += 1
print('right' if right else 'no samples')
END
node=$(node -p process.execPath)
for form in '--no-opt whole' '--turbo-inlining parts'; do
    $DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' \
        -c "$node ${form% *} $TMP/nest.js" | python3 "$TMP/check.py" "${form#* }"
done
