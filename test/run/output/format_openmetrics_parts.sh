#@ what:    -x format=openmetrics prints breakdown() as a counter in seconds with one label value for each part
#@ needs:   syscall
$DTRACE -x format=openmetrics -qn '#pragma D metric @ name=naps label=part
syscall::clock_nanosleep:entry /pid == $target/ { self->mark = mark(); }
syscall::clock_nanosleep:return /self->mark/ { @[execname] = breakdown(self->mark); @ns[execname] = sum(timestamp - self->mark); self->mark = 0; }' -c 'sleep 0.01' >"$TMP/page"
grep -E '^# (TYPE|UNIT)|"timer"' "$TMP/page" | grep naps | sed 's/ 0\.0[0-9]*$/ 0.0N/'
# Checks that the parts of the time add up exactly to the whole time.
awk '/^naps.*_total/ { split($NF, s, "."); parts += s[1] * 1e9 + substr(s[2] "000000000", 1, 9) } /^dtrace_ns_total/ { whole = $NF } END { print parts == whole ? "the whole" : parts " of " whole }' "$TMP/page"
