#@ what:    one compiled object finds the same slow requests in the kernel, in the engine library inside the program, and with its clauses divided between both
#@ needs:   uprobe python3
#@ timeout: 60
example=$(dirname "$(readlink -f "$0")")/../../../examples/adaptive
ln -s "$(dirname "$(readlink -f "$DTRACE")")/examples/adaptive" "$TMP/built" # -c splits its command at blanks
program=$TMP/built/adaptive
cd "$TMP" || exit 1
# In the program, the requests 60, 120, … 300 take 300 ms each. A request is slow compared with the usual time, which varies on a busy machine.
# Another clause therefore prints the time of every request, and check.py computes from these which requests must be shown.
every='adaptive$target:::request-done { printf("request %d took %d us, usually %d\n", arg0, arg1, -1); }'
cat >check.py <<'P'
import re, sys


def quotient(a, b):
    return abs(a) // b * (1 if a >= 0 else -1)


text = sys.stdin.read()
requests = [tuple(map(int, each)) for each in re.findall(r"request (\d+) took (\d+) us, usually (-?\d+)", text)]
shown = [each for each in requests if each[2] >= 0]
calls = mean = variance = 0
slow = []
for number, took, _ in (each for each in requests if each[2] < 0):
    usual = quotient(mean, 16)
    off = took - usual if took < 1 << 31 else 1 << 31
    spread = max(variance, quotient(usual, 4) ** 2)
    if calls >= 16 and off > 0 and off * off // 36 > spread:
        variance = spread + spread // 4
        if took >= 50000000:
            slow.append((number, took // 1000, usual // 1000))
        continue
    calls = min(calls + 1, 16)
    square = off * off // calls
    mean += quotient(16 * off, calls)
    variance += square - (variance + square) // calls
every = [number for number, _, usual in requests if usual < 0]
print("as computed" if every == list(range(1, 301)) and shown == slow else (len(every), shown, slow))
quiet = sum(took > 20000000 for _, took, usual in requests if usual < 0) == 5
print("the planted ones" if not quiet or [number for number, _, _ in shown] == [60, 120, 180, 240, 300] else shown)
if "--naps" in sys.argv:
    naps = text.count("nanosleep(")
    print("their naps" if (naps >= 5 or not quiet) and naps < 100 else naps)
P
echo kernel
"$DTRACE" -s "$example/adaptive.d" -n "$every" -c "$program" | python3 check.py
"$DTRACE" -x save=adaptive.o -s "$example/adaptive.d" -n "$every" -c "$program" && readelf -SW adaptive.o | grep -c ' \.dtrace '
echo engine
"$program" --engine adaptive.o | python3 check.py
# The kernel part computes no mean: it finds slow requests by comparison with the mean that the engine in the program
# has computed.
echo shared
"$DTRACE" -o traced -s "$example/adaptive.d" -n "$every" -c "$program --engine adaptive.o --shared" >both
cat traced >>both # two files, because output of one could interrupt a line of the other
python3 check.py --naps <both
grep -c '^request' both
echo alone
"$program" --engine adaptive.o --shared 2>&1 | grep -o "runs no trace of a script"
