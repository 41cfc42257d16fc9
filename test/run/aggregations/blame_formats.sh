#@ what:    blame() prints as a tree in text, as folded stacks, and as a text key in other formats; blame(0) raises a fault
#@ needs:   syscall
cat >"$TMP/script.d" <<'D'
syscall::clock_nanosleep:entry /pid == $target/ { self->t = mark(); }
syscall::clock_nanosleep:return /self->t/ { @[execname] = blame(self->t); self->t = 0; }
D
trace() { $DTRACE -qs "$TMP/script.d" "$@" -c 'sleep 0.01'; }
{
    trace | grep '[a-z]' | grep -v 'runq\|running\|unknown' | sed 's/ *$//'
    trace -x format=folded | grep interrupt
    trace -x format=jsonl | grep -o '"func":"[a-z]*"\|\["sleep","sleep;timer;(interrupt)"\]' | sort -u
    trace -x format=csv | tr -d '\r' | grep 'key\|interrupt'
    trace -x format=openmetrics | grep '^[a-z].*_total.*interrupt'
    $DTRACE -qn 'syscall::clock_nanosleep:entry /pid == $target/ { self->t = timestamp; }
        syscall::clock_nanosleep:return /self->t/ { @ = blame(self->t); printa("%s %@d\n", @); exit(0); }' -c 'sleep 0.01' | grep interrupt
} | sed 's/[0-9][0-9.]*/N/g; s/^  *N  *N/N N/' # percentages and times vary in their number of digits
$DTRACE -qn 'BEGIN { @ = blame(0); } BEGIN { exit(0); }' 2>&1 | sed 's/ at BPF.*//'
