#@ what:    slowcalls.d shows calls that took much longer than usual for their kind, with the reasons for waiting
#@ needs:   syscall python3
# A call is slow compared with the usual time, which varies on a busy machine. Another clause on the same probes prints all times, and check.py computes
# from them which calls the tool must show. On an idle machine, these are exactly the slow calls of the program.
"$DTRACE" -s slowcalls.d 6 250000 -n 'syscall:::return /$1 && $2 && pid == $target && this->took > 0/ { printf("took %s %d\n", probefunc, this->took); }' \
    -c "$PROGS/pulse" >"$TMP/shown"
cat >"$TMP/check.py" <<'P'
import re, sys
lines = open(sys.argv[1]).read().splitlines()


def quotient(a, b):
    return abs(a) // b * (1 if a >= 0 else -1)


calls, mean, variance, slow = {}, {}, {}, []
all_calls = [(line.split()[1], int(line.split()[2])) for line in lines if line.startswith("took ")]
for name, took in all_calls:
    usual = quotient(mean.get(name, 0), 16)
    off = took - usual if took < 1 << 31 else 1 << 31
    spread = max(variance.get(name, 0), quotient(usual, 4) ** 2)
    if calls.get(name, 0) >= 16 and off > 0 and off * off // 36 > spread:
        variance[name] = spread + spread // 4
        if took >= 250000000:
            slow.append((name, took // 1000, usual // 1000))
        continue
    calls[name] = number = min(calls.get(name, 0) + 1, 16)
    square = off * off // number
    mean[name] = mean.get(name, 0) + quotient(16 * off, number)
    variance[name] = variance.get(name, 0) + square - (variance.get(name, 0) + square) // number

shown = [(words[2], int(words[3]), int(words[4])) for words in map(str.split, lines) if len(words) == 5 and re.fullmatch(r"[0-9]+", words[0])]
ours = [each for each in slow if each[0] in ("nanosleep", "poll")]
print("as computed:", shown == slow, "" if shown == slow else (shown, slow))
details = [re.search(r" (\w+)\(0x\w+, 0x\w+, (0x\w+)", line) for line in lines if "(0x" in line]
print("details of each:", [each.group(1) for each in details] == [name for name, _, _ in slow])
asked = [int(each.group(2), 16) for each in details if each.group(1) == "poll"]
print("arguments:", all(ms in (60, 700) and took >= ms * 1000 for ms, took in zip(asked, [took for name, took, _ in slow if name == "poll"])))
print("callers:", sum("pulse`main" in line for line in lines) >= len(ours))
sleeps = sum("slept in" in line for line in lines)
naps = [took for name, took in all_calls if name == "nanosleep"]
waits = [took for name, took in all_calls if name == "poll"]
quiet = sum(took > 30000000 for took in naps) == 5 and sum(took > 100000000 for took in waits) == 2
print("those of the program:", not quiet or ([(name, took // 100000) for name, took, _ in ours] == [("nanosleep", 5)] * 5 + [("poll", 7)] * 2 and sleeps == len(slow)))
P
python3 "$TMP/check.py" "$TMP/shown"
