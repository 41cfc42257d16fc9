#@ what:    breakdown() prints each part and its time in every format, and --merge adds the times of two runs
#@ needs:   syscall
cd "$TMP" || exit 1
cat >script.d <<'D'
syscall::clock_nanosleep:entry /pid == $target/ { self->mark = mark(); }
syscall::clock_nanosleep:return /self->mark/ { @[execname] = breakdown(self->mark); self->mark = 0; }
D
trace() { $DTRACE -qs script.d "$@" -c 'sleep 0.01'; }
timer() { $DTRACE --merge "$@" 2>&1 | awk '$1 == "timer" { print $NF }'; }
{
    trace | awk '$1 == "part" || $1 == "timer" { print $1, $NF }'
    trace -x format=jsonl | grep -o '"func":"[a-z]*"\|\["timer",[0-9]*\]'
    trace -x format=csv | tr -d '\r' | grep 'part\|timer'
    trace -x format=folded | grep timer
} | sed 's/[0-9][0-9]*/N/g'
for format in ctf perfetto; do # without a reader of the format, the test can only check that the file has a part's name
    trace -x format=$format -o $format 2>&1
    grep -rqs timer $format && echo $format
done
$DTRACE -e -x schema=sqlite -x format=csv -s script.d -c /bin/true | grep 'CREATE.*@_'
trace -x format=snapshot >first
trace -x format=snapshot >second
[ $(timer first second) = $(($(timer first) + $(timer second))) ] && echo merged
